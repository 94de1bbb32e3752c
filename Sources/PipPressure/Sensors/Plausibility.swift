internal import PipFrames
internal import SystemPackage

/// Rejects impossible readings.
///
/// Sets sensors aside that fail, jump, are stuck or have gone. A sensor is reported once, and again only after a
/// plausible reading.
struct Plausibility: Sendable {
    static let possible = -20.0...125.0
    static let fastestPerSecond = 20.0
    /// The time for which readings must fail before the sensor is reported.
    ///
    /// A sensor that no longer exists is reported at once.
    static let stale = Duration.seconds(10)
    /// The time after which an unchanged hot sensor counts as stuck, if another sensor's value has changed by at least
    /// `swing` degrees meanwhile.
    static let longestStandstill = Duration.seconds(300)
    static let swing = 10.0

    private struct Memory {
        /// The last plausible reading; the temperature is nil for other kinds of sensors.
        var good: (time: Timestamp, celsius: Double?)?
        var failingSince: Timestamp?
        /// True when the sensor's problem needs no further report.
        var wasReported = false
        /// The time since which the reading has not changed.
        var unchangedSince: Timestamp
        /// The temperature from which the next large change is measured.
        var anchor: Double?
        var lastSwing: Timestamp?
    }
    private var memories: [String: Memory] = [:]

    /// Splits readings into plausible samples and problems to report.
    mutating func judge(_ raw: [RawSample], now: Timestamp) -> (samples: [SensorSample], problems: [SensorProblem]) {
        var samples: [SensorSample] = []
        var problems: [SensorProblem] = []
        var present: Set<String> = []
        for sample in raw {
            present.insert(sample.source)
            switch accept(sample, now: now) {
            case .success(let value): samples.append(SensorSample(source: sample.source, value: value))
            case .failure(let problem): if let kind = problem.kind { problems.append(.init(sample.source, kind)) }
            }
        }
        for (source, memory) in memories where !present.contains(source) {
            if memory.good != nil, !memory.wasReported { problems.append(.init(source, .vanished)) }
            memories[source]?.wasReported = true
            memories[source]?.failingSince = memory.failingSince ?? now
        }
        // Sensors that have been gone for long are forgotten. A sensor that returns under the same name counts as new.
        memories = memories.filter { source, memory in
            present.contains(source) || (memory.failingSince ?? now).duration(to: now) < .seconds(60)
        }
        return (samples, problems)
    }

    /// The fault of a single reading, regardless of earlier ones; nil for a plausible reading, and for a sleeping
    /// device.
    static func problem(of sample: RawSample) -> SensorProblem? {
        switch sample.result {
        case .failure(.asleep): nil
        case .failure(let failure): SensorProblem(sample.source, failure.kind)
        case .success(.temperature(let temperature)) where !possible.contains(temperature.celsius):
            SensorProblem(sample.source, .implausible(degrees(temperature.celsius)))
        case .success: nil
        }
    }

    private struct Rejection: Error {
        /// The problem to report; nil when there is nothing to report.
        var kind: SensorProblem.Kind?
    }

    private mutating func accept(_ sample: RawSample, now: Timestamp) -> Result<SensorValue, Rejection> {
        var memory = memories[sample.source] ?? Memory(unchangedSince: now)
        defer { memories[sample.source] = memory }
        switch sample.result {
        case .failure(.asleep):
            return .failure(Rejection())
        case .failure(let failure):
            return .failure(reject(&memory, now: now, isGone: failure.isGone, failure.kind))
        case .success(.temperature(let temperature)):
            let celsius = temperature.celsius
            guard Self.possible.contains(celsius), isReachable(celsius, from: memory.good, now: now) else {
                return .failure(reject(&memory, now: now, isGone: false, .implausible(degrees(celsius))))
            }
            follow(celsius, &memory, now: now)
            if isStuck(temperature, sample.source, memory, now: now) {
                memory.good = (now, celsius)
                let isNews = !memory.wasReported
                memory.wasReported = true
                return .failure(Rejection(kind: isNews ? .stuck(degrees(celsius)) : nil))
            }
            accepted(&memory, celsius, now: now)
        case .success:
            accepted(&memory, nil, now: now)
        }
        return sample.result.mapError { _ in Rejection() }
    }

    private func accepted(_ memory: inout Memory, _ celsius: Double?, now: Timestamp) {
        memory.good = (now, celsius)
        memory.failingSince = nil
        memory.wasReported = false
    }

    private func reject(
        _ memory: inout Memory, now: Timestamp, isGone: Bool, _ kind: SensorProblem.Kind
    ) -> Rejection {
        let since = memory.failingSince ?? now
        memory.failingSince = since
        // A sensor that never gave a plausible reading is not reported.
        guard memory.good != nil, !memory.wasReported, isGone || since.duration(to: now) >= Self.stale else {
            return Rejection()
        }
        memory.wasReported = true
        return Rejection(kind: isGone ? .vanished : kind)
    }

    /// True when a real temperature could have changed to this value since the last plausible reading, and when there
    /// is no such reading.
    private func isReachable(_ celsius: Double, from good: (time: Timestamp, celsius: Double?)?, now: Timestamp) -> Bool
    {
        guard let good, let before = good.celsius else { return true }
        let seconds = max(0.2, good.time.duration(to: now).inSeconds)
        return abs(celsius - before) <= Self.fastestPerSecond * seconds
    }

    private func follow(_ celsius: Double, _ memory: inout Memory, now: Timestamp) {
        if memory.good?.celsius != celsius { memory.unchangedSince = now }
        let anchor = memory.anchor ?? celsius
        memory.anchor = anchor
        if abs(celsius - anchor) >= Self.swing {
            memory.anchor = celsius
            memory.lastSwing = now
        }
    }

    /// True for a stuck sensor, if its temperature is high enough to matter.
    private func isStuck(_ sample: TemperatureSample, _ source: String, _ memory: Memory, now: Timestamp) -> Bool {
        guard memory.unchangedSince.duration(to: now) >= Self.longestStandstill,
            PressureThresholds.temperature(sample).level(of: sample.celsius) > .nominal
        else { return false }
        return memories.contains { other, its in
            guard other != source, let swing = its.lastSwing else { return false }
            return swing > memory.unchangedSince
        }
    }
}

extension SensorFailure {
    fileprivate var kind: SensorProblem.Kind {
        switch self {
        case .unreadable(let error): .unreadable(error)
        case .asleep: .unreadable(.resourceTemporarilyUnavailable)
        case .garbled(let text): .implausible("“\(text.prefix(40))”")
        }
    }
}

extension SensorProblem {
    fileprivate init(_ source: String, _ kind: Kind) { self.init(source: source, kind: kind) }
}
