import CV4L2
import PipCapture
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("A camera's zoom", .serialized, .timeLimit(.minutes(5)))
struct ZoomTests {
    private static let path = CameraRig.path
    private let kernel = FakeKernel()
    private let camera: CameraSource

    init() { camera = CameraSource(.path(Self.path)) }

    /// Plugs in a camera whose hardware zooms up to a factor of `zoom`; 1 for a camera without a zoom.
    private func plugIn(zoom: Int) {
        var fake = FakeCamera(formats: [FakeCamera.Format("NV12", 64, 48)])
        if zoom > 1 {
            fake.controls = [
                .init(
                    UInt32(V4L2_CID_ZOOM_ABSOLUTE), "Zoom, Absolute", V4L2_CTRL_TYPE_INTEGER, 100...100 * zoom,
                    value: 100)
            ]
        }
        kernel.add(Self.path, fake)
    }

    /// An NV12 frame whose luma rises by three per column, and by one per two rows.
    private static let ramp: [UInt8] = {
        let luma = (0..<64 * 48).map { (index: Int) -> UInt8 in
            let (column, row) = (index % 64, index / 64)
            return UInt8(30 + 3 * column + row / 2)
        }
        return luma + [UInt8](repeating: 128, count: 64 * 24)
    }()

    private func advance() { kernel.advance(by: .milliseconds(20)) }

    /// Waits for a frame that shows the camera's column `left` at its left edge and `right` at its right edge.
    private func shows(
        _ left: Int, _ right: Int, _ frames: inout FrameStream.AsyncIterator
    ) async -> RecordedFrame? {
        var found: RecordedFrame?
        _ = await firstFrame(&frames) { frame in
            advance()
            kernel.produce(Self.path, FakeFrame(.data(Self.ramp)))
            let isShown = [(0, left), (63, right)].allSatisfy { column, source in
                abs(Int(frame.luma(column, 24)) - (30 + 3 * source + 12)) <= 3
            }
            if isShown { found = RecordedFrame(frame) }
            return isShown
        }
        return found
    }

    @Test("C11: a zoom beyond the camera's is a crop of its pictures, whose size stays")
    func tiers() async throws {
        plugIn(zoom: 2)
        let picture = Compositor { Layer(camera) }
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .live(), cameras: CameraDirectory(calls: kernel))
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            func own() -> Int? { kernel.controlValue(UInt32(V4L2_CID_ZOOM_ABSOLUTE), of: Self.path) }
            #expect(await shows(0, 63, &frames) != nil)
            // The camera itself can zoom by 2, so the picture is shown uncropped.
            try await session.configure { camera.wish.adjustments.zoom = 2 }
            #expect(own() == 200)
            #expect(await shows(0, 63, &frames) != nil)
            // A zoom of 4 is the camera's zoom of 2 and a crop to the middle half.
            try await session.configure { camera.wish.adjustments.zoom = 4 }
            #expect(own() == 200)
            let frame = await shows(16, 47, &frames)
            #expect(frame?.size == PixelSize(64, 48))
            // The corner of the picture maps to the corner of the sensor's middle half. A point of the camera's whole
            // picture maps to a point of the enlarged picture.
            let hit = try #require(session.layer(atX: 0, y: 0, of: picture))
            #expect(abs(hit.x - 0.25) < 1e-6 && abs(hit.y - 0.25) < 1e-6, "\(hit)")
            let point = session.points(ofX: 0.5, y: 0.7, in: camera, on: picture).first
            #expect(
                abs((point?.x ?? 0) - 32) < 1e-6 && abs((point?.y ?? 0) - 43.2) < 1e-6, "\(String(describing: point))")
            // The crop stays as it is while the camera is away.
            kernel.unplug(Self.path)
            #expect(await waitUntil { session.statistics.sources.contains { $0.state == .lost } })
            for _ in 0..<10 {
                advance()
                let held = try #require(await frames.next())
                #expect(abs(Int(held.luma(0, 24)) - 90) <= 3, "\(held.luma(0, 24))")
            }
            plugIn(zoom: 2)
            #expect(await shows(16, 47, &frames) != nil)
            try await session.configure { camera.wish.adjustments.zoom = 1 }
            #expect(own() == 100)
            #expect(await shows(0, 63, &frames) != nil)
            // An excessive zoom is refused, and everything stays as it was.
            await #expect(throws: SessionError.self) {
                try await session.configure { camera.wish.adjustments.zoom = 1000 }
            }
            #expect(own() == 100)
        }
    }

    @Test("a digital zoom keeps the size of pictures, with any nodes between the camera and the output")
    func sizes() async throws {
        plugIn(zoom: 1)
        camera.wish.adjustments.zoom = 2
        let picture = Compositor(canvas: PixelSize(80, 60)) { Layer(camera) }
        let square = camera --> Crop(x: 0.25, y: 0, width: 0.75, height: 1)
        let turned = Compositor { Layer(camera).oriented(Orientation(quarterTurns: 1)) }
        let taps = [FrameTap(.nv12), FrameTap(.nv12), FrameTap(.nv12)]
        picture --> taps[0]
        square --> taps[1]
        turned --> taps[2]
        let session = try await Session(picture, options: .live(), cameras: CameraDirectory(calls: kernel))
        _ = try await running(session) {
            for (tap, size) in zip(taps, [PixelSize(80, 60), PixelSize(48, 48), PixelSize(48, 64)]) {
                var frames = tap.frames.makeAsyncIterator()
                var found: PixelSize?
                _ = await firstFrame(&frames) { frame in
                    advance()
                    kernel.produce(Self.path, FakeFrame(.data(Self.ramp)))
                    found = frame.size
                    return true
                }
                #expect(found == size)
            }
        }
    }

    @Test("a camera without a zoom is cropped from its first frame on, also without a compositor")
    func opening() async throws {
        plugIn(zoom: 1)
        camera.wish.adjustments.zoom = 2
        let tap = FrameTap(.nv12)
        camera --> tap
        let session = try await Session(camera, options: .live(), cameras: CameraDirectory(calls: kernel))
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            #expect(await shows(16, 47, &frames)?.size == PixelSize(64, 48))
            // An adjustment outside of a transaction can only use the camera's own zoom.
            await #expect(throws: SessionError.self) { try await session.adjust(camera) { $0.zoom = 2 } }
        }
    }
}
