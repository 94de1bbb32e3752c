internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// Outputs frames to a virtual camera through its mapped buffers.
///
/// Frames are queued rather than written with `write`, because a queued buffer carries the frame's timestamp. With
/// `write`, the timestamp is the time of the call, and readers show frames with uneven timestamps twice or not at all.
/// Queueing also saves a copy.
///
/// The buffers are filled in turn, and never dequeued. The driver has no real queue: readers see a frame as soon as it
/// is queued. Dequeueing in version 0.12 would return the buffer that readers are using.
final class OutputQueue {
    private let node: LoopbackNode
    private let problems: LoopbackProblems
    private let memory: MappedBuffers
    private let frameBytes: Int
    private var next = UInt32(0)

    /// Maps the buffers of a device and starts its stream, so that the device appears as a camera.
    ///
    /// - Throws: ``SinkError`` when the driver provides no buffers of `frameBytes` bytes, or refuses the stream.
    init(_ node: LoopbackNode, frameBytes: Int) throws(SinkError) {
        self.node = node
        self.frameBytes = frameBytes
        problems = LoopbackProblems(path: node.device.path, calls: node.device.calls)
        memory = try MappedBuffers(node, problems, least: frameBytes)
        var type = Self.type
        if let errno = node.device.perform(.streamOn, &type) {
            throw errno == .resourceBusy ? problems.busy : problems.failure(call: "VIDIOC_STREAMON", errno)
        }
    }

    deinit {
        var type = Self.type
        _ = node.device.perform(.streamOff, &type)
    }

    fileprivate static let type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue

    /// Fills the next buffer and shows it to readers.
    ///
    /// - Parameters:
    ///   - timestamp: The timestamp that readers get with the frame.
    ///   - fill: Writes the frame to the buffer at the given address.
    /// - Throws: ``SinkError`` when the driver refuses the buffer, or names memory that is not mapped.
    @unsafe func put(_ timestamp: Timestamp, fill: (UnsafeMutableRawPointer) -> Void) throws(SinkError) {
        var buffer = try unsafe MappedBuffers.query(next, node, problems)
        // Once a reader has requested a single buffer, every index refers to that buffer, so the offset identifies the
        // memory.
        guard let start = unsafe memory.start(at: buffer.m.offset) else {
            throw problems.refusal("its driver returned a buffer with an unknown offset", kind: .failed)
        }
        unsafe fill(start)
        unsafe buffer.bytesused = UInt32(clamping: frameBytes)
        unsafe buffer.field = V4L2_FIELD_NONE.rawValue
        unsafe buffer.flags = 0
        unsafe buffer.timestamp = timestamp.timeval
        if let errno = unsafe node.device.perform(.queueBuffer, &buffer) {
            throw problems.failure("show a frame", call: "VIDIOC_QBUF", errno)
        }
        next = (next + 1) % memory.count
    }
}

/// The device's buffers, mapped into this process's memory until the release of the object.
@safe private final class MappedBuffers {
    private let calls: any V4L2Calls
    private var parts: [Part] = []
    let count: UInt32

    @safe private struct Part {
        let offset: UInt32
        let memory: UnsafeMutableRawBufferPointer
    }

    /// The number of buffers to request, which is more than readers use at a time.
    private static let wanted = UInt32(4)

    init(_ node: LoopbackNode, _ problems: LoopbackProblems, least: Int) throws(SinkError) {
        calls = node.device.calls
        var request = v4l2_requestbuffers()
        request.count = Self.wanted
        request.type = OutputQueue.type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        if let errno = node.device.perform(.requestBuffers, &request) {
            count = 0
            throw errno == .resourceBusy ? problems.busy : problems.failure(call: "VIDIOC_REQBUFS", errno)
        }
        count = request.count
        guard count > 0 else { throw problems.refusal("its driver gives no buffers", kind: .failed) }
        for index in 0..<count {
            let buffer = try unsafe Self.query(index, node, problems)
            let (offset, length) = unsafe (buffer.m.offset, Int(buffer.length))
            guard unsafe start(at: offset) == nil else { continue }
            guard length >= least else {
                throw problems.refusal("its buffers have \(length) bytes, but a frame has \(least)", kind: .failed)
            }
            do throws(Errno) {
                let memory = try unsafe calls.map(node.device.descriptor, length: length, offset: Int(offset))
                parts.append(unsafe Part(offset: offset, memory: memory))
            } catch {
                throw problems.failure(call: "mmap", error)
            }
        }
    }

    deinit {
        for part in parts { unsafe calls.unmap(part.memory) }
    }

    /// The address of the buffer with the driver's offset `offset`; nil when no mapped buffer has this offset.
    @unsafe func start(at offset: UInt32) -> UnsafeMutableRawPointer? {
        unsafe parts.first { $0.offset == offset }?.memory.baseAddress
    }

    @unsafe static func query(
        _ index: UInt32, _ node: LoopbackNode, _ problems: LoopbackProblems
    ) throws(SinkError) -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = OutputQueue.type
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        unsafe buffer.index = index
        if let errno = unsafe node.device.perform(.queryBuffer, &buffer) {
            throw problems.failure("show a frame", call: "VIDIOC_QUERYBUF", errno)
        }
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return unsafe buffer
    }
}
