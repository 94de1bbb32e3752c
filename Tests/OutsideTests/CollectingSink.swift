import PipCompose
import Synchronization

/// A user-defined sink that records the number that each frame shows.
///
/// The sink can be made to fail.
final class CollectingSink: FrameSink {
    struct Refusal: Error, CustomStringConvertible { let description = "the model is not loaded" }

    /// The record of the received frames, which the test reads.
    final class Log: Sendable {
        struct Entries {
            var numbers: [Int] = []
            /// The number of samples that differ from those of the source.
            var wrongSamples = 0
            var size = PixelSize(0, 0)
            var rate = FrameRate(1)
            var finishes = 0
        }

        private let entries = Mutex(Entries())

        func read<R>(_ body: (Entries) -> R) -> R { entries.withLock { body($0) } }
        func note(_ body: (inout Entries) -> Void) { entries.withLock { body(&$0) } }
    }

    let format = PixelFormat.nv12
    private let log: Log
    private let failsAt: Int?
    private let onFrame: @Sendable () -> Void

    init(_ log: Log, failsAt: Int? = nil, onFrame: @escaping @Sendable () -> Void = {}) {
        self.log = log
        self.failsAt = failsAt
        self.onFrame = onFrame
    }

    func open(_ info: FrameInfo, rate: FrameRate) throws {
        log.note {
            $0.size = info.layout.size
            $0.rate = rate
        }
    }

    func write(_ frame: Frame) throws {
        if log.read({ $0.numbers.count }) == failsAt { throw Refusal() }
        let (number, wrong) = frame.withPlane(0) { bytes, plane in
            func luma(_ column: Int, _ row: Int) -> UInt8 {
                unsafe bytes.unsafeLoad(fromByteOffset: row * plane.strideInBytes + column, as: UInt8.self)
            }
            let size = plane.dimensions
            let number = NumberedFrames.number(width: size.width) { luma($0, size.height / 2) }
            var wrong = 0
            for row in 0..<size.height {
                for column in 0..<size.width where luma(column, row) != NumberedFrames.luma(column, of: number) {
                    wrong += 1
                }
            }
            return (number, wrong)
        }
        log.note {
            $0.numbers.append(number)
            $0.wrongSamples += wrong
        }
        onFrame()
    }

    func finish() throws { log.note { $0.finishes += 1 } }
}
