/// Commands for pip-compose.
struct PipCompose: Sendable {
    var program: String
    var inputs: Inputs
    /// `--effect` and `--layout` with their values.
    var options: [String] = []

    /// In both formats, from file to output without a change.
    var contender: Contender {
        Contender(
            name: Contender.ours, program: program,
            ways: Inputs.Format.allCases.map { format in
                Contender.Way(name: format.rawValue) { frames in
                    Command(
                        [program] + picture(format)
                            + [
                                "--fps", "max", "--output", "null:?format=\(format.rawValue)", "--frames", "\(frames)",
                                "--quiet",
                            ])
                }
            })
    }

    /// The command that prints the plan as JSON.
    var explanation: Command {
        Command(
            [program, "explain", "--format", "json"] + picture(.nv12) + [
                "--fps", "max", "--output", "null:?format=nv12",
            ])
    }

    private func picture(_ format: Inputs.Format) -> [String] {
        ["--main", source(.main, format), "--inset", source(.inset, format)] + options
    }

    private func source(_ picture: Inputs.Picture, _ format: Inputs.Format) -> String {
        "\(inputs.path(picture, format))?size=\(Inputs.width)x\(Inputs.height)&fps=30&loop=true"
    }
}
