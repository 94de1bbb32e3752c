import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import Testing

@Suite("Memory that the driver cannot import")
struct BufferSharingTests {
    /// Returns the frame in a buffer that claims to be a dma-buf.
    private func pretending(_ frame: Frame, _ file: FileHandle) -> Frame {
        let planes = unsafe frame.layout.planes.indices.map { unsafe frame.buffer.mutableBytes(ofPlane: $0) }
        let buffer = unsafe FrameBuffer(
            planes: planes, backing: frame.buffer, descriptors: planes.map { _ in file.fileDescriptor })
        return Frame(info: frame.info, buffer: buffer)
    }

    @Test(
        "memory that cannot be imported is copied, with the same picture, and reported once",
        arguments: [PixelFormat.nv12, .yuyv, .rgba])
    func refused(format: PixelFormat) async throws {
        let original = testPicture(format, PixelSize(64, 32), seed: 3)
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let source = TestSource(pretending(original, file))
        let picture = Compositor(canvas: PixelSize(64, 32)) { Layer(source --> Sepia()) }
        let gpu = try await SharedContext.get()
        var capabilities = gpu.capabilities.plan
        (capabilities.hasBufferImport, capabilities.renderer) = (true, .gpu)
        let request = SinkRequest(format: .rgba)
        let sharing = try planned(picture, [source], to: request, capabilities: capabilities, isShareable: true)
        #expect(sharing.uploads.filter { !$0.isShared }.isEmpty)
        let (frames, refusals, shared) = try await gpu.perform { gpu in
            let renderer = Renderer()
            renderer.use(try renderer.prepare(sharing, framesInFlight: 2, on: gpu))
            var frames: [Frame] = []
            var refusals: [GLError] = []
            var shared = 0
            for number in 0..<3 {
                let tick = try renderer.draw([source.frame], timestamp: .zero, sequence: UInt64(number), on: gpu)
                shared += tick.sharedPlanes
                if let refusal = renderer.takeSharingRefusal() { refusals.append(refusal) }
                try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in
                    if number == 2 { frames.append(frame) }
                }
            }
            return (frames, refusals, shared)
        }
        let plain = TestSource(original)
        let expected = try await rendered(
            Compositor(canvas: PixelSize(64, 32)) { Layer(plain --> Sepia()) }, [plain], to: .rgba, on: gpu)
        let frame = try #require(frames.first)
        #expect(largestDifference(frame, expected) == 0)
        #expect(refusals.count == 1 && shared == 0)
        #expect(refusals.first?.description.contains("cannot read") == true)
        withExtendedLifetime(file) {}
    }
}
