#if Media
import PipCompose
import PipFrames
import Testing

@testable import PipMedia

@Suite("Cameras of the portal and PipeWire", .serialized)
struct PortalCameraTests {
    private let desktop: DesktopSession

    init() throws { desktop = try DesktopSession() }

    private func source(_ name: String? = nil) -> PortalCameraSource {
        PortalCameraSource(name, size: PixelSize(320, 240), frameRate: FrameRate(30), bus: desktop.address)
    }

    /// The colour in the middle of a frame: red, green and blue.
    private func colour(_ frame: Frame) -> [UInt8] {
        frame.withPlane(0) { bytes, layout in
            (0..<3).map { channel in
                unsafe bytes.unsafeLoad(
                    fromByteOffset: 120 * layout.strideInBytes + 160 * 4 + channel, as: UInt8.self)
            }
        }
    }

    private func isRed(_ frame: Frame) -> Bool {
        let colour = colour(frame)
        return colour[0] > 180 && colour[1] < 60 && colour[2] < 60
    }

    @Test("D06: a camera that the user permits is shown, and selected by a part of its name if there are two")
    func shown() async throws {
        try desktop.startPipeWire()
        _ = try desktop.plugIn("Blue", pattern: "blue")
        _ = try desktop.plugIn("Red", pattern: "red")
        try desktop.startPortal(.granted, hasPipeWire: true)
        let camera = source("red")
        let tap = FrameTap(.rgba)
        camera --> tap
        let session = try await Session(camera)
        async let running: Void = session.run()
        var frames: [Frame] = []
        for await frame in tap.frames {
            frames.append(frame)
            if frames.count == 5 { break }
        }
        session.stop()
        try await running
        #expect(frames.count == 5 && frames.allSatisfy(isRed), "\(frames.map(colour))")
        #expect(frames.last?.layout.size == PixelSize(320, 240))
        #expect(session.statistics.sources.first?.name == "camera:portal:red")
    }

    @Test("D06: an unplugged camera is reported as lost, and shown again on its return without another question")
    func unplugged() async throws {
        try desktop.startPipeWire()
        let plugged = try desktop.plugIn("Red", pattern: "red")
        try desktop.startPortal(.granted, hasPipeWire: true)
        let camera = source()
        let tap = FrameTap(.rgba)
        camera --> tap
        let session = try await Session(camera)
        async let running: Void = session.run()
        var state: CameraState? { session.statistics.sources.first?.state }
        try await until("the first frames") { state == .streaming }
        desktop.unplug(plugged)
        try await until("the loss") { state == .lost }
        _ = try desktop.plugIn("Red", pattern: "red")
        try await until("the return") { state == .streaming }
        var isShown = false
        for await frame in tap.frames where isRed(frame) {
            isShown = true
            break
        }
        #expect(isShown)
        session.stop()
        try await running
        #expect(desktop.calls.filter { $0 == "AccessCamera" }.count == 1)
        #expect(desktop.calls.filter { $0 == "OpenPipeWireRemote" }.count >= 4)
    }

    @Test("D06: a refusal keeps a session from starting, also if the session waits for cameras")
    func refused() async throws {
        try desktop.startPortal(.refused)
        let camera = source()
        camera --> FrameTap(.rgba)
        let error = await #expect(throws: SessionError.self) { try await Session(camera) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("camera:portal: cannot open: the use of cameras was refused by the user"), "\(text)")
        #expect(desktop.calls == ["ready", "AccessCamera"])
        var options = SessionOptions()
        options.startsWithoutCameras = true
        let second = source()
        second --> FrameTap(.rgba)
        await #expect(throws: SessionError.self) { try await Session(second, options: options) }
    }

    @Test("D06: a session that waits for its cameras starts before the user answers, and a stop ends the question")
    func unanswered() async throws {
        try desktop.startPortal(.never)
        let camera = source()
        camera --> FrameTap(.rgba)
        var options = SessionOptions()
        options.startsWithoutCameras = true
        let session = try await Session(camera, options: options)
        async let running: Void = session.run()
        try await until("the question") { desktop.calls.last == "AccessCamera" }
        session.stop()
        try await running
        try await until("its end") { desktop.calls == ["ready", "AccessCamera", "Close"] }
    }

    @Test("D06: cancelling a session that waits for the user ends the question")
    func cancelled() async throws {
        try desktop.startPortal(.never)
        let camera = source()
        camera --> FrameTap(.rgba)
        let opening = Task { try await Session(camera) }
        try await until("the question") { desktop.calls.last == "AccessCamera" }
        opening.cancel()
        let error = await #expect(throws: SessionError.self) { try await opening.value }
        #expect(
            error?.description.contains("stopped before the user had answered") == true, "\(error?.description ?? "")")
        #expect(desktop.calls == ["ready", "AccessCamera", "Close"])
    }

    /// Waits until a condition holds, for at most a minute.
    private func until(_ what: String, _ condition: () -> Bool) async throws {
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while !condition() {
            guard MonotonicClock().now < end else { throw NothingCame(description: "\(what) did not come in time") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
#endif
