internal import PipFrames

/// The highest clocks that processors are allowed, against those of the start: who set one before us meant it.
///
/// Source: the kernel's "CPU Performance Scaling".
struct FrequencyCaps: SensorReader {
    private static let folder = "sys/devices/system/cpu/cpufreq"
    /// Large machines have a policy for each of many processors that are all capped alike.
    private static let most = 8

    private var policies: [String] = []
    private var baselines: [String: Int] = [:]

    mutating func scan(_ files: some SensorFiles) {
        policies = Array(files.numbered("policy", in: Self.folder).prefix(Self.most)).filter {
            files.integer(at: "\(Self.folder)/\($0)/scaling_max_freq") != nil
        }
    }

    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        for policy in policies {
            samples.append(
                files.sample("clock of \(policy)", at: "\(Self.folder)/\(policy)/scaling_max_freq") { text in
                    guard let kilohertz = Int(text), kilohertz > 0 else { return nil }
                    let baseline = max(kilohertz, baselines[policy] ?? kilohertz)
                    baselines[policy] = baseline
                    return .frequencyCap(kilohertz: kilohertz, baseline: baseline)
                })
        }
    }
}
