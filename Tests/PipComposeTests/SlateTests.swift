import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCapture
@testable import PipCompose

@Suite("A slate")
struct SlateTests {
    private static let size = PixelSize(64, 48)

    /// A caption writer that renders each notice as one opaque pixel, and records the notices.
    private final class Writer: SlateCaption {
        let notices = Monitor<[SlateNotice]>([])
        let fails: Bool

        init(fails: Bool = false) { self.fails = fails }

        func picture(_ notice: SlateNotice, on size: PixelSize) throws(SourceError) -> Frame {
            notices.update { $0.append(notice) }
            if fails { throw SourceError("font X", "be used", .notFound, "it is not installed") }
            let layout = FrameLayout(.rgba, PixelSize(1, 1))
            let buffer = FrameBuffer(layout)
            unsafe buffer.mutableBytes(ofPlane: 0).storeBytes(of: UInt32.max, as: UInt32.self)
            return Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        }

        var troubles: [String] { notices.read { $0.map { "\($0.name) \($0.trouble) \($0.since)" } } }
    }

    private static func lost(_ kind: CaptureError.Kind) -> CaptureError {
        CaptureError(kind, device: "/dev/video2", operation: "stream", reason: "test")
    }

    @Test("a slate says why and since when a camera is missing, until the camera returns")
    func notices() {
        let writer = Writer()
        let board = SlateBoard(caption: writer) { _ in }
        let id = NodeID()
        board.note(.lost(Self.lost(.disconnected)), of: id, name: "front", now: 100)
        let picture = board.picture(for: id, size: Self.size)
        func shown() -> Frame? { picture.frame(at: .zero, waitingUntil: nil).frame }
        let first = shown()
        #expect(first?.luma(31, 35) == 190)
        board.note(.waiting(Self.lost(.notFound)), of: id, name: "front", now: 101)
        #expect(shown()?.info.sequence == first?.info.sequence)
        board.note(.waiting(Self.lost(.busy)), of: id, name: "front", now: 102)
        #expect(shown()?.info.sequence != first?.info.sequence)
        board.note(.badFrames(.corrupted), of: id, name: "front", now: 103)
        #expect(writer.troubles == ["front unplugged 100", "front in use by another program 100"])
        board.note(.reopened(path: "/dev/video3", after: .seconds(5)), of: id, name: "front", now: 105)
        #expect(shown()?.luma(31, 35) == Slate.frame(Self.size).luma(31, 35))
        board.note(.disabled, of: id, name: "front", now: 200)
        #expect(writer.troubles.last == "front switched off 200")
    }

    @Test("a slate has no text without a caption writer, and a failing writer is reported once")
    func silent() {
        let plain = Slate.frame(Self.size)
        let id = NodeID()
        let board = SlateBoard(caption: nil) { _ in Issue.record("nothing failed") }
        board.note(.disabled, of: id, name: "front", now: 1)
        let picture = board.picture(for: id, size: Self.size)
        #expect(picture.frame(at: .zero, waitingUntil: nil).frame?.luma(31, 35) == plain.luma(31, 35))
        let warnings = Monitor<[String]>([])
        let failing = SlateBoard(caption: Writer(fails: true)) { warning in warnings.update { $0.append(warning) } }
        _ = failing.picture(for: id, size: Self.size)
        failing.note(.disabled, of: id, name: "front", now: 1)
        failing.note(.stalled(after: .seconds(1)), of: id, name: "front", now: 2)
        #expect(
            warnings.read { $0 } == ["slates are drawn without text: font X: cannot be used: it is not installed"])
    }

    @Test("a slate cuts off text that does not fit")
    func largeWords() {
        let layout = FrameLayout(.rgba, PixelSize(200, 100))
        let buffer = FrameBuffer(layout)
        unsafe buffer.mutableBytes(ofPlane: 0).initializeMemory(as: UInt8.self, repeating: 255)
        let words = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        let frame = Slate.frame(Self.size, words: words)
        #expect(frame.luma(0, 47) == 190)
        #expect(frame.luma(63, 47) == 190)
    }
}
