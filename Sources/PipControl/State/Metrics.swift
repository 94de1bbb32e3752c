#if Control
internal import PipCompose
internal import PipFrames
internal import PipRig
internal import PipText

/// The metrics of a composition in the text format of Prometheus.
///
/// Source: Prometheus, "Exposition formats", and "Metric and label naming".
struct Metrics {
    private var lines: [String] = []
    private let live: LiveRig
    private let statistics: SessionStatistics
    private let facts: PanelFacts

    init(_ live: LiveRig, _ facts: PanelFacts, viewers: Int) {
        self.live = live
        self.facts = facts
        statistics = live.session.statistics
        addOutput(viewers)
        addSources()
        addSinks()
        addPressure()
        addTelemetry()
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private mutating func add(
        _ name: String, _ kind: String, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]
    ) {
        guard !samples.isEmpty else { return }
        lines.append("# HELP pip_compose_\(name) \(help)")
        lines.append("# TYPE pip_compose_\(name) \(kind)")
        for sample in samples {
            let labels = sample.labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
            let value =
                sample.value == sample.value.rounded() && abs(sample.value) < 1e15
                ? "\(Int(sample.value))" : "\(sample.value)"
            lines.append("pip_compose_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)")
        }
    }

    private mutating func add(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        let name = "pip_compose_\(name)"
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) histogram")
        var count = 0
        for (index, part) in histogram.counts.enumerated() {
            count += part
            let bound = LatencyHistogram.bounds.indices.contains(index) ? LatencyHistogram.bounds[index] : nil
            lines.append("\(name)_bucket{le=\"\(bound.map { "\($0.inSeconds)" } ?? "+Inf")\"} \(count)")
        }
        lines.append("\(name)_sum \(histogram.sum.inSeconds)")
        lines.append("\(name)_count \(count)")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private mutating func addOutput(_ viewers: Int) {
        let output = statistics.output
        add("build_info", "gauge", "The program's version.", [([("version", facts.program)], 1)])
        add("output_frames_total", "counter", "Composed frames.", [([], Double(output.frames))])
        add(
            "output_frames_missed_total", "counter", "Frames that were due and not made.", [([], Double(output.missed))]
        )
        add(
            "output_frames_thinned_total", "counter", "Frames that were left out under pressure.",
            [([], Double(output.thinned))])
        if statistics.latency != nil {
            add("latency_seconds", "From a camera's timestamp to the outputs.", statistics.latencies)
        }
        add("preview_viewers", "gauge", "Viewers of the panel.", [([], Double(viewers))])
    }

    private mutating func addTelemetry() {
        let telemetry = live.telemetry
        let samples = telemetry.names.compactMap { name -> (labels: [(String, String)], value: Double)? in
            guard case .number(let number)? = telemetry.value(of: name) else { return nil }
            return ([("name", name)], number)
        }
        add("telemetry", "gauge", "Present numbers of sources of values.", samples)
    }

    private mutating func addSources() {
        let snapshot = live.snapshot
        var sources: [(name: String, source: SessionStatistics.Source)] = []
        for picture in snapshot.rig.pictures {
            guard let id = snapshot.sources[picture.name]?.node.id,
                let source = statistics.sources.first(where: { $0.id == id })
            else { continue }
            sources.append((picture.name, source))
        }
        add(
            "frames_total", "counter", "Frames that a source delivered.",
            sources.map { ([("source", $0.name)], Double($0.source.delivered)) })
        add(
            "frames_dropped_total", "counter", "Frames of a source that were not drawn.",
            sources.flatMap { name, source in
                DropReason.allCases.map { ([("source", name), ("reason", $0.rawValue)], Double(source.drops[$0])) }
            })
        add(
            "source_up", "gauge", "1 while a source delivers.",
            sources.map { ([("source", $0.name)], $0.source.state == nil || $0.source.state == .streaming ? 1 : 0) })
    }

    private mutating func addSinks() {
        let snapshot = live.snapshot
        let sinks = snapshot.rig.outputs.compactMap { output in
            snapshot.outputs[output.id].map { (id: output.id, name: output.sink.text, counts: $0.statistics) }
        }
        func labels(_ sink: (id: String, name: String, counts: OutputStatistics)) -> [(String, String)] {
            [("output", sink.id), ("to", sink.name)]
        }
        add(
            "sink_frames_written_total", "counter", "Frames that an output has written.",
            sinks.map { (labels($0), Double($0.counts.written)) })
        add(
            "sink_frames_dropped_total", "counter", "Frames that an output has not written.",
            sinks.flatMap { sink in
                DropReason.allCases.filter { sink.counts.drops[$0] > 0 }.map {
                    (labels(sink) + [("reason", $0.rawValue)], Double(sink.counts.drops[$0]))
                }
            })
        add(
            "sink_connections_total", "counter", "Connections that an output has made.",
            sinks.filter { $0.counts.connections > 0 }.map { (labels($0), Double($0.counts.connections)) })
        add(
            "sink_bytes", "gauge", "The size of an output's file.",
            sinks.compactMap { sink in facts.sizes[sink.id].map { (labels(sink), Double($0.bytes)) } })
        add(
            "sink_failed", "gauge", "1 for an output that has failed.",
            sinks.map { (labels($0), $0.counts.error == nil ? 0 : 1) })
    }

    private mutating func addPressure() {
        let state = statistics.pressure.state
        add(
            "pressure_level", "gauge", "0 nominal, 1 fair, 2 serious, 3 critical, 4 shutdown.",
            [([], Double(state.level.rawValue))])
        add(
            "temperature_celsius", "gauge", "The temperatures that thermometers measure.",
            state.readings.compactMap { reading in
                reading.celsius.map { ([("sensor", reading.source)], $0) }
            })
    }
}
#endif
