import PipCompose
import PipInputs
import PipRig

/// Checks which keys, GPIO chips and accelerometers triggers can read.
struct InputCheck {
    private let survey: InputSurvey

    init(_ survey: InputSurvey = InputSurvey()) { self.survey = survey }

    /// One finding for the devices that may be read, and one for each kind of which some may not; none on a machine
    /// without such devices.
    var findings: [Finding] {
        let kinds = [
            ("keys", survey.keyDevices.map(\.problem)), ("GPIO chips", survey.chips.map(\.problem)),
            ("accelerometers", survey.accelerometers.map(\.problem)), ("CAN buses", survey.buses.map(\.problem)),
        ]
        let usable = kinds.compactMap { name, problems in
            let count = problems.count { $0 == nil }
            return count == 0 ? nil : "\(name): \(count)"
        }
        let found =
            usable.isEmpty
            ? []
            : [
                Finding(
                    subject: "triggers", severity: .ok,
                    detail: "devices that triggers and --telemetry can read: \(usable.joined(separator: ", ")); "
                        + "pip-compose devices --inputs names them")
            ]
        return found + kinds.compactMap { Self.finding($0.1.compactMap(\.self)) }
    }

    /// The finding about devices of one kind that may not be read; nil without one.
    private static func finding(_ problems: [InputProblem]) -> Finding? {
        guard let first = problems.first else { return nil }
        let others = problems.count - 1
        return Finding(
            subject: "triggers", severity: .note,
            detail: "\(first)\(others > 0 ? "; the same or another reason holds for \(others) more" : "")")
    }
}
