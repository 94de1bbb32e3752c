internal import CV4L2
internal import PipFrames

/// Follows the one-time decisions of a camera, such as a single autofocus, and finds the settings that fix the result.
///
/// The type is a pure state machine: it uses no device, no thread and no clock.
///
/// Automatic modes work only while the camera streams, so decisions that were requested earlier start with the first
/// frame. A decision ends when the camera reports the end, or else when the watched value is steady. Every decision
/// ends after ``longestTime`` at the latest.
struct OneShot {
    typealias Automatic = CameraAdjustments.Automatic

    /// The result of one decision.
    struct Outcome {
        let subject: Automatic
        /// The settings that fix the result, in order; empty when the camera keeps the result without a setting.
        var settings: [(name: String, value: Int)] = []
        /// True when the camera reports that its autofocus has found no sharp position.
        var hasFailed = false
    }

    /// A property whose decision is under way, with the controls to watch.
    private struct Target {
        let setting: AutomaticSetting
        let status: CameraControl?
        /// True when the camera has a trigger for a single decision, and keeps the result by itself.
        let isTriggered: Bool
        var since: Timestamp
        var value: Int?
        /// The time of the value's last change.
        var valueSince: Timestamp
        var wasBusy = false
    }

    /// The interval between readings of the watched controls.
    private static let interval = Duration.milliseconds(100)
    /// The time without a change after which a value counts as settled.
    static let steadyTime = Duration.seconds(1)
    /// The time after which a decision ends although the value still changes.
    static let longestTime = Duration.seconds(5)

    /// The properties whose decision has not ended.
    private(set) var pending: Set<Automatic>
    /// The time of the next reading of the watched controls.
    ///
    /// Nil until the decisions start, while they are paused, and when no decision is pending.
    private(set) var deadline: Timestamp?
    private var targets: [Automatic: Target] = [:]

    /// - Parameter pending: The properties to decide from the first frame on.
    init(_ pending: Set<Automatic> = []) { self.pending = pending }

    // MARK: Requested decisions

    /// Adds decisions, and starts them at once.
    mutating func start(_ more: Set<Automatic>, at now: Timestamp) {
        pending.formUnion(more)
        for subject in more { targets[subject] = nil }
        if !more.isEmpty { deadline = now }
    }

    /// Adds decisions for a camera that will stream later.
    mutating func add(_ more: Set<Automatic>) { pending.formUnion(more) }

    /// Cancels decisions that a newer setting replaces.
    mutating func cancel(_ subjects: Set<Automatic>) {
        pending.subtract(subjects)
        for subject in subjects { targets[subject] = nil }
        if pending.isEmpty { deadline = nil }
    }

    /// Restarts all pending decisions, for example at the camera's first frame after opening.
    mutating func restart(at now: Timestamp) {
        targets = [:]
        deadline = pending.isEmpty ? nil : now
    }

    /// Suspends all decisions while the camera is gone.
    ///
    /// ``restart(at:)`` resumes the decisions when the camera delivers frames again.
    mutating func pause() { deadline = nil }

    // MARK: Watched controls

    /// True when ``selectControls(from:at:)`` must be called before the next evaluation.
    var needsControls: Bool { !pending.subtracting(targets.keys).isEmpty }

    /// Selects the controls to watch from the camera's list.
    mutating func selectControls(from controls: [CameraControl], at now: Timestamp) {
        for subject in pending where targets[subject] == nil {
            let setting = subject.setting(controls)
            let trigger = subject.trigger(controls)
            targets[subject] = Target(
                setting: setting, status: subject == .focus ? controls.control(V4L2_CID_AUTO_FOCUS_STATUS) : nil,
                isTriggered: trigger != nil, since: now, value: setting.value?.value, valueSince: now)
        }
    }

    /// The controls whose values the next ``evaluate(_:at:)`` needs.
    var watchedControls: [CameraControl] {
        pending.compactMap { targets[$0] }.flatMap { [$0.setting.value, $0.status].compactMap(\.self) }
    }

    /// Evaluates the present values of the watched controls.
    ///
    /// - Parameters:
    ///   - values: The values of ``watchedControls``, keyed by control ID.
    ///   - now: The time of reading.
    /// - Returns: The decisions that have ended.
    mutating func evaluate(_ values: [UInt32: Int], at now: Timestamp) -> [Outcome] {
        var outcomes: [Outcome] = []
        for subject in Automatic.allCases where pending.contains(subject) {
            guard let outcome = evaluate(subject, values, now) else { continue }
            pending.remove(subject)
            targets[subject] = nil
            outcomes.append(outcome)
        }
        deadline = pending.isEmpty ? nil : now.advanced(by: Self.interval)
        return outcomes
    }

    private mutating func evaluate(_ subject: Automatic, _ values: [UInt32: Int], _ now: Timestamp) -> Outcome? {
        guard var target = targets[subject] else { return nil }
        defer { targets[subject] = target }
        let value = target.setting.value.flatMap { values[$0.id] }
        if value != target.value { (target.value, target.valueSince) = (value, now) }
        let isLate = target.since.duration(to: now) >= Self.longestTime
        let isSteady = target.valueSince.duration(to: now) >= Self.steadyTime
        if let status = target.status.flatMap({ values[$0.id] }).map({ Int32(truncatingIfNeeded: $0) }) {
            if status & V4L2_AUTO_FOCUS_STATUS_BUSY != 0 {
                target.wasBusy = true
                if !isLate { return nil }
            } else if status & V4L2_AUTO_FOCUS_STATUS_FAILED != 0 {
                return outcome(subject, target, value, hasFailed: true)
            } else if status & V4L2_AUTO_FOCUS_STATUS_REACHED != 0 || target.wasBusy {
                return outcome(subject, target, value)
            }
        }
        return isSteady || isLate ? outcome(subject, target, value) : nil
    }

    private func outcome(_ subject: Automatic, _ target: Target, _ value: Int?, hasFailed: Bool = false) -> Outcome {
        var outcome = Outcome(subject: subject, hasFailed: hasFailed)
        guard !target.isTriggered else { return outcome }
        outcome.settings = target.setting.toManual
        if let control = target.setting.settable, let value {
            outcome.settings.append((control.name, control.nearest(to: value)))
        }
        return outcome
    }
}

extension CameraAdjustments.Automatic {
    /// The controls of the property's automatic mode and value, among a camera's controls.
    func setting(_ controls: [CameraControl]) -> AutomaticSetting {
        switch self {
        case .exposure: .exposure(controls)
        case .focus: .focus(controls)
        case .whiteBalance: .whiteBalance(controls)
        }
    }

    /// The button that makes the camera decide the property once.
    ///
    /// Nil for the exposure, and for a camera without this button.
    func trigger(_ controls: [CameraControl]) -> CameraControl? {
        switch self {
        case .exposure: nil
        case .focus: controls.button(V4L2_CID_AUTO_FOCUS_START)
        case .whiteBalance: controls.button(V4L2_CID_DO_WHITE_BALANCE)
        }
    }
}

extension CameraAdjustments {
    /// The properties that these adjustments let the camera decide once.
    var singleDecisions: Set<Automatic> {
        var singleDecisions: Set<Automatic> = []
        if exposure == .once { singleDecisions.insert(.exposure) }
        if focus == .once { singleDecisions.insert(.focus) }
        if whiteBalance == .once { singleDecisions.insert(.whiteBalance) }
        return singleDecisions
    }

    /// The properties that these adjustments set or hand to the camera.
    var affectedAutomatics: Set<Automatic> {
        var said: Set<Automatic> = []
        if exposure != nil { said.insert(.exposure) }
        if focus != nil { said.insert(.focus) }
        if whiteBalance != nil { said.insert(.whiteBalance) }
        return said
    }
}
