import PipCompose
import PipRig

#if Media
import PipMedia
#endif

/// One result of a check, with a remedy if something can be improved.
struct Finding: Equatable {
    enum Severity: String {
        case ok
        /// An optional part is missing, or works less well than it could.
        case note
        case problem
    }

    let subject: String
    let severity: Severity
    let detail: String
    /// The command or action that mends the problem; nil if nothing needs to be done or can be done.
    var remedy: String?
}

/// The findings of all checks of `doctor`.
struct Diagnosis {
    let findings: [Finding]
    /// True if at least one renderer drew all test frames.
    let canCompose: Bool

    /// Runs all checks.
    ///
    /// Each camera that is not in use takes three more seconds with `measuringRates`.
    static func make(_ sensors: PressureCheck = PressureCheck(), measuringRates: Bool = false) async -> Diagnosis {
        let drawing = await DrawingCheck.run()
        var findings = drawing.findings
        findings += RenderNodeCheck().findings
        findings += EncoderCheck().findings
        #if Media
        findings += TransparencyCheck().findings
        findings += KnownDefect.findings { GStreamer.version(ofPlugin: $0) }
        #endif
        findings += CameraCheck(CameraDirectory(), asksPortal: true).findings
        if measuringRates { findings += await RateCheck(CameraDirectory()).run() }
        findings += BusCheck(CameraDirectory()).findings
        findings += VirtualCameraCheck(VirtualCameraDirectory()).findings
        findings += DisplayCheck().findings
        findings += InputCheck().findings
        findings += MachineCheck().findings
        findings += sensors.findings
        return Diagnosis(findings: findings, canCompose: drawing.succeeded)
    }

    /// The findings as the text that `doctor` prints.
    var text: String {
        var lines: [String] = []
        for finding in findings {
            let head =
                Self.padded(finding.severity == .problem ? "PROBLEM" : finding.severity.rawValue, 9)
                + Self.padded(finding.subject, 13)
            let indent = String(repeating: " ", count: 22)
            for (index, line) in wrapped(finding.detail, width: 58).enumerated() {
                lines.append((index == 0 ? head : indent) + line)
            }
            let remedies = finding.remedy?.split(separator: "\n") ?? []
            for (index, line) in remedies.enumerated() { lines.append(indent + (index == 0 ? "mend it: " : "") + line) }
        }
        return (lines + ["", verdict]).joined(separator: "\n")
    }

    private var verdict: String {
        let problems = findings.filter { $0.severity == .problem }.count
        let trouble = problems == 0 ? "" : "; \(counted(problems, "problem")) above"
        return canCompose
            ? "This machine can compose\(trouble). Try: pip-compose --output frames/%05d.png --duration 3s"
            : "This machine cannot compose yet\(trouble)."
    }

    /// The findings as the JSON document that `doctor --json` prints.
    var document: JSON {
        .object([
            "can_compose": canCompose, "version": Version.text,
            "findings": JSON.array(
                findings.map { finding in
                    .object([
                        "subject": finding.subject, "severity": finding.severity.rawValue, "detail": finding.detail,
                        "remedy": finding.remedy,
                    ])
                }),
        ])
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
