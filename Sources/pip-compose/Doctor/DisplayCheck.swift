import PipCompose
import PipRig

/// Checks whether a desktop can show windows, and which screens can show the picture without a desktop.
struct DisplayCheck {
    private let survey: DisplaySurvey

    init(_ survey: DisplaySurvey = DisplaySurvey()) { self.survey = survey }

    var findings: [Finding] { [window, screen] }

    private var window: Finding {
        switch survey.desktop {
        case .found(let name):
            Finding(subject: "windows", severity: .ok, detail: "\(name) shows windows (--output window:)")
        case .missing(let reason):
            Finding(subject: "windows", severity: .note, detail: "no desktop shows windows: \(reason)")
        }
    }

    private var screen: Finding {
        let connected = survey.connectors.filter(\.isConnected).map { "\($0.name) of \($0.device)" }
        guard connected.isEmpty else {
            return Finding(
                subject: "screens", severity: .ok,
                detail: "\(connected.joined(separator: ", ")); without a desktop, --output kms: shows the picture there"
            )
        }
        guard survey.refused.isEmpty else {
            let group = survey.refused.first.flatMap { fileGroup(of: $0) } ?? "video"
            return Finding(
                subject: "screens", severity: .note,
                detail: "\(survey.refused.joined(separator: ", ")) may be opened only by the group \(group)",
                remedy: "sudo usermod -aG \(group) $USER, then log in again")
        }
        return Finding(
            subject: "screens", severity: .note,
            detail: survey.connectors.isEmpty
                ? "no device drives screens"
                : "no screen is connected to \(survey.connectors.map(\.name).joined(separator: ", "))")
    }
}
