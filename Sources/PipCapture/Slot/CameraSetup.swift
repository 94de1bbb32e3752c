internal import PipFrames

/// The requested setup of a camera source in a graph.
package struct CameraSetup: Equatable, Sendable {
    /// The reference to the camera.
    package var selector: CameraSelector
    /// The requested mode and picture settings.
    package var wish: CameraWish
    /// False to keep the camera open without streaming.
    package var isEnabled: Bool
    /// The settings to apply only once, from the latest transaction that has such settings.
    package var request = CameraRequest()

    /// Creates a setup; its camera streams unless `isEnabled` is false.
    package init(_ selector: CameraSelector, wish: CameraWish = CameraWish(), isEnabled: Bool = true) {
        self.selector = selector
        self.wish = wish
        self.isEnabled = isEnabled
    }

    /// Merges two changed copies of this setup.
    ///
    /// The value of `own` takes precedence where both copies have changed a setting. An adjustment that became nil in
    /// `own` counts as unchanged.
    package func merging(_ own: CameraSetup, _ other: CameraSetup) -> CameraSetup {
        func choose<Value: Equatable>(_ value: (CameraSetup) -> Value) -> Value {
            value(own) == value(self) ? value(other) : value(own)
        }
        var result = other
        result.selector = choose(\.selector)
        result.wish.preset = choose(\.wish.preset)
        result.wish.size = choose(\.wish.size)
        result.wish.frameRate = choose(\.wish.frameRate)
        result.wish.format = choose(\.wish.format)
        result.wish.colorSpace = choose(\.wish.colorSpace)
        result.wish.rotation = choose(\.wish.rotation)
        result.wish.rateLimit = choose(\.wish.rateLimit)
        result.wish.isPaused = choose(\.wish.isPaused)
        result.wish.adjustments.merge(own.wish.adjustments.changes(since: wish.adjustments))
        if own.wish.controls.map(ControlValue.init) != wish.controls.map(ControlValue.init) {
            result.wish.controls = own.wish.controls
        }
        result.isEnabled = choose(\.isEnabled)
        result.request = choose(\.request)
        return result
    }
}

/// A control's name and value, in a form that can be compared.
struct ControlValue: Hashable, Sendable {
    let name: String
    let value: Int

    init(_ setting: (name: String, value: Int)) { (name, value) = setting }
}

extension CameraWish: Equatable {
    public static func == (left: CameraWish, right: CameraWish) -> Bool {
        left.hasMode(of: right) && left.treatment == right.treatment && left.adjustments == right.adjustments
            && left.controls.map(ControlValue.init) == right.controls.map(ControlValue.init)
    }

    /// True when both wishes request the same preset, size, rate, pixel format and colour space.
    func hasMode(of other: CameraWish) -> Bool {
        preset == other.preset && size == other.size && frameRate == other.frameRate && format == other.format
            && colorSpace == other.colorSpace
    }

    /// The controls that are missing in `before`, or have other values there.
    func controls(since before: CameraWish) -> [(name: String, value: Int)] {
        let known = Set(before.controls.map(ControlValue.init))
        return controls.filter { !known.contains(ControlValue($0)) }
    }
}

/// A change of a camera's requested setup.
package struct SetupChange: Sendable {
    package let before: CameraSetup
    package let after: CameraSetup
    /// The paths of the cameras that the same transaction takes from their slots.
    var freedPaths: Set<String> = []

    package init(from before: CameraSetup, to after: CameraSetup) {
        self.before = before
        self.after = after
    }

    var hasOtherCamera: Bool { before.selector != after.selector }
    var hasOtherMode: Bool { !before.wish.hasMode(of: after.wish) }
    var hasOtherControls: Bool { !adjustments.isEmpty || !controls.isEmpty || !request.isEmpty }
    /// The adjustments of the ``CameraWish`` that have changed.
    var adjustments: CameraAdjustments { after.wish.adjustments.changes(since: before.wish.adjustments) }
    /// The changed controls of the ``CameraWish`` and those of the request, which take precedence.
    var controls: [(name: String, value: Int)] {
        let requested = request.controls.map { (name: $0.name, value: $0.value) }
        return after.wish.controls(since: before.wish).filter { control in
            !requested.contains { $0.name == control.name }
        } + requested
    }
    /// The settings to apply once; empty when this change requests none.
    var request: CameraRequest { after.request.news(since: before.request) }
    /// The ``CameraWish`` merged with the request, for a camera that is opened with both.
    var openingWish: CameraWish {
        var wish = after.wish
        wish.adjustments.merge(request.adjustments)
        wish.controls += request.controls.map { ($0.name, $0.value) }
        return wish
    }
    /// The changed adjustments of the ``CameraWish`` and those of the request, which take precedence.
    var allAdjustments: CameraAdjustments {
        var all = adjustments
        all.merge(request.adjustments)
        return all
    }
}
