internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import SystemPackage

/// Detects a device to which another program, or another output of this program, writes.
///
/// The driver would accept a second writer, and mix the frames of both.
struct WriterCheck {
    /// The time to watch for a new frame.
    private static let patience = Duration.milliseconds(250)
    /// The age of the newest frame from which a device counts as having no writer.
    private static let silence = Duration.seconds(1)

    let node: LoopbackNode
    private var calls: any V4L2Calls { node.device.calls }

    init(_ node: LoopbackNode) { self.node = node }

    var isWritten: Bool {
        let problems = NodeProblems(calls: calls)
        let path = node.device.path
        // One descriptor of this process belongs to this check.
        guard !problems.holders(of: path).isEmpty || problems.descriptors(of: path, in: "self") > 1 else {
            return false
        }
        // A device that no longer announces output has a writer.
        guard node.identity.isOutput else { return true }
        guard let last = newestFrame, last.duration(to: calls.now) < Self.silence else { return false }
        guard let wakeUp = try? calls.makeWakeUp() else { return true }
        defer { calls.close(wakeUp) }
        _ = calls.wait(device: nil, wakeUp: wakeUp, timeout: Self.patience)
        return newestFrame != last
    }

    /// The timestamp of the newest frame in all buffers.
    ///
    /// A slow writer that uses many buffers fills a certain buffer only rarely.
    ///
    /// Nil when no buffer can be queried, for example because the driver lets only their owner query them.
    private var newestFrame: Timestamp? {
        var newest: Timestamp?
        for index in 0..<UInt32(VIDEO_MAX_FRAME) {
            var buffer = unsafe v4l2_buffer()
            unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
            unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
            unsafe buffer.index = index
            guard unsafe node.device.perform(.queryBuffer, &buffer) == nil else { break }
            let stamp = unsafe Timestamp(buffer.timestamp)
            newest = max(newest ?? stamp, stamp)
        }
        return newest
    }
}

extension Timestamp {
    init(_ time: timeval) {
        self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000)
    }

    var timeval: timeval {
        CV4L2.timeval(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    }
}
