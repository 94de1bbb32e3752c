internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// The events of a device: changes of its input's signal and of its controls.
///
/// The camera itself (by an automatic mode or a privacy shutter) or another program may change controls.
///
/// Thread: any, but one at a time.
///
/// Source: Linux userspace API, "ioctl VIDIOC_SUBSCRIBE_EVENT", "VIDIOC_DQEVENT".
struct DeviceEvents {
    /// The names of the watched controls, keyed by V4L2 identifier.
    private let names: [UInt32: String]
    /// The latest values of controls that have changed and have not been reported yet, keyed by control name.
    private var changes: [String: Int] = [:]
    private var lastReport: Timestamp?
    /// True while the privacy shutter is closed, according to the latest report of the device.
    private(set) var isCovered: Bool

    /// The minimum interval between reports, because automatic modes may change controls with every frame.
    static let interval = Duration.milliseconds(500)
    /// The most events to read at once, because a faulty device may report events without end.
    private static let mostAtOnce = 64

    /// Subscribes to changes of the input's signal.
    ///
    /// Most cameras do not support this event, because they have no video input.
    static func subscribeSignal(_ device: V4L2Device) { _ = subscribe(device, UInt32(V4L2_EVENT_SOURCE_CHANGE)) }

    /// Subscribes to changes of a device's controls.
    ///
    /// The driver does not report changes that are made through the same descriptor.
    ///
    /// - Parameter device: The open device, whose requested controls are already set.
    init(_ device: V4L2Device) {
        var names: [UInt32: String] = [:]
        for (id, name) in ControlAccess(device: device).watchableControls() {
            if Self.subscribe(device, UInt32(V4L2_EVENT_CTRL), id) { names[id] = name }
            // A driver that refuses the first subscription is expected to refuse all.
            if names.isEmpty { break }
        }
        self.names = names
        var shutter = v4l2_control(id: UInt32(V4L2_CID_PRIVACY), value: 0)
        isCovered = names[shutter.id] != nil && device.perform(.getControl, &shutter) == nil && shutter.value != 0
    }

    /// Reads the pending events.
    ///
    /// - Returns: The number of events, the events to report at once, and whether the input's signal has changed.
    mutating func take(from device: V4L2Device) -> (count: Int, news: [CameraEvent], isSignalChanged: Bool) {
        var count = 0
        var news: [CameraEvent] = []
        var isSignalChanged = false
        for _ in 0..<Self.mostAtOnce {
            var event = v4l2_event()
            guard device.perform(.dequeueEvent, &event) == nil else { break }
            count += 1
            switch event.type {
            case UInt32(V4L2_EVENT_SOURCE_CHANGE): isSignalChanged = true
            case UInt32(V4L2_EVENT_CTRL):
                let (id, change) = unsafe (event.id, event.u.ctrl)
                guard change.changes & UInt32(V4L2_EVENT_CTRL_CH_VALUE) != 0, let name = names[id] else { continue }
                let value = Int(change.value)
                changes[name] = value
                guard id == UInt32(V4L2_CID_PRIVACY), isCovered != (value != 0) else { continue }
                isCovered.toggle()
                news.append(isCovered ? .covered : .uncovered)
            default: break
            }
        }
        return (count, news, isSignalChanged)
    }

    /// An event with all unreported changes of controls; nil without changes, or too soon after the last report.
    mutating func controlReport(at now: Timestamp) -> CameraEvent? {
        guard !changes.isEmpty, lastReport.map({ $0.duration(to: now) >= Self.interval }) ?? true else { return nil }
        defer { (changes, lastReport) = ([:], now) }
        return .controlsChanged(changes)
    }

    /// The error that ends a stream when the signal at the device's input has changed.
    static func signalError(_ path: String) -> CaptureError {
        CaptureError(
            .noSignal, device: path, operation: "continue its stream", reason: "the signal at its input has changed")
    }

    private static func subscribe(_ device: V4L2Device, _ type: UInt32, _ id: UInt32 = 0) -> Bool {
        var subscription = v4l2_event_subscription()
        subscription.type = type
        subscription.id = id
        return device.perform(.subscribeEvent, &subscription) == nil
    }
}
