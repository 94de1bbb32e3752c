import CPlatform
import CV4L2
import PipCompose

/// Reads frames from a camera, as another program would.
///
/// The device is closed with the last reference to this object.
@safe final class VideoReader {
    /// The contents and the timestamp of a frame that was read.
    struct Taken {
        let bytes: [UInt8]
        let timestamp: Timestamp
    }

    @safe private struct Buffer {
        let memory: UnsafeMutableRawBufferPointer
    }

    private let path: String
    private let descriptor: CInt
    private var buffers: [Buffer] = []
    private static let type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue

    /// Opens a device, and starts its stream.
    init(_ path: String, buffers: UInt32 = 2) throws {
        self.path = path
        descriptor = unsafe pip_v4l2_open(path)
        guard descriptor >= 0 else { throw ProgramFailure(command: "open \(path)", said: "errno \(-descriptor)") }
        var request = v4l2_requestbuffers()
        request.count = buffers
        request.type = Self.type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try call("REQBUFS", PIP_VIDIOC_REQBUFS, &request)
        for index in 0..<request.count {
            var buffer = unsafe Self.buffer(index)
            try unsafe call("QUERYBUF", PIP_VIDIOC_QUERYBUF, &buffer)
            var start: UnsafeMutableRawPointer?
            let length = unsafe Int(buffer.length)
            let mapped = unsafe pip_v4l2_map(descriptor, length, Int64(buffer.m.offset), &start)
            guard mapped >= 0 else {
                throw ProgramFailure(command: "map \(length) bytes of \(path)", said: "errno \(-mapped)")
            }
            self.buffers.append(unsafe Buffer(memory: UnsafeMutableRawBufferPointer(start: start, count: length)))
            try unsafe call("QBUF", PIP_VIDIOC_QBUF, &buffer)
        }
        var type = Self.type
        try call("STREAMON", PIP_VIDIOC_STREAMON, &type)
    }

    deinit {
        for buffer in buffers { _ = unsafe pip_v4l2_unmap(buffer.memory.baseAddress, buffer.memory.count) }
        _ = pip_v4l2_close(descriptor)
    }

    /// Waits for the next frame, at most five seconds.
    func next() throws -> Taken {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe pip_v4l2_poll(&polled, 1, 5000) == 1 else {
            throw ProgramFailure(command: "wait for a frame of \(path)", said: "no frame came within 5 s")
        }
        var buffer = unsafe Self.buffer(0)
        try unsafe call("DQBUF", PIP_VIDIOC_DQBUF, &buffer)
        let part = unsafe buffers[Int(buffer.index) % buffers.count]
        let bytes = unsafe Array(part.memory.prefix(Int(buffer.bytesused)))
        let time = unsafe buffer.timestamp
        try unsafe call("QBUF", PIP_VIDIOC_QBUF, &buffer)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
        return Taken(bytes: bytes, timestamp: Timestamp(nanoseconds: microseconds * 1000))
    }

    /// Queries the format in which the device delivers frames.
    func format() throws -> v4l2_pix_format {
        var format = unsafe v4l2_format()
        unsafe format.type = Self.type
        try unsafe call("G_FMT", PIP_VIDIOC_G_FMT, &format)
        return unsafe format.fmt.pix
    }

    private static func buffer(_ index: UInt32) -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = type
        unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
        unsafe buffer.index = index
        return unsafe buffer
    }

    private func call<Argument>(_ name: String, _ request: UInt, _ argument: inout Argument) throws {
        let result = unsafe withUnsafeMutablePointer(to: &argument) {
            unsafe pip_v4l2_ioctl(descriptor, request, UnsafeMutableRawPointer($0))
        }
        if result < 0 { throw ProgramFailure(command: "\(name) of \(path)", said: "errno \(-result)") }
    }
}
