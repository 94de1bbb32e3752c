internal import PipFrames

/// Reads the highest clocks that processors may use, and compares these caps with earlier caps.
///
/// Only a cap of the last minute counts, because an older cap was presumably set on purpose, for example by a
/// power profile.
///
/// Source: the kernel's "CPU Performance Scaling".
struct FrequencyCaps: SensorReader {
    private static let folder = "sys/devices/system/cpu/cpufreq"
    /// The largest number of cpufreq policies that are read.
    ///
    /// Large machines have a policy for each processor, and all are capped alike.
    private static let most = 8

    private var policies: [String] = []
    /// The present cap of each policy in kHz, the time at which the cap began, and the highest cap since a cap last
    /// held for a minute.
    private var caps: [String: (kilohertz: Int, since: Timestamp, baseline: Int)] = [:]

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
                    var cap = caps[policy] ?? (kilohertz, now, kilohertz)
                    if cap.kilohertz != kilohertz { (cap.kilohertz, cap.since) = (kilohertz, now) }
                    let isOld = cap.since.duration(to: now) >= PressureThresholds.capWindow
                    cap.baseline = isOld ? kilohertz : max(kilohertz, cap.baseline)
                    caps[policy] = cap
                    return .frequencyCap(kilohertz: kilohertz, baseline: cap.baseline)
                })
        }
    }
}
