import CV4L2
import Glibc
import PipFrames
import SystemPackage

@testable import PipCapture

/// What a driver answers: the bytes are its answers, one call after the other.
struct DriverParser: Parser {
    let name = "driver"
    private static let node = "/dev/video0"

    func parse(_ bytes: [UInt8]) {
        let calls = AnsweringCalls(bytes)
        let directory = CameraDirectory(calls: calls)
        guard let found = try? directory.inspect(Self.node) else { return }
        _ = try? directory.controls(of: found)
        guard let device = try? V4L2Device(path: Self.node, calls: calls), let identity = try? NodeIdentity(device),
            let negotiated = try? Negotiation(device: device, bufferType: identity.bufferType).run(CameraWish())
        else { return }
        stream(device, negotiated)
    }

    /// Takes frames, and looks at the ends of what they say they hold.
    private func stream(_ device: V4L2Device, _ negotiated: NegotiatedFormat) {
        guard let buffers = try? StreamBuffers(device, negotiated), buffers.queueFree() == nil else { return }
        var checker = FrameChecker(negotiated)
        for _ in 0..<16 {
            switch buffers.dequeue() {
            case .filled(let filled):
                if checker.fault(filled) == nil {
                    checker.place(filled)
                    touch(buffers.memory(of: filled), filled, negotiated, checker.layout)
                }
            case .empty, .failed, .nonsense: return
            }
            if buffers.queueFree() != nil { return }
        }
    }

    private func touch(
        _ memory: FrameBuffer, _ filled: FilledBuffer, _ negotiated: NegotiatedFormat, _ layout: FrameLayout
    ) {
        guard case .native = negotiated.deviceFormat else {
            let bytes = unsafe memory.bytes(ofPlane: 0)
            guard filled.planes[0].byteCount > 0 else { return }
            return unsafe use(bytes[filled.planes[0].offset + filled.planes[0].byteCount - 1])
        }
        for (index, plane) in layout.planes.enumerated() {
            let bytes = unsafe memory.bytes(ofPlane: index)
            let last = plane.offset + (plane.dimensions.height - 1) * plane.strideInBytes + plane.rowBytes - 1
            unsafe use(bytes[plane.offset], bytes[last])
        }
    }

    @inline(never)
    private func use(_ bytes: UInt8...) {}
}

/// A kernel whose answers are given: for each call a byte that says how it ends, then the structure that it fills.
///
/// One thread uses it.
private final class AnsweringCalls: V4L2Calls, @unchecked Sendable {
    private var answers: ArraySlice<UInt8>
    private var ticks: Int64 = 0

    init(_ answers: [UInt8]) { self.answers = answers[...] }

    var now: Timestamp {
        ticks += 1
        return Timestamp(nanoseconds: ticks)
    }

    func open(_ path: String) throws(Errno) -> CInt { 7 }
    func close(_ descriptor: CInt) {}

    @unsafe func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        guard let end = answers.popFirst() else { return -EINVAL }
        if end < 64 { return -CInt(end) - 1 }
        // The size of the structure is part of the call's number.
        let size = Int(request >> 16 & 0x3fff)
        let planes = unsafe planes(of: request, argument)
        let count = min(size, answers.count)
        unsafe argument.copyMemory(from: Array(answers.prefix(count)), byteCount: count)
        answers = answers.dropFirst(count)
        if let planes = unsafe planes { unsafe fill(planes, of: argument.assumingMemoryBound(to: v4l2_buffer.self)) }
        return 0
    }

    /// The memory for planes that a call hands over, which is no driver's to change.
    @unsafe private func planes(
        of request: UInt, _ argument: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<v4l2_plane>? {
        let withBuffers = [V4L2Request.queryBuffer, .queueBuffer, .dequeueBuffer].map(\.number)
        guard withBuffers.contains(request) else { return nil }
        let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
        guard unsafe buffer.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue else { return nil }
        return unsafe buffer.pointee.m.planes
    }

    @unsafe private func fill(
        _ planes: UnsafeMutablePointer<v4l2_plane>, of buffer: UnsafeMutablePointer<v4l2_buffer>
    ) {
        unsafe buffer.pointee.m.planes = unsafe planes
        unsafe buffer.pointee.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
        let size = MemoryLayout<v4l2_plane>.size * Int(VIDEO_MAX_PLANES)
        let count = min(size, answers.count)
        unsafe UnsafeMutableRawPointer(planes).copyMemory(from: Array(answers.prefix(count)), byteCount: count)
        answers = answers.dropFirst(count)
    }

    @unsafe func map(_ descriptor: CInt, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
        guard length > 0, length <= 1 << 24 else { throw .noMemory }
        return .allocate(byteCount: length, alignment: 16)
    }

    @unsafe func unmap(_ memory: UnsafeMutableRawBufferPointer) { unsafe memory.deallocate() }

    func makeWakeUp() throws(Errno) -> CInt { 8 }
    func wake(_ wakeUp: CInt) {}
    func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness { .readable }
    func status(of path: String) throws(Errno) -> FileStatus {
        FileStatus(kind: .characterDevice, groupID: 0, mode: 0o660)
    }
    func names(in folder: String) -> [String] { ["video0"] }
    func target(ofLink path: String) -> String? { nil }
    func text(of path: String) -> String? { nil }
}
