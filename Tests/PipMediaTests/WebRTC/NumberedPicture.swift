#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipMedia
import PipPatterns
import Synchronization

/// A composed picture in real time, whose frames show their numbers.
///
/// The topmost quarter of a frame has a black or white bar for each of 16 bits. The quarter below has the same bars
/// inverted.
final class NumberedPicture: Sendable {
    let picture: Compositor
    private let source: AppSource
    private let layout: FrameLayout
    private let rate: Int
    private let moments = Mutex<[Timestamp]>([])

    init(_ size: PixelSize, rate: Int) {
        layout = FrameLayout(.i420, size)
        self.rate = rate
        let source = AppSource(
            "numbered", layout: layout, colorimetry: .assumed(for: .i420, size), frameRate: FrameRate(rate))
        self.source = source
        picture = Compositor(canvas: size) {
            Layer(source)
            Layer(PatternSource(.scene, size: PixelSize(160, 90), frameRate: FrameRate(rate)))
                .placed(.bottomRight, width: 0.25, margin: 8)
        }
    }

    /// The number of the latest frame pushed; -1 before the first frame.
    var latest: Int { moments.withLock { $0.count - 1 } }

    /// The time at which frame `number` entered the session; nil for a frame that was not pushed yet.
    func moment(of number: Int) -> Timestamp? {
        moments.withLock { $0.indices.contains(number) ? $0[number] : nil }
    }

    /// Runs a session with the picture while `body` runs.
    func run<R: Sendable>(_ body: @Sendable (Session) async throws -> R) async throws -> R {
        let session = try await Session(picture)
        let running = Task { try await session.run() }
        let pushing = Task { try await push() }
        defer { pushing.cancel() }
        do {
            let result = try await body(session)
            session.stop()
            try await running.value
            return result
        } catch {
            session.stop()
            try? await running.value
            throw error
        }
    }

    private func push() async throws {
        let clock = MonotonicClock()
        let start = clock.now
        var number = 0
        while !Task.isCancelled {
            let bytes = pixels(number)
            moments.withLock { $0.append(clock.now) }
            _ = try bytes.withBytes { try source.push(copying: $0, layout: layout) }
            number += 1
            try await clock.sleep(until: start.advanced(by: .seconds(1) * number / rate))
        }
    }

    /// The number that a frame shows; -1 for a frame that shows none.
    ///
    /// - Parameters:
    ///   - size: The frame's size.
    ///   - luma: Returns the luma of a pixel.
    /// - Returns: The number.
    static func number(_ size: PixelSize, _ luma: (_ x: Int, _ y: Int) -> UInt8) -> Int {
        func row(_ y: Int) -> Int {
            (0..<16).reduce(0) { $0 | (luma((2 * $1 + 1) * size.width / 32, y) > 127 ? 1 << $1 : 0) }
        }
        let (number, inverse) = (row(size.height / 8), row(size.height * 3 / 8))
        return number ^ inverse == 0xffff ? number : -1
    }

    private func pixels(_ number: Int) -> [UInt8] {
        let (width, height) = (layout.size.width, layout.size.height)
        var bytes = [UInt8](repeating: 128, count: layout.byteCount)
        for (rows, flip) in [(0..<height / 4, 0), (height / 4..<height / 2, 0xffff)] {
            let row = (0..<width).map { ((number ^ flip) >> ($0 * 16 / width)) & 1 == 1 ? UInt8(235) : 16 }
            for y in rows { bytes.replaceSubrange(y * width..<(y + 1) * width, with: row) }
        }
        return bytes
    }
}

/// Calls `body` every 50 ms until it returns a value.
///
/// - Returns: The value; nil after `limit`.
func eventually<R>(within limit: Duration = .seconds(60), _ body: () async throws -> R?) async throws -> R? {
    let clock = MonotonicClock()
    let deadline = clock.now.advanced(by: limit)
    while clock.now < deadline {
        if let result = try await body() { return result }
        try await clock.sleep(for: .milliseconds(50))
    }
    return nil
}
#endif
