#if Media
import PipCompose
import PipConcurrency
import PipFrames
import Testing

@testable import PipMedia

/// Opens a connection to the portal.
///
/// Returns the reason for the portal's refusal; nil if the portal grants the connection.
private func refusal(_ portal: CameraPortal, _ interruption: Interruption = Interruption()) -> MediaError? {
    do throws(MediaError) {
        _ = try portal.open(interruption)
        return nil
    } catch { return error }
}

@Suite("The camera portal of desktops", .serialized)
struct CameraPortalTests {
    private let desktop: DesktopSession

    init() throws { desktop = try DesktopSession() }

    @Test("D06: the user is asked once, each connection is new, and each is closed once when it is released")
    func granted() throws {
        try desktop.startPortal(.granted)
        let portal = CameraPortal(address: desktop.address)
        #expect(portal.isUnanswered && portal.hasCamera == true)
        var first: PipeWireRemote? = try portal.open(Interruption())
        #expect(!portal.isUnanswered)
        var second: PipeWireRemote? = try portal.open(Interruption())
        #expect(first?.descriptor != second?.descriptor)
        #expect(desktop.calls == ["ready", "AccessCamera", "OpenPipeWireRemote", "OpenPipeWireRemote"])
        first = nil
        // The desktop reports the closing, so no copy of the descriptor is open.
        try wait("the end of the first") { desktop.calls.last == "closed 1" }
        second = nil
        try wait("the end of the second") { desktop.calls.last == "closed 2" }
    }

    @Test("D06: sources that start together ask the user once")
    func together() async throws {
        try desktop.startPortal(.granted)
        let portal = CameraPortal(address: desktop.address)
        let opened = await WorkerThread.run(
            name: "pip-test", clock: MonotonicClock(),
            Array(
                repeating: {
                    @Sendable in (try? portal.open(Interruption())) != nil
                }, count: 4))
        #expect(opened == [true, true, true, true])
        #expect(desktop.calls.filter { $0 == "AccessCamera" }.count == 1)
    }

    @Test(
        "D06: a refusal says what was refused and how to permit it, and the user is not asked again",
        arguments: [
            (DesktopSession.Answer.refused, "the use of cameras was refused by the user"),
            (.ended, "closed its dialog about the use of cameras, without an answer"),
        ])
    func refused(answer: DesktopSession.Answer, reason: String) throws {
        try desktop.startPortal(answer)
        let portal = CameraPortal(address: desktop.address)
        let error = try #require(refusal(portal))
        #expect(error.kind == .refused && error.reason.contains(reason), "\(error.reason)")
        #expect(error.reason.contains("permit cameras in the desktop's privacy settings; then start again"))
        #expect(refusal(portal) == error)
        #expect(desktop.calls == ["ready", "AccessCamera"])
    }

    @Test("D06: if the user never answers, an error says so, and the question disappears")
    func silent() throws {
        try desktop.startPortal(.never)
        let portal = CameraPortal(address: desktop.address, timeout: .seconds(1))
        let error = try #require(refusal(portal))
        #expect(error.kind == .refused && error.reason.contains("did not answer within 1 s"), "\(error.reason)")
        #expect(desktop.calls == ["ready", "AccessCamera", "Close"])
        #expect(refusal(portal) == error)
        #expect(desktop.calls.count == 3)
    }

    @Test("D06: a stop ends the wait for the user's answer, and the next start asks again")
    func stopped() async throws {
        try desktop.startPortal(.never)
        let portal = CameraPortal(address: desktop.address)
        for time in 1...2 {
            let interruption = Interruption()
            let waiting = Task.detached { refusal(portal, interruption) }
            try wait("the question") { desktop.calls.filter { $0 == "AccessCamera" }.count == time }
            #expect(portal.isUnanswered)
            interruption.raise()
            let error = await waiting.value
            #expect(error?.reason.contains("stopped before the user had answered") == true)
        }
        #expect(desktop.calls == ["ready", "AccessCamera", "Close", "AccessCamera", "Close"])
    }

    @Test("D06: without a portal an error says what to install, and a portal that appears is found")
    func absent() throws {
        let portal = CameraPortal(address: desktop.address)
        #expect(portal.hasCamera == nil)
        let error = try #require(refusal(portal))
        #expect(
            error.reason
                == "there is no camera portal on the session's bus: install xdg-desktop-portal, or use camera:0 outside of a sandbox"
        )
        // Without a portal, the user has not answered: a portal that starts later can still ask.
        #expect(error.kind == .network && portal.isUnanswered)
        try desktop.startPortal(.granted)
        #expect(refusal(portal) == nil)
    }

    @Test("D06: a camera is found by a part of its name, and the desktop's default camera without a name")
    func names() throws {
        let cameras = [
            PipeWireCamera(name: "Integrated Camera (V4L2)", nodeName: "v4l2_input.pci-1", serial: "40"),
            PipeWireCamera(name: "HD Pro Webcam C920 (V4L2)", nodeName: "v4l2_input.pci-2", serial: "41"),
        ]
        #expect(try PipeWireCamera.find(nil, among: cameras).serial == "40")
        #expect(try PipeWireCamera.find("c920", among: cameras).serial == "41")
        #expect(try PipeWireCamera.find("pci-1", among: cameras).serial == "40")
        #expect(
            throws: MediaError(
                kind: .failed,
                reason: "2 cameras have this text in their names; write more of one name: "
                    + "Integrated Camera (V4L2), HD Pro Webcam C920 (V4L2)")
        ) {
            try PipeWireCamera.find("v4l2", among: cameras)
        }
        #expect(throws: MediaError(kind: .network, reason: "the camera portal has only Integrated Camera (V4L2)")) {
            try PipeWireCamera.find("C920", among: Array(cameras.prefix(1)))
        }
        #expect(throws: MediaError(kind: .network, reason: "the camera portal shows no camera: plug one in")) {
            try PipeWireCamera.find(nil, among: [])
        }
    }

    @Test("D06: a camera's size is the nearest to the requested one, compressed where only that has the requested rate")
    func requestedFormats() {
        let target = PortalTarget(name: nil, size: .hd720, rate: FrameRate(30), bus: nil)
        let sizes = [PixelSize(640, 480), PixelSize(1280, 800), PixelSize(1920, 1080)]
        let camera = PipeWireCamera(name: "", nodeName: "", serial: "1", sizes: sizes)
        #expect(
            target.requestedFormats(of: camera).split(separator: ";") == [
                "video/x-raw,width=1280,height=800,framerate=30/1", "image/jpeg,width=1280,height=800,framerate=30/1",
                "video/x-raw,width=1280,height=800", "image/jpeg,width=1280,height=800", "video/x-raw", "image/jpeg",
            ])
        let unknown = PipeWireCamera(name: "", nodeName: "", serial: "1")
        #expect(target.requestedFormats(of: unknown).hasPrefix("video/x-raw,width=1280,height=720,framerate=30/1;"))
    }
}
#endif
