internal import CV4L2
internal import PipFrames
internal import Synchronization
internal import SystemPackage

/// The buffers of a stream: the driver's memory, mapped once, which the driver fills and frames use in turn.
///
/// A buffer can be queued again when its last frame is released. Neither queueing nor dequeueing allocates memory.
///
/// Thread: any, but one at a time; frames may go to any thread.
@safe final class StreamBuffers {
    private struct Slot {
        /// The length of each memory plane, in bytes.
        var lengths: [Int]
        var buffer: FrameBuffer
        var isQueued = false
    }

    private let device: V4L2Device
    private let bufferType: v4l2_buf_type
    private let memoryPlanes: Int
    private let export: BufferExport
    private var slots: [Slot] = []
    /// Scratch memory for the planes of a multi-planar buffer, used within one call.
    private let planes: UnsafeMutablePointer<v4l2_plane>

    /// The number of buffers queued in the driver.
    private(set) var queuedCount = 0

    var count: Int { slots.count }

    /// The number of buffers to request: one that the driver fills, one queued behind it, and three for frames in use.
    private static let wantedCount = 5
    /// The least number of buffers.
    ///
    /// A camera with a single buffer could not deliver while a frame is in use.
    private static let leastCount = 2

    /// True when all buffers are exported as dma-bufs.
    var isShared: Bool { slots.allSatisfy { !$0.buffer.descriptors.isEmpty } }

    /// Requests and maps the buffers, and exports them as dma-bufs if `export` says so and frames need no decoding.
    init(_ device: V4L2Device, _ negotiated: NegotiatedFormat, export: BufferExport) throws(CaptureError) {
        self.device = device
        if case .native = negotiated.deviceFormat { self.export = export } else { self.export = .none }
        bufferType = negotiated.bufferType
        memoryPlanes = negotiated.bufferType.isMultiPlanar ? negotiated.memory.count : 1
        unsafe planes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        unsafe planes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        let count = try requestBuffers()
        for index in 0..<count {
            slots.append(try map(index, negotiated.deviceFormat))
        }
    }

    deinit { unsafe planes.deallocate() }

    private func requestBuffers() throws(CaptureError) -> Int {
        var request = v4l2_requestbuffers()
        for attempt in 0..<2 {
            request = v4l2_requestbuffers()
            request.count = UInt32(Self.wantedCount + export.extraBuffers)
            request.type = bufferType.rawValue
            request.memory = V4L2_MEMORY_MMAP.rawValue
            guard let errno = device.perform(.requestBuffers, &request) else { break }
            // Some drivers fail once after another program's stream. A busy driver stays busy.
            guard attempt == 0, errno != .resourceBusy, errno != .noDevice else {
                throw device.error(.requestBuffers, errno, "get buffers for its frames")
            }
        }
        guard request.count >= Self.leastCount else {
            throw CaptureError(
                .failed, device: device.path, operation: "get buffers for its frames",
                reason: "the driver gave too few buffers: \(request.count), but at least \(Self.leastCount) are needed")
        }
        return Int(request.count)
    }

    private func map(_ index: Int, _ format: DeviceFormat) throws(CaptureError) -> Slot {
        var buffer = unsafe makeBuffer(index)
        try unsafe device.require(.queryBuffer, &buffer, to: "find its buffers")
        var mappings: [UnsafeMutableRawBufferPointer] = unsafe []
        do {
            for plane in 0..<memoryPlanes {
                let isMulti = bufferType.isMultiPlanar
                let length = unsafe Int(isMulti ? planes[plane].length : buffer.length)
                let offset = unsafe Int(isMulti ? planes[plane].m.mem_offset : buffer.m.offset)
                unsafe mappings.append(try device.calls.map(device.descriptor, length: length, offset: offset))
            }
        } catch {
            for plane in unsafe mappings.indices { unsafe device.calls.unmap(mappings[plane]) }
            throw CaptureError(device: device.path, operation: "map its buffers", call: "mmap", errno: error)
        }
        var descriptors =
            export == .asDMABufs ? device.export(buffer: index, bufferType, memoryPlanes: memoryPlanes) : []
        let memory = unsafe MappedMemory(planes: mappings, descriptors: descriptors, calls: device.calls)
        var planeMemory = unsafe mappings
        if case .native(let pixelFormat, 1) = format {
            unsafe planeMemory = unsafe Array(repeating: mappings[0], count: pixelFormat.planeCount)
            descriptors = descriptors.flatMap { Array(repeating: $0, count: pixelFormat.planeCount) }
        }
        return unsafe Slot(
            lengths: mappings.map(\.count),
            buffer: FrameBuffer(planes: planeMemory, backing: memory, descriptors: descriptors))
    }

    @unsafe private func makeBuffer(_ index: Int) -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.index = UInt32(index)
        unsafe buffer.type = bufferType.rawValue
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if bufferType.isMultiPlanar {
            unsafe buffer.m.planes = unsafe planes
            unsafe buffer.length = UInt32(memoryPlanes)
        }
        return unsafe buffer
    }

    /// Queues every buffer that no frame uses any more.
    ///
    /// - Returns: The error of the first buffer that the driver refused; nil when it refused none.
    func queueFree() -> Errno? {
        var failure: Errno?
        for index in slots.indices where !slots[index].isQueued {
            guard isKnownUniquelyReferenced(&slots[index].buffer) else { continue }
            // All reads of the frame must come before the driver's writes.
            atomicMemoryFence(ordering: .acquiring)
            var buffer = unsafe makeBuffer(index)
            if let errno = unsafe device.perform(.queueBuffer, &buffer) {
                failure = failure ?? errno
            } else {
                slots[index].isQueued = true
                queuedCount += 1
            }
        }
        return failure
    }

    /// Dequeues the next filled buffer, if there is one.
    func dequeue() -> DequeueResult {
        var buffer = unsafe makeBuffer(0)
        if let errno = unsafe device.perform(.dequeueBuffer, &buffer) {
            return errno == .resourceTemporarilyUnavailable ? .empty : .failed(errno)
        }
        var filled = unsafe FilledBuffer(buffer)
        guard slots.indices.contains(filled.index), slots[filled.index].isQueued else { return .nonsense }
        slots[filled.index].isQueued = false
        queuedCount -= 1
        if bufferType.isMultiPlanar {
            for plane in 0..<min(memoryPlanes, filled.planes.count) {
                let offset = unsafe Int(planes[plane].data_offset)
                let used = unsafe Int(planes[plane].bytesused)
                filled.planes[plane] = FilledBuffer.Plane(offset: offset, byteCount: max(0, used - offset))
            }
        }
        for plane in 0..<min(memoryPlanes, filled.planes.count) {
            let end = filled.planes[plane].offset + filled.planes[plane].byteCount
            if end > slots[filled.index].lengths[plane] { return .nonsense }
        }
        return .filled(filled)
    }

    /// The memory of a filled buffer.
    ///
    /// The driver cannot fill the buffer again before the last reference to this memory is released.
    func memory(of filled: FilledBuffer) -> FrameBuffer { slots[filled.index].buffer }

    /// Queues all free buffers and starts the stream.
    ///
    /// - Returns: The failed call with its error; nil for success.
    func start() -> (errno: Errno, request: V4L2Request)? {
        if let errno = queueFree() { return (errno, .queueBuffer) }
        return streamOn().map { ($0, .streamOn) }
    }

    /// Lets the driver fill the queued buffers.
    private func streamOn() -> Errno? {
        var type = CInt(bitPattern: bufferType.rawValue)
        return device.perform(.streamOn, &type)
    }

    /// Stops the stream and releases the driver's buffers, though frames may still use their memory.
    ///
    /// A mapping of a buffer keeps the file open beyond `close`. Without this call, the device would stay busy until
    /// the last frame is released.
    func giveUp() {
        _ = streamOff()
        var request = v4l2_requestbuffers()
        request.type = bufferType.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        _ = device.perform(.requestBuffers, &request)
    }

    /// Stops the stream, which dequeues all buffers.
    func streamOff() -> Errno? {
        var type = CInt(bitPattern: bufferType.rawValue)
        let errno = device.perform(.streamOff, &type)
        for index in slots.indices { slots[index].isQueued = false }
        queuedCount = 0
        return errno
    }
}
