import Logging
import PipRig

#if Control
import PipControl
#endif

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
        case .clock(let text): write(text, .warning, event: "clock")
        }
    }

    #if Control
    /// Writes that a broker has gone or come back, or that a command is ignored.
    func write(_ report: BrokerReport) {
        switch report {
        case .connected(let address): write("\(address): connected", .info, event: "broker-connected")
        case .missing(let text): write(text, .warning, event: "broker-missing")
        case .back(let text): write(text, .warning, event: "broker-back")
        case .ignored(let text): write(text, .warning, event: "broker-command-ignored")
        }
    }
    #endif
}
