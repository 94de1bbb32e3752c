import Foundation

/// Where the process starts.
@main
enum EntryPoint {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.contains("--help") { return write(Arguments.help, to: .standardOutput) }
        do {
            exit(try run(Arguments(words)) ? 0 : 1)
        } catch let error as ArgumentError {
            write("error: \(error)\n\(Arguments.help)", to: .standardError)
            exit(64)
        } catch {
            write("error: \(error)\n", to: .standardError)
            exit(70)
        }
    }

    /// Measures, prints and stores.
    ///
    /// - Returns: False when a threshold was missed and that matters.
    private static func run(_ arguments: Arguments) throws -> Bool {
        let inputs = Inputs(folder: "\(arguments.folder)/results/inputs")
        let workloads = try arguments.selection(of: Workloads(program: arguments.pipCompose, inputs: inputs).all)
        var effort = arguments.isQuick ? Bench.Effort.quick : .full
        effort.pairs = arguments.pairs ?? effort.pairs
        try inputs.generate(with: arguments.pipCompose)
        let bench = Bench(
            effort: effort, thresholds: ThresholdFolder(path: "\(arguments.folder)/Thresholds"),
            onProgress: { write("\($0)\n", to: .standardError) })
        var report = Report(
            machine: .current(), effort: effort,
            inputs:
                "two scenes of \(Inputs.frames) moving frames, \(Inputs.width)×\(Inputs.height), 4:2:0, read in a loop",
            workloads: [])
        for workload in workloads { report.workloads.append(try bench.run(workload)) }
        let markdown = report.markdown
        try report.json().write(to: URL(fileURLWithPath: "\(arguments.folder)/results/results.json"))
        try Data(markdown.utf8).write(to: URL(fileURLWithPath: "\(arguments.folder)/results/results.md"))
        write(markdown, to: .standardOutput)
        return !arguments.isCheck || report.keepsThresholds
    }

    private static func write(_ text: String, to file: FileHandle) { file.write(Data(text.utf8)) }
}
