import SystemPackage
import Testing

@testable import PipCapture
@testable import PipCompose
@testable import PipRig
@testable import pip_compose

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let outputs: [(SinkError.Kind, Int32)] = [
        (SinkError.Kind.invalidOptions, 64), (.cannotCreate, 73), (.failed, 74), (.closedPipe, 74),
        (.interrupted, 74),
    ]

    private static let files: [(SourceError.Kind, Int32)] = [
        (SourceError.Kind.notFound, 66), (.notPermitted, 77), (.damaged, 65), (.failed, 65), (.invalidOptions, 64),
    ]

    private static let cameras: [(CaptureError.Kind, Int32)] = [
        (CaptureError.Kind.notFound, 66), (.notACamera, 66), (.disconnected, 66), (.ambiguous, 64),
        (.unsupported, 64),
        (.invalidSetting, 64), (.notPermitted, 77), (.busy, 69), (.noBandwidth, 69), (.failed, 69),
        (.hanging, 75),
    ]

    @Test(
        "trouble with cameras is told apart",
        arguments: Self.cameras)
    func camera(_ kind: CaptureError.Kind, _ status: Int32) {
        let error = CaptureError(kind, device: "/dev/video0", operation: "open the camera", reason: "so it is")
        #expect(CommandError(SessionError.camera(error)).status.rawValue == status)
        #expect(CommandError(error).description.hasPrefix("/dev/video0: cannot open the camera: so it is"))
    }

    @Test(
        "trouble with files is told apart",
        arguments: Self.files)
    func source(_ kind: SourceError.Kind, _ status: Int32) {
        #expect(CommandError(SessionError.source(SourceError("a", "read", kind, "why"))).status.rawValue == status)
    }

    @Test(
        "trouble with outputs is told apart",
        arguments: Self.outputs)
    func sink(_ kind: SinkError.Kind, _ status: Int32) {
        #expect(CommandError(SessionError.sink(SinkError("a", "write", kind, "why"))).status.rawValue == status)
    }

    @Test("a missing renderer is the machine's trouble, a bad shader is ours")
    func renderer() {
        let missing = GLError("open an EGL display", call: "eglInitialize", reason: .text("no driver"))
        let shader = GLError("compile", call: "glCompileShader", reason: .shader([]))
        #expect(CommandError(SessionError.gpu(missing)).status == .unavailable)
        #expect(CommandError(SessionError.gpu(shader)).status == .internalError)
        #expect(CommandError(SessionError.graph(.undrawable(effects: ["sepia"]))).status == .unavailable)
        let lost = GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost)
        #expect(CommandError(SessionError.gpu(lost)).status == .internalError)
    }

    @Test("what the user asked for wrongly is usage")
    func usage() {
        let graph = GraphError.tooLarge(node: "compositor", size: PixelSize(20000, 20000), limit: 16384)
        #expect(CommandError(SessionError.graph(graph)).status == .usage)
        #expect(CommandError(UsageError("x")).status == .usage)
        #expect(CommandError(SessionError.alreadyRan).status == .internalError)
    }
}
