/// The policy's thresholds for thermometers, keyed by the thermometers' names.
struct NamedThresholds: Sendable {
    let thresholds: [String: LevelThresholds]
    /// True once the names without a thermometer have been reported.
    private var wasReported = false

    init(_ thresholds: [String: LevelThresholds] = [:]) { self.thresholds = thresholds }

    /// Adds the policy's thresholds for the sample's thermometer to the sample.
    func applied(to sample: RawSample) -> RawSample {
        guard !thresholds.isEmpty, case .success(.temperature(var temperature)) = sample.result,
            let own = Self.names(of: sample.source).compactMap({ thresholds[$0] }).first
        else { return sample }
        temperature.thresholds = own
        return RawSample(source: sample.source, result: .success(.temperature(temperature)))
    }

    /// The names in the policy that match no sensor; empty after the first call.
    mutating func unknown(among samples: [RawSample]) -> [SensorProblem] {
        guard !wasReported else { return [] }
        wasReported = true
        let known = Set(samples.flatMap { Self.names(of: $0.source) })
        let thermometers = samples.filter(\.isTemperature).map(\.source)
        return thresholds.keys.filter { !known.contains($0) }.sorted().map {
            SensorProblem(source: $0, kind: .unknown(thermometers))
        }
    }

    /// The names by which a policy may refer to `hwmon2 temp1 (coretemp Package id 0)`, the most specific first.
    ///
    /// These are the whole name, the part before the parenthesis, the text within the parenthesis, and the first word
    /// of that text, which is the chip's name.
    private static func names(of source: String) -> [String] {
        guard source.hasSuffix(")"), let opening = source.firstRange(of: " (") else { return [source] }
        let kind = source[opening.upperBound...].dropLast()
        return [source, String(source[..<opening.lowerBound]), String(kind)]
            + kind.split(separator: " ").prefix(1).map(String.init)
    }
}

extension RawSample {
    fileprivate var isTemperature: Bool { if case .success(.temperature) = result { true } else { false } }
}
