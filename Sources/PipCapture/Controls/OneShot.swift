internal import CV4L2
internal import PipFrames

/// Lets a camera decide once, and keeps what it has found: without a device, a thread or a clock.
///
/// The camera's automatics work while it streams: what is asked for before begins with the first frame. A camera that
/// says how far it is, is believed; of others the value is watched until it stays.
struct OneShot {
    typealias Automatic = CameraAdjustments.Automatic

    /// How one of them has ended.
    struct Outcome {
        let subject: Automatic
        /// The controls that keep what was found, in their order; none where the camera keeps it by itself.
        var settings: [(name: String, value: Int)] = []
        /// True when the camera says that it has found nothing.
        var hasFailed = false
    }

    /// One of them as the camera has it.
    private struct Target {
        let setting: AutomaticSetting
        let status: CameraControl?
        /// The camera was told to look once, and keeps by itself what it finds.
        let isTriggered: Bool
        var since: Timestamp
        var value: Int?
        /// Since when the value is the same.
        var valueSince: Timestamp
        var wasBusy = false
    }

    /// From one look at the camera to the next.
    private static let interval = Duration.milliseconds(100)
    /// A value that has been the same for this long has settled.
    static let steadyTime = Duration.seconds(1)
    /// What has not settled by then is kept as it is.
    static let longestTime = Duration.seconds(5)

    /// What has not ended yet.
    private(set) var pending: Set<Automatic>
    /// When to look again; nil while the camera does not stream, and when nothing is pending.
    private(set) var deadline: Timestamp?
    private var targets: [Automatic: Target] = [:]

    /// - Parameter pending: What begins with the first frame.
    init(_ pending: Set<Automatic> = []) { self.pending = pending }

    // MARK: What is asked for

    /// Asks for more of a camera that streams.
    mutating func ask(_ more: Set<Automatic>, at now: Timestamp) {
        pending.formUnion(more)
        for subject in more { targets[subject] = nil }
        if !more.isEmpty { deadline = now }
    }

    /// Asks for more of a camera that will begin to stream.
    mutating func ask(_ more: Set<Automatic>) { pending.formUnion(more) }

    /// Leaves out what is said otherwise now.
    mutating func leaveOut(_ subjects: Set<Automatic>) {
        pending.subtract(subjects)
        for subject in subjects { targets[subject] = nil }
        if pending.isEmpty { deadline = nil }
    }

    /// Begins anew: the camera has delivered the first frame since it was opened.
    mutating func begin(at now: Timestamp) {
        targets = [:]
        deadline = pending.isEmpty ? nil : now
    }

    /// Stops looking, for a camera that is gone: what is pending begins anew with its next first frame.
    mutating func pause() { deadline = nil }

    // MARK: Looks

    /// True when the camera's controls have to be told before the next look.
    var needsControls: Bool { !pending.subtracting(targets.keys).isEmpty }

    /// Takes in the camera's controls.
    mutating func use(_ controls: [CameraControl], at now: Timestamp) {
        for subject in pending where targets[subject] == nil {
            let setting = subject.setting(controls)
            let trigger = subject.trigger(controls)
            targets[subject] = Target(
                setting: setting, status: subject == .focus ? controls.first { $0.id == Self.focusStatus } : nil,
                isTriggered: trigger != nil, since: now, value: setting.value?.value, valueSince: now)
        }
    }

    /// The controls whose values the next look needs.
    var looked: [CameraControl] {
        pending.compactMap { targets[$0] }.flatMap { [$0.setting.value, $0.status].compactMap(\.self) }
    }

    /// Takes a look.
    ///
    /// - Parameters:
    ///   - values: Of ``looked``, by their numbers.
    ///   - now: When they were read.
    /// - Returns: What has ended by that.
    mutating func look(_ values: [UInt32: Int], at now: Timestamp) -> [Outcome] {
        var outcomes: [Outcome] = []
        for subject in Automatic.allCases where pending.contains(subject) {
            guard let outcome = look(at: subject, values, now) else { continue }
            pending.remove(subject)
            targets[subject] = nil
            outcomes.append(outcome)
        }
        deadline = pending.isEmpty ? nil : now.advanced(by: Self.interval)
        return outcomes
    }

    private mutating func look(at subject: Automatic, _ values: [UInt32: Int], _ now: Timestamp) -> Outcome? {
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
        if let automatic = target.setting.automatic, let manual = target.setting.manual {
            outcome.settings.append((automatic.name, manual))
        }
        if let control = target.setting.settable, let value {
            outcome.settings.append((control.name, control.nearest(to: value)))
        }
        return outcome
    }

    private static let focusStatus = UInt32(V4L2_CID_AUTO_FOCUS_STATUS)
}

extension CameraAdjustments.Automatic {
    /// Its switch and its value.
    func setting(_ controls: [CameraControl]) -> AutomaticSetting {
        switch self {
        case .exposure: .exposure(controls)
        case .focus: .focus(controls)
        case .whiteBalance: .whiteBalance(controls)
        }
    }

    /// The button by which the camera decides once, and keeps it; nil for a camera that has none.
    func trigger(_ controls: [CameraControl]) -> CameraControl? {
        let id: UInt32
        switch self {
        case .exposure: return nil
        case .focus: id = UInt32(V4L2_CID_AUTO_FOCUS_START)
        case .whiteBalance: id = UInt32(V4L2_CID_DO_WHITE_BALANCE)
        }
        return controls.first { $0.id == id && $0.kind == .button }
    }
}

extension CameraAdjustments {
    /// What the camera is to decide once.
    var onces: Set<Automatic> {
        var onces: Set<Automatic> = []
        if exposure == .once { onces.insert(.exposure) }
        if focus == .once { onces.insert(.focus) }
        if whiteBalance == .once { onces.insert(.whiteBalance) }
        return onces
    }

    /// What is said of these, once or otherwise.
    var saidAutomatics: Set<Automatic> {
        var said: Set<Automatic> = []
        if exposure != nil { said.insert(.exposure) }
        if focus != nil { said.insert(.focus) }
        if whiteBalance != nil { said.insert(.whiteBalance) }
        return said
    }
}
