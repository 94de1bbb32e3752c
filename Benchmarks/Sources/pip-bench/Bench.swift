import Foundation

/// What a contender did in a workload.
struct Result: Codable, Sendable {
    /// A way that was tried before the measurement, and what a frame took.
    struct Trial: Codable, Sendable {
        var way: String
        var cpuMilliseconds: Double
    }

    var name: String
    var version: String
    /// The way that took part.
    var way: String
    /// The command of the longer run.
    var command: String
    var lengths: RunLengths
    var cpuMilliseconds: Spread
    var wallMilliseconds: Spread
    var peakMebibytes: Double
    /// Its CPU time as a multiple of pip-compose's, pair by pair; nil for pip-compose itself.
    ///
    /// Above 1, pip-compose costs less.
    var ratio: Spread?
    /// What a frame took by the least disturbed runs.
    var quietMilliseconds: Double
    /// Its multiple of pip-compose's.
    var quietRatio: Double?
    var trials: [Trial]
}

/// What came out of a workload.
struct WorkloadReport: Codable, Sendable {
    var id: String
    var title: String
    var results: [Result]
    /// Contenders that could not take part, and why.
    var missing: [String]
    var plan: PlanCosts?
    var threshold: Threshold?
    /// How the threshold was kept; nil where there is none.
    var verdict: Verdict?
}

/// Runs workloads.
struct Bench {
    /// How thoroughly it measures.
    struct Effort: Codable, Sendable {
        /// Times that every contender is run, in turn.
        var pairs: Int
        /// CPU time of a longer run, about.
        var seconds: Double
        /// Runs of each way, to choose one.
        var trials: Int

        static let full = Effort(pairs: 9, seconds: 1, trials: 5)
        static let quick = Effort(pairs: 5, seconds: 0.4, trials: 3)
    }

    var effort: Effort
    var thresholds: ThresholdFolder
    /// Told what is done, for the person who waits.
    var onProgress: (String) -> Void

    /// A contender with the way that it takes and the lengths of its runs.
    private struct Entry {
        var contender: Contender
        var way: Contender.Way
        var lengths: RunLengths
        var trials: [Result.Trial]
        var samples: [Sample] = []

        var quietCost: Double { lengths.quietCost(samples) ?? .infinity }
    }

    /// Measures a workload: chooses each contender's best way, then runs all of them in turn, several times.
    ///
    /// - Throws: ``CommandError`` when pip-compose itself fails; a peer that fails is left out and named.
    func run(_ workload: Workload) throws -> WorkloadReport {
        var missing: [String] = []
        var entries: [Entry] = []
        for contender in workload.contenders {
            do throws(CommandError) {
                entries += try choose(contender, in: workload)
            } catch {
                if contender.isOurs { throw error }
                missing.append("\(contender.name): \(error.reason)")
            }
        }
        for pair in 1...effort.pairs {
            onProgress("\(workload.id): run \(pair) of \(effort.pairs)")
            for index in entries.indices {
                let entry = entries[index]
                entries[index].samples.append(try entry.lengths.sample(entry.way.command))
            }
        }
        let threshold = try thresholds.threshold(for: workload.id)
        var report = WorkloadReport(
            id: workload.id, title: workload.title, results: results(best(entries)), missing: missing,
            plan: PlanCosts.of(workload.explained), threshold: threshold)
        report.verdict = threshold?.verdict(on: report)
        return report
    }

    /// The two ways that cost least in some runs of each.
    ///
    /// Which of them takes part is decided when both have run in turn with the others.
    private func choose(_ contender: Contender, in workload: Workload) throws(CommandError) -> [Entry] {
        var tried: [(cost: Double, way: Contender.Way)] = []
        var failure: CommandError?
        for way in contender.ways {
            onProgress("\(workload.id): trying \(contender.name), \(way.name)")
            do throws(CommandError) {
                tried.append((try trialCost(way), way))
            } catch {
                failure = error
            }
        }
        if tried.isEmpty {
            throw failure ?? CommandError(command: Command([contender.program]), reason: "no way to run it")
        }
        let trials = tried.map { Result.Trial(way: $0.way.name, cpuMilliseconds: $0.cost) }
        return tried.sorted { $0.cost < $1.cost }.prefix(2).map { cost, way in
            let lengths = RunLengths(
                short: cost > 10 ? 10 : Inputs.frames, millisecondsPerFrame: cost, seconds: effort.seconds, atMost: 3000
            )
            return Entry(contender: contender, way: way, lengths: lengths, trials: trials)
        }
    }

    /// Of each contender the way that costs least.
    private func best(_ entries: [Entry]) -> [Entry] {
        var best: [Entry] = []
        for entry in entries {
            guard let index = best.firstIndex(where: { $0.contender.name == entry.contender.name }) else {
                best.append(entry)
                continue
            }
            if entry.quietCost < best[index].quietCost { best[index] = entry }
        }
        return best
    }

    private func trialCost(_ way: Contender.Way) throws(CommandError) -> Double {
        let rough = try RunLengths(short: 20, long: 80).sample(way.command).cpuMilliseconds
        let lengths = RunLengths(
            short: Inputs.frames, millisecondsPerFrame: rough, seconds: effort.seconds / 2, atMost: 1000)
        var samples: [Sample] = []
        for _ in 0..<effort.trials { samples.append(try lengths.sample(way.command)) }
        return lengths.quietCost(samples) ?? rough
    }

    private func results(_ entries: [Entry]) -> [Result] {
        let our = entries.first { $0.contender.isOurs }
        let ours = our?.samples ?? []
        return entries.compactMap { entry in
            guard
                let cpu = Spread(entry.samples.map(\.cpuMilliseconds)),
                let wall = Spread(entry.samples.map(\.wallMilliseconds)),
                let memory = Spread(entry.samples.map(\.peakMebibytes))
            else { return nil }
            let ratios = zip(entry.samples, ours).map { $0.cpuMilliseconds / $1.cpuMilliseconds }
            return Result(
                name: entry.contender.name, version: Machine.version(of: entry.contender.program), way: entry.way.name,
                command: entry.way.command(entry.lengths.long).shellText, lengths: entry.lengths, cpuMilliseconds: cpu,
                wallMilliseconds: wall, peakMebibytes: memory.highest,
                ratio: entry.contender.isOurs ? nil : Spread(ratios),
                quietMilliseconds: entry.quietCost,
                quietRatio: entry.contender.isOurs ? nil : our.map { entry.quietCost / $0.quietCost },
                trials: entry.trials)
        }
    }
}
