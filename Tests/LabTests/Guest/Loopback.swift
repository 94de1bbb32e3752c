import PipCompose
import PipPatterns

/// The v4l2loopback driver with one device, and sessions that write to the device.
enum Loopback {
    static let path = "/dev/video10"
    static let size = PixelSize(320, 180)

    /// The colours of the test pattern's bars, from left to right.
    static let bars = [
        Colour(red: 1, green: 1, blue: 1), Colour(red: 0.75, green: 0.75, blue: 0),
        Colour(red: 0, green: 0.75, blue: 0.75), Colour(red: 0, green: 0.75, blue: 0),
        Colour(red: 0.75, green: 0, blue: 0.75), Colour(red: 0.75, green: 0, blue: 0),
        Colour(red: 0, green: 0, blue: 0.75), .black,
    ]

    static func with<R>(
        hasExclusiveCaps: Bool = true, _ body: () async throws -> R
    ) async throws -> R {
        let options = ["video_nr=10", "exclusive_caps=\(hasExclusiveCaps ? 1 : 0)", "card_label=desk"]
        return try await withModule("v4l2loopback", options, body)
    }

    /// Runs a session that shows test bars in a sink while `body` runs; `body` starts after some frames.
    static func showing(
        _ sink: some Sink, size: PixelSize = size, _ body: (Session) async throws -> Void
    ) async throws -> SessionStatistics {
        let bars = PatternSource(.bars, size: size)
        let output = bars --> sink
        let session = try await Session(bars, options: .ungoverned)
        async let running: Void = session.run()
        while output.statistics.written < 5 {
            if case .failed(let error) = output.state { throw error }
            try await Task.sleep(for: .milliseconds(10))
        }
        do {
            try await body(session)
        } catch {
            session.stop()
            try await running
            throw error
        }
        session.stop()
        try await running
        return session.statistics
    }

    static func refusal(of sink: some Sink, size: PixelSize = size) async -> String {
        let bars = PatternSource(.bars, size: size)
        bars --> sink
        do {
            let session = try await Session(bars, options: .ungoverned)
            try await session.run(frames: 3)
            return "it was written"
        } catch {
            return "\(error)"
        }
    }

    static func ffmpegWords(_ options: String) -> [String] {
        "ffmpeg -hide_banner -loglevel error -nostdin -y \(options)".split(separator: " ").map(String.init)
    }

    static func ffmpeg(_ options: String) throws { try runProgram(ffmpegWords(options)) }
}
