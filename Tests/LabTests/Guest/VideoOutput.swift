import CV4L2
import Glibc
import PipCompose
import PipConcurrency

/// Sends the same picture again and again to a video output device.
final class VideoOutput: Sendable {
    private let isOver = Monitor(false)
    private let thread: WorkerThread

    /// Sets the device to NV12, and starts sending.
    ///
    /// `picture` contains all planes of the picture, without padding.
    init(_ path: String, _ size: PixelSize, picture: [UInt8]) throws {
        let queue = try OutputQueue(path, size, picture)
        thread = WorkerThread(name: "video output") { [isOver] in
            while !isOver.read({ $0 }) { queue.repeatPicture() }
            queue.close()
        }
    }

    /// Stops sending, and closes the device.
    func stop() async {
        isOver.update { $0 = true }
        await thread.joined()
    }
}

/// The buffers of a video output device, which all contain the same picture.
private struct OutputQueue {
    private let descriptor: CInt
    private static let type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    private static let memory = V4L2_MEMORY_MMAP.rawValue

    init(_ path: String, _ size: PixelSize, _ picture: [UInt8]) throws {
        descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        do {
            try setFormat(size)
            var request = v4l2_requestbuffers()
            request.count = 2
            request.type = Self.type
            request.memory = Self.memory
            try call(PIP_VIDIOC_REQBUFS, &request)
            for index in 0..<request.count {
                var buffer = try unsafe fill(index, with: picture)
                try unsafe call(PIP_VIDIOC_QBUF, &buffer)
            }
            var type = Self.type
            try call(PIP_VIDIOC_STREAMON, &type)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private func setFormat(_ size: PixelSize) throws {
        var format = unsafe v4l2_format()
        unsafe format.type = Self.type
        unsafe format.fmt.pix.width = UInt32(size.width)
        unsafe format.fmt.pix.height = UInt32(size.height)
        unsafe format.fmt.pix.pixelformat = FourCC("NV12").rawValue
        unsafe format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        try unsafe call(PIP_VIDIOC_S_FMT, &format)
    }

    private func fill(_ index: UInt32, with picture: [UInt8]) throws -> v4l2_buffer {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = Self.type
        unsafe buffer.memory = Self.memory
        unsafe buffer.index = index
        try unsafe call(PIP_VIDIOC_QUERYBUF, &buffer)
        unsafe buffer.bytesused = UInt32(picture.count)
        unsafe buffer.field = V4L2_FIELD_NONE.rawValue
        var memory: UnsafeMutableRawPointer?
        let length = unsafe Int(buffer.length)
        let result = unsafe pip_v4l2_map(descriptor, length, Int64(buffer.m.offset), &memory)
        guard result >= 0, length >= picture.count, let memory = unsafe memory else {
            throw ProgramFailure(
                command: "map an output's buffer", said: "result \(result), \(length) of \(picture.count) bytes")
        }
        unsafe memory.copyMemory(from: picture, byteCount: picture.count)
        _ = unsafe pip_v4l2_unmap(memory, length)
        return unsafe buffer
    }

    /// Waits until a buffer was shown, and queues that buffer again.
    func repeatPicture() {
        var buffer = unsafe v4l2_buffer()
        unsafe buffer.type = Self.type
        unsafe buffer.memory = Self.memory
        guard unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_DQBUF, &buffer) >= 0 else { return }
        _ = unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_QBUF, &buffer)
    }

    func close() { Glibc.close(descriptor) }

    private func call<Argument>(_ request: UInt, _ argument: inout Argument) throws {
        let result = unsafe withUnsafeMutablePointer(to: &argument) {
            unsafe pip_v4l2_ioctl(descriptor, request, UnsafeMutableRawPointer($0))
        }
        if result < 0 { throw ProgramFailure(command: "ioctl \(request) of an output", said: "errno \(-result)") }
    }
}
