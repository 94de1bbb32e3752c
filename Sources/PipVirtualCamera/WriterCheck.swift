internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import SystemPackage

/// Detects a device that has a writer already.
///
/// The driver would accept a second one, and mix their frames.
struct WriterCheck {
    /// The time to watch for new frames, which reveals writers of four frames a second or more.
    private static let patience = Duration.milliseconds(250)
    /// The age of the newest frame from which a device counts as unwritten.
    private static let silence = Duration.seconds(1)

    let node: LoopbackNode
    private var calls: any V4L2Calls { node.device.calls }

    init(_ node: LoopbackNode) { self.node = node }

    var isWritten: Bool {
        let problems = NodeProblems(calls: calls)
        let path = node.device.path
        // This check has one descriptor itself.
        guard !problems.holders(of: path).isEmpty || problems.descriptors(of: path, in: "self") > 1 else {
            return false
        }
        // A device that announces its present direction answers the question.
        guard node.identity.isOutput else { return true }
        guard let last = newestFrame, last.duration(to: calls.now) < Self.silence else { return false }
        guard let wakeUp = try? calls.makeWakeUp() else { return true }
        defer { calls.close(wakeUp) }
        _ = calls.wait(device: nil, wakeUp: wakeUp, timeout: Self.patience)
        return newestFrame != last
    }

    /// The newest frame's timestamp; nil without a frame, or where the driver answers only owners of buffers.
    private var newestFrame: Timestamp? {
        var newest: Timestamp?
        for index in 0..<UInt32(2) {
            var buffer = unsafe v4l2_buffer()
            unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
            unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
            unsafe buffer.index = index
            guard unsafe node.device.perform(.queryBuffer, &buffer) == nil else { return nil }
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
