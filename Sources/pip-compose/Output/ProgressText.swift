import PipCompose
import PipRig

extension RunReport {
    /// The progress line; empty before the session is opened.
    var progress: String {
        guard let statistics else { return "" }
        if let making { return progress(of: making, statistics) }
        let output = statistics.output
        var parts = [
            "\(fixedNumber(statistics.elapsed.seconds, decimals: 1)) s  \(counted(output.frames, "frame"))",
            "output \(fixedNumber(output.framesPerSecond, decimals: 1)) fps",
        ]
        for (index, source) in statistics.sources.enumerated() { parts.append(progress(of: source, role(index))) }
        if let sound { parts.append(sound.progress) }
        parts.append("\(Self.dropped(statistics)) dropped")
        let level = statistics.pressure.state.level
        if level > .nominal { parts.append("pressure \(level)") }
        return parts.joined(separator: " | ")
    }

    /// The progress line of a run faster than real time: frames, speed and remaining time.
    private func progress(
        of making: (rate: FrameRate, length: Duration?), _ statistics: SessionStatistics
    ) -> String {
        let (frames, elapsed) = (statistics.output.frames, statistics.elapsed.seconds)
        let made = making.rate.offset(ofFrame: frames).seconds
        let speed = elapsed > 0 ? made / elapsed : 0
        let length = making.length.map { " of \(fixedNumber($0.seconds, decimals: 1))" } ?? ""
        var parts = [
            "\(fixedNumber(made, decimals: 1))\(length) s  \(counted(frames, "frame"))",
            "\(fixedNumber(speed, decimals: speed < 10 ? 1 : 0))×",
        ]
        if let length = making.length, speed > 0 {
            parts.append("\(Int((max(0, length.seconds - made) / speed).rounded(.up))) s left")
        }
        return parts.joined(separator: " | ")
    }

    private func progress(of source: SessionStatistics.Source, _ role: String) -> String {
        switch source.state {
        case .streaming, nil: "\(role) \(fixedNumber(source.framesPerSecond, decimals: 1)) fps"
        case .some(let state): "\(role) \(state.rawValue)"
        }
    }

    /// The number of lost frames: dropped by sources and sinks, or missed by the output.
    ///
    /// Frames that sources decimated do not count.
    private static func dropped(_ statistics: SessionStatistics) -> Int {
        var count = statistics.output.missed
        for source in statistics.sources { count += source.drops.total - source.drops[.decimated] }
        for sink in statistics.sinks { count += sink.drops.total }
        return count
    }
}
