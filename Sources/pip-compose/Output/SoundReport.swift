import PipCompose
import PipRig

/// The state of a run's sound, for the progress line and the statistics.
struct SoundReport: Sendable {
    struct Input: Sendable {
        var name: String
        var state: String
        var problem: String?
        /// One level for each channel of the input.
        var levels: [AudioLevel]
        var gain: Decibels
        var returns: Int
        /// The relative deviation of the device's sample rate from the nominal rate; 1e-6 is 1 ppm.
        var drift: Double
    }

    /// One level for each channel of the mix.
    var levels: [AudioLevel]
    var inputs: [Input]
}

extension SoundReport {
    /// The object `audio` in the document of `--stats`.
    var document: JSON {
        .object([
            "peak_db": Self.peak(levels), "rms_db": Self.rms(levels),
            "inputs": JSON.array(
                inputs.map { input in
                    .object([
                        "name": input.name, "state": input.state, "problem": input.problem,
                        "peak_db": Self.peak(input.levels), "rms_db": Self.rms(input.levels),
                        "gain_db": Self.decibels(input.gain), "returns": input.returns,
                        "drift_ppm": JSON.number(input.drift * 1e6, decimals: 1),
                    ])
                }),
        ])
    }

    private static func peak(_ levels: [AudioLevel]) -> JSON { levels.map(\.peak).max().map(decibels) ?? .null }

    private static func rms(_ levels: [AudioLevel]) -> JSON { levels.map(\.rms).max().map(decibels) ?? .null }

    /// A level in dB as JSON; null for silence, which is minus infinity.
    private static func decibels(_ level: Decibels) -> JSON {
        level.value.isFinite ? .number(Double(level.value), decimals: 1) : .null
    }

    /// The sound's part of the progress line: the peak level, and the inputs that are missing.
    var progress: String {
        let peak = levels.map(\.peak).max() ?? .silence
        let missing = inputs.filter { $0.state == "missing" }.map(\.name)
        let trouble = missing.isEmpty ? "" : ", \(missing.joined(separator: " and ")) missing"
        return "sound \(peak)\(trouble)"
    }
}

#if Media
import PipMedia

extension RigSound {
    /// The current state of the mixer and its inputs.
    var report: SoundReport {
        SoundReport(
            levels: mixer.levels,
            inputs: mixer.inputs.map { input in
                let status = input.status
                return SoundReport.Input(
                    name: input.name, state: status.state.rawValue, problem: status.problem, levels: input.levels,
                    gain: input.gain, returns: status.returns, drift: status.drift)
            })
    }
}
#else
extension RigSound {
    var report: SoundReport { SoundReport(levels: [], inputs: []) }
}
#endif
