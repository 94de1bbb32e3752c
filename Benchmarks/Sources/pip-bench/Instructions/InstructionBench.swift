import Foundation

/// Counts the instructions of pip-compose with Valgrind's Cachegrind.
///
/// The counts do not depend on what else the machine does. Cachegrind knows no AVX-512, so they are those of AVX2.
struct InstructionBench {
    /// The workloads that are counted: each way of drawing once, and nothing that other libraries decode or encode.
    static let workloads = ["W1", "W1y", "W2", "W2b", "W2c", "W3", "W4", "W5", "W6", "W7", "W8", "W9"]
    /// The lengths of the two runs whose difference is counted, in frames.
    private static let frames = (short: 2, long: 26)
    private static let layout = PixelLayout.i420

    let arguments: InstructionArguments
    var onProgress: (String) -> Void

    /// Counts the instructions of a frame of each workload.
    ///
    /// - Throws: ``CommandError`` when pip-compose or Valgrind fails, or Foundation's error for the inputs.
    func run() throws -> InstructionTable {
        let size = FrameSize(height: 360)
        let site = Site(
            pipCompose: arguments.pipCompose, openCV: "",
            inputs: Inputs(folder: "\(arguments.folder)/results/inputs", size: size))
        let workloads = Workloads(site: site).all.filter { Self.workloads.contains($0.id) }
        var table: InstructionTable?
        for workload in workloads {
            onProgress("\(workload.id): counting instructions")
            try workload.writeInputs([workload.input ?? Self.layout])
            if table == nil { table = InstructionTable(conditions: try conditions(size, workload)) }
            let short = try Self.instructions(of: workload.ours.command(Self.layout, frames: Self.frames.short))
            let long = try Self.instructions(of: workload.ours.command(Self.layout, frames: Self.frames.long))
            table?.counts.append((workload.id, (long - short) / (Self.frames.long - Self.frames.short)))
        }
        return table ?? InstructionTable(conditions: "nothing counted")
    }

    /// The conditions under which counts can be compared.
    private func conditions(_ size: FrameSize, _ workload: Workload) throws(CommandError) -> String {
        let explanation = Self.counted(workload.ours.explanation(Self.layout), into: "/dev/null")
        guard let plan = PlanCosts.of(explanation) else {
            throw CommandError(command: explanation, reason: "it printed no plan")
        }
        return "instructions a frame of \(size), drawn by \(plan.renderer), built by \(arguments.compiler)"
    }

    private static func instructions(of command: Command) throws(CommandError) -> Int {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-instructions"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let counted = counted(command, into: file)
        try ChildProcess.measure(counted)
        guard let count = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap(Self.count) else {
            throw CommandError(command: counted, reason: "Valgrind told no count of instructions")
        }
        return count
    }

    private static func counted(_ command: Command, into file: String) -> Command {
        Command(
            [
                "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                "--log-file=\(file)",
            ] + command.words, environment: command.environment)
    }

    /// The count in the log of Cachegrind; nil for a log without a count.
    static func count(in log: String) -> Int? {
        // `==5== I   refs:      83,085,830`
        let line = log.split(separator: "\n").last { $0.contains("refs:") }
        return line?.split(separator: " ").last.flatMap { Int($0.filter { $0 != "," }) }
    }
}
