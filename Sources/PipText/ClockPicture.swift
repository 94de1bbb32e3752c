internal import Glibc
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSources

/// A picture of the time of day.
///
/// A thread of its own draws the pictures after the first one, usually one second ahead.
final class ClockPicture: LivePicture, @unchecked Sendable {
    // `typesetter` belongs to the thread that opens the picture, then to the clock's thread. All other properties are
    // constant or locked.

    /// Returns the seconds since 1970.
    typealias Now = @Sendable () -> Int

    private struct State {
        /// The next second to draw; nil when no second is requested.
        var wanted: Int?
        /// The drawn seconds with their pictures, the newest last.
        ///
        /// A second shares the picture of the previous second if both have the same text.
        var made: [(second: Int, frame: Frame)] = []
        var text: String?
        var isStopped = false

        func frame(of second: Int) -> Frame? { made.last { $0.second == second }?.frame }
    }

    let label: String
    private let clock: ClockText
    private let style: TextStyle
    private let now: Now
    private let fail: @Sendable (SourceError) -> Void
    private let typesetter: Typesetter
    private let size: PixelSize
    private let state: Monitor<State>
    private let waiting: MonotonicClock
    private let thread = Monitor<WorkerThread?>(nil)
    /// The second that an offline output begins with, since 1970.
    private let first: Int

    /// Opens the font, computes the size of the clock's largest text, and draws the first second.
    ///
    /// - Throws: ``SourceError`` when the font is missing or unusable, a number of the style is out of range, or a text
    ///   of the format is too long or its picture too large.
    init(
        _ clock: ClockText, _ style: TextStyle, label: String, now: @escaping Now,
        reports: LivePictureSpecification.Reports
    ) throws(SourceError) {
        self.clock = clock
        self.style = style
        self.label = label
        self.now = now
        fail = reports.fail
        waiting = reports.clock
        state = Monitor(State(), clock: reports.clock)
        first = now()
        typesetter = try Typesetter(style, label: label, warn: reports.warn)
        guard clock.text(of: first) != nil else {
            throw SourceError(
                label, "be drawn", .invalidOptions,
                "its format gives a text of more than 255 bytes; shorten the format")
        }
        let widest = try Self.widestDigit(typesetter)
        var size = PixelSize(1, 1)
        for sample in clock.samples(digit: widest) {
            let needed = try typesetter.layout(sample).size
            size = PixelSize(max(size.width, needed.width), max(size.height, needed.height))
        }
        self.size = size
        try draw(first)
    }

    private static func widestDigit(_ typesetter: Typesetter) throws(SourceError) -> Character {
        var widest: (digit: Character, width: Int) = ("0", 0)
        for digit in "0123456789" as String {
            let width = try typesetter.layout(String(repeating: digit, count: 8)).size.width
            if width > widest.width { widest = (digit, width) }
        }
        return widest.digit
    }

    /// Draws the text of a second, or reuses the last picture if the text is the same.
    private func draw(_ second: Int) throws(SourceError) {
        let text = clock.text(of: second) ?? ""
        let (last, shown) = state.read { ($0.text, $0.made.last?.frame) }
        let frame: Frame
        if let shown, last == text {
            frame = shown
        } else {
            frame = try typesetter.picture(try typesetter.layout(text), size: size)
        }
        state.update { state in
            state.text = text
            state.made.append((second, frame))
            // Only the present picture and the next one are kept.
            if state.made.count > 2 { state.made.removeFirst() }
        }
    }

    private func run() {
        while let second = nextWanted() {
            do throws(SourceError) {
                try draw(second)
            } catch {
                state.update { $0.isStopped = true }
                return fail(error)
            }
        }
    }

    /// Waits for the next second to draw; nil after the stop.
    private func nextWanted() -> Int? {
        let next: Int?? = state.wait { state in
            if state.isStopped { return .some(nil) }
            guard let wanted = state.wanted else { return nil }
            state.wanted = nil
            return .some(wanted)
        }
        return next ?? nil
    }

    // MARK: LivePicture

    var description: SourceDescription {
        SourceDescription(
            name: label, layout: FrameLayout(.rgba, size), colorimetry: .srgb, rate: FrameRate(30), length: .endless,
            isStill: true)
    }

    func start() {
        thread.update { thread in
            guard thread == nil else { return }
            thread = WorkerThread(name: "pip-clock", clock: waiting) { [self] in run() }
        }
    }

    func stop() {
        state.update { $0.isStopped = true }
        thread.read { $0 }?.join()
    }

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        let second = deadline == nil ? now() : first + Int(offset.components.seconds)
        let made = state.read { ($0.frame(of: second), $0.frame(of: second + 1)) }
        if let frame = made.0 {
            if made.1 == nil { state.update { $0.wanted = second + 1 } }
            return LiveFrame(frame)
        }
        state.update { $0.wanted = second }
        guard let deadline else { return LiveFrame(state.read { $0.made.last?.frame }) }
        let answer = state.wait(until: deadline) { state in
            let frame = state.frame(of: second)
            return frame != nil || state.isStopped ? LiveFrame(frame) : nil
        }
        return answer ?? LiveFrame(nil, isPending: true)
    }

    /// The time of day as pictures show it, in seconds since 1970.
    static func timeOfDay() -> Int { Int(WallTime.shown.sinceEpoch.components.seconds) }
}
