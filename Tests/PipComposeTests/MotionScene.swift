import PipConcurrency
import PipTestSupport

@testable import PipCompose

/// The luma plane of a frame, as a sink received it.
struct RecordedFrame: Sendable {
    let timestamp: Timestamp
    let sequence: UInt64
    let size: PixelSize
    let codes: [UInt8]

    init(_ frame: Frame) {
        (timestamp, sequence, size) = (frame.info.timestamp, frame.info.sequence, frame.layout.size)
        codes = (0..<smallSize.height).flatMap { y in (0..<smallSize.width).map { frame.luma($0, y) } }
    }

    func luma(_ x: Int, _ y: Int) -> UInt8 { codes[y * size.width + x] }

    /// The smallest rectangle that contains all pixels with codes in `range`; nil if no pixel has one.
    func bounds(of range: ClosedRange<UInt8>) -> PixelRect? {
        var bounds: PixelRect?
        for y in 0..<size.height {
            for x in 0..<size.width where range.contains(luma(x, y)) {
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                bounds = bounds?.union(pixel) ?? pixel
            }
        }
        return bounds
    }
}

private final class RecordingSink: FrameSink {
    let format = PixelFormat.nv12
    private let frames: Monitor<[RecordedFrame]>

    init(_ frames: Monitor<[RecordedFrame]>) { self.frames = frames }

    func open(_ info: FrameInfo, rate: FrameRate) throws {}
    func write(_ frame: Frame) throws {
        let recorded = RecordedFrame(frame)
        frames.update { $0.append(recorded) }
    }
    func finish() throws {}
}

/// A session in virtual time with a grey inset over a grey picture.
///
/// The inset has 16×12 pixels of code 200 at the upper left corner, and the picture has 64×48 pixels of code 50.
struct MotionScene: Sendable {
    static let inset = PixelRect(x: 0, y: 0, width: 16, height: 12)

    let clock: MonotonicClock
    let folder: TemporaryFolder
    let picture = Compositor(canvas: smallSize)
    /// The source of the inset.
    let light: RawSource
    let main: LayerHandle
    let inset: LayerHandle
    let session: Session
    let rate: Int
    private let recorded = Monitor<[RecordedFrame]>([])

    private init(_ clock: MonotonicClock, _ renderer: RendererChoice, rate: Int, outputRate: Int?) async throws {
        self.clock = clock
        self.rate = rate
        folder = try TemporaryFolder()
        main = picture.add(Layer(try folder.gray(50)))
        light = try folder.gray(200)
        inset = picture.add(
            Layer(light).placed(x: 0, y: 0, width: Self.inset.width, height: Self.inset.height))
        let sink = CustomSink("recorder") { [recorded] in RecordingSink(recorded) }
        if let outputRate { picture --> sink.limited(to: FrameRate(outputRate)) } else { picture --> sink }
        var options = SessionOptions.live(rate).by(clock)
        options.renderer = renderer
        session = try await Session(picture, options: options)
    }

    /// Runs the session while `body` runs, and for half a second more.
    ///
    /// - Returns: All frames, the result of `body`, and the number of missed frames.
    static func run<R: Sendable>(
        _ renderer: RendererChoice = .cpu, rate: Int = 25, outputRate: Int? = nil,
        _ body: @Sendable (MotionScene) async throws -> R
    ) async throws -> (frames: [RecordedFrame], result: R, missed: Int) {
        try await VirtualTime.run { clock, _ in
            let scene = try await MotionScene(clock, renderer, rate: rate, outputRate: outputRate)
            async let run: Void = scene.session.run()
            // Starts `body` between two output frames.
            try await clock.sleep(for: .milliseconds(213))
            let result = try await body(scene)
            try await scene.frames(rate / 2)
            scene.session.stop()
            try await run
            return (scene.recorded.read { $0 }, result, scene.session.statistics.output.missed)
        }
    }

    /// Waits while the session draws `count` frames.
    func frames(_ count: Int) async throws { try await clock.sleep(for: FrameRate(rate).offset(ofFrame: count)) }
}

extension [RecordedFrame] {
    func after(_ time: Timestamp) -> [RecordedFrame] { filter { $0.timestamp > time } }
}

/// The rectangle at a linear progress from 0 to 1 between two others, with each edge rounded to a pixel.
func between(_ from: PixelRect, _ to: PixelRect, _ share: Double) -> PixelRect {
    func edge(_ from: Int, _ to: Int) -> Int { Int((Double(from) + share * Double(to - from)).rounded()) }
    let (left, top) = (edge(from.x, to.x), edge(from.y, to.y))
    return PixelRect(
        x: left, y: top, width: edge(from.x + from.width, to.x + to.width) - left,
        height: edge(from.y + from.height, to.y + to.height) - top)
}
