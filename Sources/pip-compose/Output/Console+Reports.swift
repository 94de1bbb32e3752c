import Logging
import PipRig

extension Console {
    /// Writes the outcome of a trigger's action.
    func write(_ report: TriggerWatch.Report) {
        switch report {
        case .done(let text): write(text, .info, event: "triggered")
        case .failed(let text): write(text, .warning, event: "trigger-failed")
        case .printed(let text): write(text, .info, event: "trigger-output")
        case .missing(let text): write(text, .warning, event: "trigger-missing")
        case .back(let text): write(text, .info, event: "trigger-back")
        }
    }

    /// Writes that a source of values has gone or come back.
    func write(_ report: TelemetryReport) {
        switch report {
        case .missing(let text): write(text, .warning, event: "telemetry-missing")
        case .back(let text): write(text, .info, event: "telemetry-back")
        }
    }
}
