internal import CV4L2
internal import PipFrames
internal import SystemPackage

extension FakeNode {
    @unsafe mutating func requestBuffers(_ descriptor: CInt, _ request: inout v4l2_requestbuffers) -> Errno? {
        guard owner == nil || owner == descriptor else { return .resourceBusy }
        releaseBuffers()
        let count = min(Int(request.count), camera.bufferLimit)
        if count > 0 { owner = descriptor }
        for _ in 0..<count { buffers.append(Buffer(planes: memoryPlanes)) }
        request.count = UInt32(count)
        return nil
    }

    mutating func releaseBuffers() {
        _ = streamOff()
        buffers = []
        owner = nil
    }

    @unsafe func queryBuffer(_ buffer: inout v4l2_buffer) -> Errno? {
        let index = unsafe Int(buffer.index)
        guard buffers.indices.contains(index) else { return .invalidArgument }
        for (number, plane) in buffers[index].planes.enumerated() {
            let offset = UInt32(Self.offset(ofPlane: number, of: index))
            if camera.isMultiPlanar {
                guard let planes = unsafe buffer.m.planes else { return .badAddress }
                unsafe planes[number].length = UInt32(plane.length)
                unsafe planes[number].m.mem_offset = offset
            } else {
                unsafe buffer.length = UInt32(plane.length)
                unsafe buffer.m.offset = offset
            }
        }
        return nil
    }

    @unsafe mutating func queueBuffer(_ buffer: inout v4l2_buffer) -> Errno? {
        let index = unsafe Int(buffer.index)
        guard buffers.indices.contains(index), !buffers[index].isQueued else { return .invalidArgument }
        buffers[index].isQueued = true
        queue.append(index)
        return nil
    }

    @unsafe mutating func dequeueBuffer(_ buffer: inout v4l2_buffer) -> Errno? {
        if isBroken { return .ioError }
        guard isStreaming else { return .invalidArgument }
        guard !done.isEmpty else { return .resourceTemporarilyUnavailable }
        let next = done.removeFirst()
        buffers[next.buffer].isQueued = false
        unsafe buffer.index = next.frame.index ?? UInt32(next.buffer)
        unsafe buffer.sequence = next.sequence
        unsafe buffer.flags = next.frame.flags | camera.timestampFlags
        let nanoseconds = next.timestamp.nanoseconds
        unsafe buffer.timestamp = timeval(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
        for (number, plane) in buffers[next.buffer].planes.enumerated() {
            let full = UInt32(max(0, plane.length))
            let used = number == 0 ? next.frame.bytesUsed.map { UInt32($0) } ?? full : full
            if camera.isMultiPlanar {
                guard let planes = unsafe buffer.m.planes else { return .badAddress }
                unsafe planes[number].bytesused = used
                unsafe planes[number].data_offset = UInt32(camera.dataOffset)
            } else {
                unsafe buffer.bytesused = used
            }
        }
        return nil
    }

    mutating func streamOn() -> Errno? {
        guard !buffers.isEmpty else { return .invalidArgument }
        isStreaming = true
        sequence = 0
        return nil
    }

    mutating func streamOff() -> Errno? {
        isStreaming = false
        isBroken = false
        done = []
        queue = []
        for index in buffers.indices { buffers[index].isQueued = false }
        return nil
    }

    /// Fills the next queued buffer with a frame.
    ///
    /// The frame is lost while no buffer is queued or the node does not stream.
    mutating func produce(_ frame: FakeFrame, now: Timestamp) {
        guard isStreaming else { return }
        let number = frame.sequence ?? sequence
        sequence = number &+ 1
        guard !queue.isEmpty else { return }
        let index = queue.removeFirst()
        for plane in buffers[index].planes {
            guard let memory = unsafe plane.memory else { continue }
            switch frame.content {
            case .fill(let value): unsafe memory.initializeMemory(as: UInt8.self, repeating: value)
            case .data(let bytes):
                let start = camera.isMultiPlanar ? camera.dataOffset : 0
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start...])
                unsafe room.copyBytes(from: bytes.prefix(room.count))
            }
        }
        done.append(Done(buffer: index, frame: frame, sequence: number, timestamp: frame.timestamp ?? now))
    }

    /// The buffer and the plane with this `mmap` offset; nil for an offset without a plane.
    func plane(atOffset offset: Int) -> (buffer: Int, plane: Int)? {
        for index in buffers.indices {
            for plane in buffers[index].planes.indices where Self.offset(ofPlane: plane, of: index) == offset {
                return (index, plane)
            }
        }
        return nil
    }

    /// Forgets a mapping, so that the node no longer writes to memory that was unmapped.
    @unsafe mutating func forget(_ memory: UnsafeMutableRawBufferPointer) {
        for index in buffers.indices {
            for plane in buffers[index].planes.indices
            where unsafe buffers[index].planes[plane].memory?.baseAddress == memory.baseAddress {
                unsafe buffers[index].planes[plane].memory = nil
            }
        }
    }

    static func offset(ofPlane plane: Int, of buffer: Int) -> Int { (buffer * 8 + plane + 1) << 12 }
}
