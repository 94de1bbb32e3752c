internal import PipCompose
internal import PipInputs
internal import PipText
internal import Synchronization

/// A source of values while it is read.
final class TelemetryFeed: Sendable {
    /// The time without values after which a source counts as silent.
    static let patience = Duration.seconds(10)

    private struct State {
        var decoder: TelemetryDecoder
        /// The time of the last line that the source should have sent, or of the opening.
        var heard: Timestamp
        /// The number of other lines since then.
        var strayCount = 0
        var isOpen = true
        /// True while the source is told as missing or silent.
        var isTold = false
        var reader: InputReader?
    }

    let argument: TelemetryArgument
    private let telemetry: Telemetry
    private let devices: any InputDevices
    private let state: Mutex<State>
    private let tell: @Sendable (TelemetryReport) -> Void

    /// - Parameters:
    ///   - argument: The source.
    ///   - telemetry: Receives the values.
    ///   - devices: The machine's devices.
    ///   - tell: Takes a sentence when the source goes or comes back.
    init(
        _ argument: TelemetryArgument, _ telemetry: Telemetry, _ devices: any InputDevices,
        tell: @escaping @Sendable (TelemetryReport) -> Void
    ) {
        (self.argument, self.telemetry, self.devices, self.tell) = (argument, telemetry, devices, tell)
        state = Mutex(State(decoder: TelemetryDecoder(argument), heard: telemetry.clock.now))
    }

    /// Starts to read, after the end of stopped readers, which may have the same port.
    func start(after stopped: [InputReader]) {
        guard let request = argument.request else { return }
        let reader = InputReader(
            request, devices, clock: telemetry.clock, after: stopped
        ) { [weak self] event in self?.take(event) }
        state.withLock { $0.reader = reader }
    }

    /// Stops to read; returns the reader, whose thread ends soon.
    func stop() -> InputReader? {
        let reader = state.withLock { $0.reader }
        reader?.stop()
        return reader
    }

    private func take(_ event: InputEvent) {
        switch event {
        case .reading(let reading, let time): take(reading, at: time)
        case .missing(let problem):
            state.withLock { ($0.isOpen, $0.isTold) = (false, true) }
            tell(.missing("\(argument.text): \(problem); tried again every second"))
        case .back: state.withLock { ($0.isOpen, $0.heard) = (true, telemetry.clock.now) }
        }
    }

    private func take(_ reading: InputReading, at time: Timestamp) {
        let (values, isBack, wall) = state.withLock { state -> ([String: Telemetry.Value], Bool, WallTime?) in
            guard let values = state.decoder.values(of: reading) else {
                state.strayCount += 1
                return ([:], false, nil)
            }
            defer { state.isTold = false }
            (state.heard, state.strayCount) = (time, 0)
            return (values, state.isTold, state.decoder.time)
        }
        if let wall, WallTime.follow(receiver: wall) {
            tell(
                .clock(
                    "\(argument.text): the machine's clock is not set, and the time of the receiver is shown: "
                        + wall.text("%Y-%m-%d %H:%M:%S")))
        }
        if isBack { tell(.back("\(argument.text): values come again")) }
        if !values.isEmpty { telemetry.take(values, lasting: argument.validity, at: time) }
    }

    /// Tells once that the source is silent, or says nothing that makes sense.
    func check() {
        let strayCount = state.withLock { state -> Int? in
            let isToldOrGone = state.reader == nil || !state.isOpen || state.isTold
            guard !isToldOrGone, state.heard.duration(to: telemetry.clock.now) >= Self.patience else { return nil }
            state.isTold = true
            return state.strayCount
        }
        guard let strayCount else { return }
        let seconds = Self.patience.components.seconds
        tell(
            .missing(
                strayCount == 0
                    ? "\(argument.text): nothing has come for \(seconds) s"
                    : "\(argument.text): \(strayCount) lines have come in \(seconds) s, and none is \(argument.kind.line)"
            ))
    }
}

extension TelemetryArgument.Kind {
    /// A line that the source should send, with what to look at where it does not.
    fileprivate var line: String {
        switch self {
        case .gpsd: "a report of gpsd"
        case .nmea: "an NMEA sentence with its checksum: the rate may be wrong, as in baud=4800"
        case .json: "a JSON object"
        case .can, .track, .accelerometer, .api: "a value"
        }
    }
}
