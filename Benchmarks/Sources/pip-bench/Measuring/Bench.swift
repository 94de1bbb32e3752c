import Foundation

/// The effort of a measurement: the number and length of runs.
struct Effort: Codable, Sendable {
    /// The number of rounds; each round runs every program twice: once with few frames, once with many.
    var turns: Int
    /// The approximate difference in CPU time between a long run and a short one, in seconds.
    var seconds: Double
    /// The largest number of variants that are tried for each program.
    var ways: Int

    static let full = Effort(turns: 5, seconds: 0.5, ways: 8)
    static let quick = Effort(turns: 3, seconds: 0.2, ways: 2)
}

/// Runs and measures workloads.
struct Bench {
    var effort: Effort
    /// The names of the effects that the measured pip-compose has.
    var effects: Set<String>
    /// Receives a progress message for each step.
    var onProgress: (String) -> Void

    /// A contender with the chosen variant of its command, and the lengths of its runs.
    private struct Entry {
        var contender: Contender
        var way: Contender.Way
        var lengths: RunLengths
        var trials: [Result.Trial]
        var samples: [Sample] = []
    }

    /// Measures a workload: chooses the cheapest variant of each program, then runs all programs in turn, several
    /// times.
    ///
    /// A workload that needs effects which pip-compose lacks is not run. A peer that fails in all trials, or in a round
    /// after them, is listed as absent.
    ///
    /// - Throws: ``CommandError`` when pip-compose fails.
    func run(_ workload: Workload) throws -> WorkloadReport {
        var report = WorkloadReport(
            id: workload.id, title: workload.title, size: workload.ours.site.size, absent: workload.absent)
        let lacking = workload.needs.filter { !effects.contains($0) }
        guard lacking.isEmpty else {
            report.unavailable = "not available in this build: \(lacking.joined(separator: ", "))"
            return report
        }
        var entries = try workload.ours.contenders.map { try choose($0, workload.id) }
        for peer in workload.peers {
            do throws(CommandError) {
                entries.append(try choose(peer, workload.id))
            } catch {
                report.absent.append(Absentee(name: peer.name, reason: error.reason))
            }
        }
        let bytes = workload.leastBytes(workload.ours.site.size)
        var floors: [Double] = []
        for turn in 1...effort.turns {
            onProgress("\(report.name): turn \(turn) of \(effort.turns)")
            entries = try sampled(entries, &report)
            floors.append(Floor.milliseconds(bytes: bytes.read + bytes.written))
        }
        report.floorMilliseconds = Spread(floors)?.median
        report.results = results(entries)
        report.plans = [
            Name.oursNV12: PlanCosts.of(workload.ours.explanation(.nv12)),
            Name.oursI420: PlanCosts.of(workload.ours.explanation(.i420)),
        ].compactMapValues { $0 }
        report.startUp = try StartUp.measure(
            workload.ours.firstFrame, bytes: PixelLayout.i420.bytes(workload.ours.site.size),
            turns: min(effort.turns, 5))
        return report
    }

    /// Runs all programs once more, and returns their entries with another sample.
    ///
    /// Leaves out a peer that fails, and lists it as absent.
    private func sampled(_ entries: [Entry], _ report: inout WorkloadReport) throws(CommandError) -> [Entry] {
        var kept: [Entry] = []
        for var entry in entries {
            do throws(CommandError) {
                entry.samples.append(try entry.lengths.sample(entry.way.command))
                kept.append(entry)
            } catch {
                if Name.ours.contains(entry.contender.name) { throw error }
                report.absent.append(Absentee(name: entry.contender.name, reason: error.reason))
            }
        }
        return kept
    }

    /// Chooses the cheapest variant of a contender's command.
    private func choose(_ contender: Contender, _ id: String) throws(CommandError) -> Entry {
        var best: (cost: Double, way: Contender.Way)?
        var trials: [Result.Trial] = []
        var failure: CommandError?
        for way in contender.ways.prefix(effort.ways) {
            onProgress("\(id): trying \(contender.name), \(way.name)")
            do throws(CommandError) {
                let cost = try trialCost(way)
                trials.append(Result.Trial(way: way.name, cpuMilliseconds: cost))
                if cost < best?.cost ?? .infinity { best = (cost, way) }
            } catch {
                failure = error
            }
        }
        guard let best else {
            throw failure ?? CommandError(command: Command([contender.program]), reason: "no way to run it")
        }
        return Entry(
            contender: contender, way: best.way,
            lengths: RunLengths(millisecondsPerFrame: best.cost, seconds: effort.seconds), trials: trials)
    }

    /// Estimates the cost of a frame in CPU milliseconds.
    ///
    /// Uses ``roughCost(_:)`` if frames are expensive. Otherwise measures two pairs of longer runs, and uses the
    /// shortest run of each length.
    private func trialCost(_ way: Contender.Way) throws(CommandError) -> Double {
        let rough = try roughCost(way.command)
        if rough > 15 { return rough }
        let lengths = RunLengths(millisecondsPerFrame: rough, seconds: effort.seconds / 2)
        let samples = [try lengths.sample(way.command), try lengths.sample(way.command)]
        return lengths.quietCost(samples) ?? rough
    }

    /// Estimates the cost of a frame in CPU milliseconds, from as few frames as exceed the noise of starting the
    /// program.
    func roughCost(_ command: (Int) -> Command) throws(CommandError) -> Double {
        // The first run only fills the shader caches on disk.
        _ = try ChildProcess.measure(command(1))
        for long in [12, 48] {
            let sample = try RunLengths(short: 2, long: long).sample(command)
            if sample.longSeconds - sample.shortSeconds > 0.06 { return sample.cpuMilliseconds }
        }
        return try RunLengths(short: 2, long: 192).sample(command).cpuMilliseconds
    }

    private func results(_ entries: [Entry]) -> [Result] {
        let ours = entries.filter { Name.ours.contains($0.contender.name) }
        return entries.compactMap { entry in
            guard
                let cpu = Spread(entry.samples.map(\.cpuMilliseconds)),
                let wall = Spread(entry.samples.map(\.wallMilliseconds)),
                let peak = Spread(entry.samples.map(\.memory.peak)),
                let steady = Spread(entry.samples.map(\.memory.steady))
            else { return nil }
            let isOurs = Name.ours.contains(entry.contender.name)
            let isApart = entry.contender.name == Name.apart
            let ratios = ours.compactMap { our in
                Spread(zip(entry.samples, our.samples).map { $0.cpuMilliseconds / $1.cpuMilliseconds })
                    .map { (our.contender.name, $0) }
            }
            return Result(
                name: entry.contender.name, lacks: entry.contender.lacks, way: entry.way.name,
                command: entry.way.command(entry.lengths.long).shellText, lengths: entry.lengths, cpuMilliseconds: cpu,
                wallMilliseconds: wall, peakMebibytes: isApart ? nil : peak.median,
                steadyMebibytes: isApart ? nil : steady.median,
                ratios: isOurs ? [:] : Dictionary(uniqueKeysWithValues: ratios),
                quietMilliseconds: entry.lengths.quietCost(entry.samples) ?? cpu.lowest, trials: entry.trials)
        }
    }
}
