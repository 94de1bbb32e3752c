import Foundation

@main
enum EntryPoint {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let rest = Array(words.dropFirst())
        let help =
            switch words.first {
            case "shards": ShardArguments.help
            case "instructions": InstructionArguments.help
            default: Arguments.help
            }
        if words.contains("--help") { return write(help, to: .standardOutput) }
        do {
            let isGood =
                switch words.first {
                case "shards": try run(ShardArguments(rest))
                case "instructions": try run(InstructionArguments(rest))
                default: try run(Arguments(words))
                }
            exit(isGood ? 0 : 1)
        } catch let error as ArgumentError {
            write("error: \(error)\n\(help)", to: .standardError)
            exit(64)
        } catch {
            write("error: \(error)\n", to: .standardError)
            exit(70)
        }
    }

    /// Measures the selected workloads, prints the results and stores them.
    ///
    /// - Returns: False when `--check` was given and a threshold was missed.
    private static func run(_ arguments: Arguments) throws -> Bool {
        let sites = arguments.sizes.map { size in
            Site(
                pipCompose: arguments.pipCompose, openCV: arguments.openCV,
                inputs: Inputs(folder: "\(arguments.folder)/results/inputs", size: size))
        }
        let workloads = sites.flatMap { Workloads(site: $0).all }
        let scalings = sites.first.map { Scaling.all($0) } ?? []
        try arguments.check(against: (workloads.map(\.id) + scalings.map(\.id)).uniqued)
        var effort = arguments.isQuick ? Effort.quick : .full
        effort.turns = arguments.turns ?? effort.turns
        let bench = Bench(
            effort: effort, effects: Catalogue.effects(of: arguments.pipCompose),
            onProgress: { write("\($0)\n", to: .standardError) })
        var report = Report(
            machine: .current(), effort: effort,
            versions: ["pip-compose " + Machine.version(of: arguments.pipCompose)]
                + ["ffmpeg", "gst-launch-1.0"].map(Machine.version))
        for workload in workloads where arguments.wants(workload.id) {
            report.workloads.append(try measure(workload, bench, arguments))
            try report.store(in: arguments.results)
        }
        for scaling in scalings where arguments.wants(scaling.id) {
            report.scalings.append(try measure(scaling, bench, arguments))
            try report.store(in: arguments.results)
        }
        write(arguments.isTable ? Table(report: report).text : Markdown(report: report).text, to: .standardOutput)
        return !arguments.isCheck || report.keepsThresholds
    }

    /// Measures compositions in parts, or reads the stored measurements, and then prints and stores the report.
    ///
    /// - Returns: False when one of the comparisons of decoded frames found a difference.
    private static func run(_ arguments: ShardArguments) throws -> Bool {
        guard Machine.current().cores >= 2 else {
            throw ArgumentError(description: "shards: two parts at once need two cores; this machine has one")
        }
        let bench = ShardBench(
            commands: arguments.commands, turns: arguments.turns,
            onProgress: { write("\($0)\n", to: .standardError) })
        let report =
            arguments.isReportOnly
            ? try ShardReport(storedIn: arguments.results) : ShardReport(measurement: try bench.run())
        try report.store(in: arguments.results)
        write(report.text, to: .standardOutput)
        return report.measurement.checks.allSatisfy(\.isEqual)
    }

    /// Counts instructions, and compares the counts with the stored table, or stores them.
    ///
    /// - Returns: False when a workload has become too dear.
    private static func run(_ arguments: InstructionArguments) throws -> Bool {
        let bench = InstructionBench(arguments: arguments, onProgress: { write("\($0)\n", to: .standardError) })
        let table = try bench.run()
        write(table.text, to: .standardOutput)
        if arguments.isRecording {
            try table.text.write(toFile: arguments.table, atomically: true, encoding: .utf8)
            return true
        }
        let earlier = try InstructionTable(String(contentsOfFile: arguments.table, encoding: .utf8))
        guard table.conditions == earlier.conditions else {
            write("not compared: \(arguments.table) has \(earlier.conditions)\n", to: .standardError)
            return true
        }
        let changes = table.changes(since: earlier)
        for change in changes {
            let share = String(format: "%+.1f %%", 100 * change.share)
            write("\(change.id): \(change.before) instructions before, \(share)\n", to: .standardError)
        }
        return !changes.contains { $0.isTooDear }
    }

    private static func measure(_ workload: Workload, _ bench: Bench, _ arguments: Arguments) throws -> WorkloadReport {
        try workload.writeInputs(workload.layouts)
        var report = try bench.run(workload)
        report.verdicts = try Thresholds.load(workload.id, from: "\(arguments.folder)/Thresholds").verdicts(on: report)
        return report
    }

    private static func measure(_ scaling: Scaling, _ bench: Bench, _ arguments: Arguments) throws -> ScalingReport {
        for point in scaling.points {
            try point.ours.site.inputs.generate(
                sources: point.ours.sources, layouts: Set(PixelLayout.measured), with: arguments.pipCompose)
        }
        var report = try bench.run(scaling)
        report.verdicts = report.verdicts(
            by: try Thresholds.load(scaling.id, from: "\(arguments.folder)/Thresholds"))
        return report
    }

    private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}

extension [String] {
    /// The distinct elements, in order of appearance.
    var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
