internal import PipCompose
internal import PipSinks
internal import PipText

/// The tracks of a running composition.
struct TelemetryTracks {
    private let tell: @Sendable (TelemetryReport) -> Void
    private var files: [TrackFile] = []
    /// The tracks that were told as broken, with the reason.
    private var broken: [TrackArgument: String] = [:]

    init(tell: @escaping @Sendable (TelemetryReport) -> Void) { self.tell = tell }

    /// Adds the values that have come since the last call to all tracks.
    ///
    /// A track that cannot be created or written is tried again at each call, and told once for each reason. Its file
    /// is created with its first value, so that a drive without a receiver leaves none.
    mutating func write(_ telemetry: Telemetry, to wanted: [TrackArgument]) {
        files.removeAll { !wanted.contains($0.argument) }
        let readings = telemetry.readings
        guard !readings.all.isEmpty else { return }
        for argument in wanted {
            do throws(SinkError) {
                try file(argument).add(readings, telemetry.clock)
                if broken.removeValue(forKey: argument) != nil { tell(.back("\(argument.text): written again")) }
            } catch {
                guard broken.updateValue(error.description, forKey: argument) != error.description else { continue }
                tell(.missing("\(error.description); tried again every second"))
            }
        }
    }

    private mutating func file(_ argument: TrackArgument) throws(SinkError) -> TrackFile {
        if let known = files.first(where: { $0.argument == argument }) { return known }
        let file = try TrackFile(argument)
        files.append(file)
        return file
    }
}
