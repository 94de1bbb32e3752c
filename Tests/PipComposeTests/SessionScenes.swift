import PipCapture
import PipConcurrency
import PipTestSupport

@testable import PipCompose

let smallSize = PixelSize(64, 48)

extension TemporaryFolder {
    /// Writes a file of grey NV12 frames of 64×48 pixels, with one luma code for each frame.
    func grayFile(_ name: String, _ codes: [UInt8]) throws -> String {
        try write(
            codes.flatMap { [UInt8](repeating: $0, count: 64 * 48) + [UInt8](repeating: 128, count: 64 * 24) }, to: name
        )
        return path(name)
    }

    /// An endless source of one grey picture.
    func gray(_ code: UInt8) throws -> RawSource {
        RawSource(try grayFile("gray\(code).nv12", [code]), format: .nv12, size: smallSize, loops: true)
    }
}

extension SessionOptions {
    /// Options that draw frames as fast as possible.
    static var offline: SessionOptions {
        var options = SessionOptions()
        options.pace = .maximum
        return options
    }

    /// Options for real time, which limit the wait for first frames to `patience`.
    static func live(_ rate: Int = 60, patience: Duration = .seconds(10)) -> SessionOptions {
        var options = SessionOptions()
        options.clock = .rate(FrameRate(rate))
        options.patience = patience
        // Pressure is off, because a busy machine must not change the result.
        options.pressure.policy = .off
        return options
    }

    /// A copy of the options with another clock, such as one of virtual time.
    func by(_ clock: MonotonicClock) -> SessionOptions {
        var options = self
        options.time = clock
        return options
    }

    /// Options that pin a level of pressure from the start.
    static func pinned(_ level: PressureLevel, _ policy: PressurePolicy = .balanced) -> SessionOptions {
        var options = live(30)
        options.pressure.policy = policy
        options.pressure.pinned = level
        return options
    }
}

extension Frame {
    /// The byte at a column and a row of the first plane.
    func luma(_ x: Int, _ y: Int) -> UInt8 {
        withPlane(0) { span, plane in
            unsafe span.unsafeLoad(fromByteOffset: y * plane.strideInBytes + x, as: UInt8.self)
        }
    }
}

/// Waits until a condition holds, for two minutes at most.
func waitUntil(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicClock().now.advanced(by: .seconds(120))
    while MonotonicClock().now < end {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// The first of a tap's frames that meets a condition; nil if the frames end, or after 20,000 frames.
func firstFrame(_ iterator: inout FrameStream.AsyncIterator, where condition: (Frame) -> Bool) async -> Frame? {
    for _ in 0..<20000 {
        guard let frame = await iterator.next() else { return nil }
        if condition(frame) { return frame }
    }
    return nil
}

/// Starts a session's run; the task returns the run's error, if any.
func started(_ session: Session) -> Task<SessionError?, Never> {
    Task {
        do throws(SessionError) {
            try await session.run()
            return nil
        } catch {
            return error
        }
    }
}

/// Runs a session while `body` runs, and then stops the session.
func running<R>(
    _ session: Session, _ body: () async throws -> R
) async throws -> (result: R, error: SessionError?) {
    let run = started(session)
    do {
        let result = try await body()
        session.stop()
        return (result, await run.value)
    } catch {
        session.stop()
        _ = await run.value
        throw error
    }
}

/// All events of a session that has ended.
func events(of session: Session) async -> [SessionEvent] {
    var events: [SessionEvent] = []
    for await event in session.events { events.append(event) }
    return events
}
