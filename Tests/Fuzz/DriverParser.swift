import CV4L2
import Glibc
import PipFrames
import PipTestSupport
import SystemPackage

@testable import PipCapture

/// Reads from a fake driver whose answers the input corrupts.
///
/// The first byte selects the camera, and the others the corruptions.
struct DriverParser: Parser {
    let name = "driver"
    static let node = "/dev/video0"

    func parse(_ bytes: [UInt8]) {
        let calls = SpoiltCalls(Self.camera(bytes.first ?? 0), bytes.dropFirst())
        let directory = CameraDirectory(calls: calls)
        guard let found = try? directory.inspect(Self.node) else { return }
        _ = try? directory.controls(of: found)
        guard let device = try? V4L2Device(path: Self.node, calls: calls), let identity = try? NodeIdentity(device),
            let negotiated = try? Negotiation(device: device, bufferType: identity.bufferType).run(
                CameraWish(size: PixelSize(64, 48)))
        else { return }
        stream(device, negotiated, calls)
    }

    private static func camera(_ kind: UInt8) -> FakeCamera {
        let sizes = FakeCamera.Sizes.discrete([PixelSize(64, 48), PixelSize(32, 16)])
        return switch kind % 6 {
        case 0: FakeCamera(formats: [.init("YUYV", sizes: sizes)])
        case 1: FakeCamera(formats: [.init("MJPG", sizes: sizes)])
        case 2: .multiPlanar([.init("NM12", sizes: sizes)])
        case 3: FakeCamera(formats: [.init("BA81", sizes: sizes)])
        case 4: .multiPlanar([.init("YUYV", sizes: .unlisted, rates: .unlisted)])
        default:
            FakeCamera(formats: [
                .init("NV12", sizes: .continuous(minimum: PixelSize(2, 2), maximum: PixelSize(80, 60)))
            ])
        }
    }

    /// Streams some frames, and reads bytes at the ends of each valid frame's data.
    private func stream(_ device: V4L2Device, _ negotiated: NegotiatedFormat, _ calls: SpoiltCalls) {
        guard let buffers = try? StreamBuffers(device, negotiated, export: .none) else { return }
        if let (_, request) = buffers.start(), request == .queueBuffer { return }
        var checker = FrameChecker(negotiated)
        for _ in 0..<8 {
            calls.kernel.produce(Self.node)
            switch buffers.dequeue() {
            case .filled(let filled):
                if checker.fault(filled) == nil {
                    checker.place(filled)
                    touch(buffers.memory(of: filled), filled, negotiated, checker.layout)
                }
            case .empty, .failed, .nonsense: break
            }
            _ = buffers.queueFree()
        }
        _ = buffers.streamOff()
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

/// A fake kernel that corrupts its answers.
///
/// A byte selects a correct answer, an error, or a partly overwritten structure for each call. Calls after the last
/// byte have correct answers.
///
/// Thread: one at a time.
private final class SpoiltCalls: V4L2Calls, @unchecked Sendable {
    let kernel = FakeKernel()
    private var spoils: ArraySlice<UInt8>

    init(_ camera: FakeCamera, _ spoils: ArraySlice<UInt8>) {
        self.spoils = spoils
        kernel.add(DriverParser.node, camera)
    }

    @unsafe func control(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        let result = unsafe kernel.control(descriptor, request, argument)
        guard let how = spoils.popFirst(), how >= 192 else { return result }
        if how < 224 { return 191 - CInt(how) }
        // The request number contains the size of the structure.
        var target = unsafe UnsafeMutableRawBufferPointer(start: argument, count: Int(request >> 16 & 0x3fff))
        let planes = unsafe planes(of: request, argument)
        if how & 16 != 0, let planes = unsafe planes {
            unsafe target = UnsafeMutableRawBufferPointer(
                start: planes, count: MemoryLayout<v4l2_plane>.size * Int(VIDEO_MAX_PLANES))
        }
        let start = Int(spoils.popFirst() ?? 0)
        for offset in 0..<Int(how % 16 + 1) where start + offset < target.count {
            unsafe target[start + offset] = spoils.popFirst() ?? 0xff
        }
        if let planes = unsafe planes { unsafe keep(planes, in: argument) }
        return result
    }

    /// The array of planes that a call's structure points to; nil for calls without planes.
    ///
    /// A real driver never changes this pointer, so the fake kernel does not corrupt the pointer.
    @unsafe private func planes(
        of request: UInt, _ argument: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<v4l2_plane>? {
        let withBuffers = [V4L2Request.queryBuffer, .queueBuffer, .dequeueBuffer].map(\.number)
        guard withBuffers.contains(request) else { return nil }
        let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
        guard unsafe buffer.pointee.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue else { return nil }
        return unsafe buffer.pointee.m.planes
    }

    @unsafe private func keep(_ planes: UnsafeMutablePointer<v4l2_plane>, in argument: UnsafeMutableRawPointer) {
        let buffer = unsafe argument.assumingMemoryBound(to: v4l2_buffer.self)
        unsafe buffer.pointee.m.planes = unsafe planes
        unsafe buffer.pointee.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    }

    @unsafe func map(_ descriptor: CInt, length: Int, offset: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
        guard length > 0, length <= 1 << 16 else { throw .noMemory }
        return .allocate(byteCount: length, alignment: 16)
    }

    @unsafe func unmap(_ memory: UnsafeMutableRawBufferPointer) { unsafe memory.deallocate() }

    var now: Timestamp { kernel.now }
    var slept: Duration { kernel.slept }
    func open(_ path: String) throws(Errno) -> CInt { try kernel.open(path) }
    func close(_ descriptor: CInt) { kernel.close(descriptor) }
    func watchDevices() -> (any DeviceWatch)? { nil }
    func makeWakeUp() throws(Errno) -> CInt { try kernel.makeWakeUp() }
    func wake(_ wakeUp: CInt) { kernel.wake(wakeUp) }
    func wait(device: CInt?, wakeUp: CInt, timeout: Duration?) -> Readiness { .readable }
    func waitIdle(device: CInt, wakeUp: CInt, timeout: Duration?) -> Readiness { .failed }
    func status(of path: String) throws(Errno) -> FileStatus { try kernel.status(of: path) }
    func names(in folder: String) -> [String] { kernel.names(in: folder) }
    func target(ofLink path: String) -> String? { kernel.target(ofLink: path) }
    func text(of path: String) -> String? { kernel.text(of: path) }
}
