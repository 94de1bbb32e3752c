import Logging
import PipCompose
import PipRig

extension Console {
    /// Tells an event of a running session, as one line.
    func write(_ event: SessionEvent) {
        switch event {
        case .started: write("the first frame is drawn", .debug, event: "started")
        case .stopped: write("stopped", .debug, event: "stopped")
        case .camera(let name, let cameraEvent):
            write(
                event.description, cameraEvent.level, event: "camera-\(cameraEvent.word)",
                fields: [JSON.Member(key: "camera", value: .string(name))])
        case .sourceEnded(let name):
            write(
                event.description, .info, event: "source-ended",
                fields: [JSON.Member(key: "source", value: .string(name))])
        case .sourceFailed(let error): writeError(error.description, event: "source-failed")
        case .sourceLost(let error):
            write(
                event.description, .warning, event: "source-lost",
                fields: [JSON.Member(key: "source", value: .string(error.source))])
        case .sourceReturned(let name):
            write(
                event.description, .warning, event: "source-returned",
                fields: [JSON.Member(key: "source", value: .string(name))])
        case .sinkFailed(let error) where error.endsStandardOutput:
            write("the reader of \(error.sink) has closed the pipe", .info, event: "pipe-closed")
        case .sinkFailed(let error): writeError(error.description, event: "sink-failed")
        case .sinkPaused: write(event.description, .warning, event: "sink-paused")
        case .sinkResumed(let name, let file, _):
            write(
                event.description, .warning, event: "sink-resumed",
                fields: [.init(key: "sink", value: .string(name)), .init(key: "file", value: .string(file))])
        case .sinkWarning(let name, _):
            write(
                event.description, .warning, event: "sink-warning",
                fields: [.init(key: "sink", value: .string(name))])
        case .changeRejected: write(event.description, .warning, event: "change-rejected")
        case .pressure(let change):
            write(
                event.description, change.level >= .serious ? .warning : .info, event: "pressure",
                fields: [JSON.Member(key: "pressure", value: change.document)])
        case .sensorFailed: write(event.description, .warning, event: "sensor-failed")
        case .cameraMatched(let name, _):
            write(
                event.description, .info, event: "camera-matched",
                fields: [JSON.Member(key: "camera", value: .string(name))])
        case .matchingRefused: write(event.description, .warning, event: "matching-refused")
        case .effectSwitchedOff(let name, _):
            write(
                event.description, .warning, event: "effect-switched-off",
                fields: [JSON.Member(key: "effect", value: .string(name))])
        case .driversHang: write(event.description, .warning, event: "drivers-hang")
        case .contextReplaced: write(event.description, .warning, event: "context-replaced")
        case .sharingRefused: write(event.description, .info, event: "sharing-refused")
        case .drawingFailed: write(event.description, .warning, event: "drawing-failed")
        }
    }
}

extension CameraEvent {
    /// The severity: a warning for a lost camera, information for its first frame.
    var level: Logger.Level {
        switch self {
        case .started: .debug
        case .disabled, .enabled, .slept: .info
        case .stalled, .resumed, .restarted, .lost, .waiting, .reopened, .reduced, .settingRefused, .degraded,
            .recovered,
            .badFrames, .timestampsEstimated:
            .warning
        }
    }
}
