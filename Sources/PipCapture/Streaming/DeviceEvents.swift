internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// What a device says by itself: that the signal at its input has changed, or that a control has.
///
/// Controls are changed by the camera itself (an automatic, a shutter that is pushed over the lens) or by another
/// program. Belongs to one thread.
///
/// Source: Linux userspace API, "ioctl VIDIOC_SUBSCRIBE_EVENT", "VIDIOC_DQEVENT".
struct DeviceEvents {
    /// The names of the controls whose changes are told.
    private let names: [UInt32: String]
    /// Changes that nobody was told of yet.
    private var changes: [String: Int] = [:]
    private var told: Timestamp?
    /// True while a shutter is closed, as far as the device has said.
    private(set) var isCovered: Bool

    /// From one report of controls to the next: automatics may change theirs with every frame.
    static let interval = Duration.milliseconds(500)
    /// A device that never ends its events is left alone after so many.
    private static let mostAtOnce = 64

    /// Asks a device to tell of changes of the signal at its input; most cameras cannot, and need not.
    static func subscribeSignal(_ device: V4L2Device) { _ = subscribe(device, UInt32(V4L2_EVENT_SOURCE_CHANGE)) }

    /// Asks a device to tell of changes of its controls.
    ///
    /// What is set by this descriptor is not told.
    ///
    /// - Parameter device: The open device, whose controls were set as they were asked for.
    init(_ device: V4L2Device) {
        var names: [UInt32: String] = [:]
        for (id, name) in ControlAccess(device: device).names() {
            if Self.subscribe(device, UInt32(V4L2_EVENT_CTRL), id) { names[id] = name }
            // A driver that does not tell of the first tells of none.
            if names.isEmpty { break }
        }
        self.names = names
        var shutter = v4l2_control(id: UInt32(V4L2_CID_PRIVACY), value: 0)
        isCovered = names[shutter.id] != nil && device.perform(.getControl, &shutter) == nil && shutter.value != 0
    }

    /// Takes the events that have come.
    ///
    /// - Returns: How many there were, what the owner is to know at once, and whether the signal is another one.
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

    /// The controls that have changed, for their owner; nil while there are none, or it was told a moment ago.
    mutating func controlNews(at now: Timestamp) -> CameraEvent? {
        guard !changes.isEmpty, told.map({ $0.duration(to: now) >= Self.interval }) ?? true else { return nil }
        defer { (changes, told) = ([:], now) }
        return .controlsChanged(changes)
    }

    /// The error that ends a stream whose signal has changed.
    static func signalError(_ path: String) -> CaptureError {
        CaptureError(
            .noSignal, device: path, operation: "go on as before", reason: "the signal at its input has changed")
    }

    private static func subscribe(_ device: V4L2Device, _ type: UInt32, _ id: UInt32 = 0) -> Bool {
        var subscription = v4l2_event_subscription()
        subscription.type = type
        subscription.id = id
        return device.perform(.subscribeEvent, &subscription) == nil
    }
}
