internal import PipFrames

/// The requested setup of a camera's place in a graph.
package struct CameraSetup: Equatable, Sendable {
    /// The camera.
    package var selector: CameraSelector
    /// The camera's mode and picture settings.
    package var wish: CameraWish
    /// False to keep the camera open without streaming.
    package var isEnabled: Bool
    /// The last transaction's settings that are no part of the wish.
    package var request = CameraRequest()

    /// A setup whose camera streams unless `isEnabled` is false.
    package init(_ selector: CameraSelector, wish: CameraWish = CameraWish(), isEnabled: Bool = true) {
        self.selector = selector
        self.wish = wish
        self.isEnabled = isEnabled
    }

    /// Merges two changes of this setup.
    ///
    /// Where both have changed a setting, `own` wins.
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

    /// True when both request the same preset, size, rate, pixel format and colour space.
    func hasMode(of other: CameraWish) -> Bool {
        preset == other.preset && size == other.size && frameRate == other.frameRate && format == other.format
            && colorSpace == other.colorSpace
    }

    /// The controls that another wish lacks, or has other values for.
    func controls(since before: CameraWish) -> [(name: String, value: Int)] {
        let known = Set(before.controls.map(ControlValue.init))
        return controls.filter { !known.contains(ControlValue($0)) }
    }
}

/// A change of a camera's requested setup.
package struct SetupChange: Sendable {
    package let before: CameraSetup
    package let after: CameraSetup
    /// The paths of cameras that other slots give up in the same transaction.
    var freedPaths: Set<String> = []

    package init(from before: CameraSetup, to after: CameraSetup) {
        self.before = before
        self.after = after
    }

    var hasOtherCamera: Bool { before.selector != after.selector }
    var hasOtherMode: Bool { !before.wish.hasMode(of: after.wish) }
    var hasOtherControls: Bool { !adjustments.isEmpty || !controls.isEmpty || !request.isEmpty }
    /// The adjustments of the wish that have changed.
    var adjustments: CameraAdjustments { after.wish.adjustments.changes(since: before.wish.adjustments) }
    /// The changed controls of the wish and of the request, which wins.
    var controls: [(name: String, value: Int)] {
        let requested = request.controls.map { (name: $0.name, value: $0.value) }
        return after.wish.controls(since: before.wish).filter { control in
            !requested.contains { $0.name == control.name }
        } + requested
    }
    /// The settings of the request that are new.
    var request: CameraRequest { after.request.news(since: before.request) }
    /// The wish merged with the request, for a camera that is opened with both.
    var openingWish: CameraWish {
        var wish = after.wish
        wish.adjustments.merge(request.adjustments)
        wish.controls += request.controls.map { ($0.name, $0.value) }
        return wish
    }
    /// The changed adjustments of the wish and of the request, which wins.
    var allAdjustments: CameraAdjustments {
        var all = adjustments
        all.merge(request.adjustments)
        return all
    }
}
