import Logging
import PipCompose
import PipRig

extension Console {
    /// Writes an event of the session as a message.
    func write(_ event: SessionEvent) {
        switch event {
        case .started: write("the first frame is drawn", event.level, event: event.word)
        case .sinkFailed(let error) where error.endsStandardOutput:
            write("the reader of \(error.sink) has closed the pipe", .info, event: "pipe-closed")
        case .sinkFailed(let error) where error.endsByReader:
            write("\(error.sink): \(error.reason)", .warning, event: "window-closed")
        case .sourceFailed, .sinkFailed: writeError(event.description, event: event.word)
        default: write(event.description, event.level, event: event.word, fields: event.fields)
        }
    }
}

extension SessionEvent {
    /// The name of the event in JSON messages and in the panel's messages.
    var word: String {
        switch self {
        case .started: "started"
        case .stopped: "stopped"
        case .camera(_, let event): "camera-\(event.word)"
        case .sourceEnded: "source-ended"
        case .sourceFailed: "source-failed"
        case .sourceLost: "source-lost"
        case .sourceReturned: "source-returned"
        case .sinkFailed: "sink-failed"
        case .sinkPaused: "sink-paused"
        case .sinkResumed: "sink-resumed"
        case .sinkWarning: "sink-warning"
        case .marked: "marked"
        case .clipRecorded: "clip-recorded"
        case .changeRejected: "change-rejected"
        case .cameraLimitRefused: "camera-limit-refused"
        case .pressure: "pressure"
        case .sensorFailed: "sensor-failed"
        case .cameraMatched: "camera-matched"
        case .matchingRefused: "matching-refused"
        case .effectSwitchedOff: "effect-switched-off"
        case .driversHang: "drivers-hang"
        case .contextReplaced: "context-replaced"
        case .sharingRefused: "sharing-refused"
        case .drawingFailed: "drawing-failed"
        }
    }

    /// The severity of the event's message.
    var level: Logger.Level {
        switch self {
        case .started, .stopped: .debug
        case .camera(_, let event): event.level
        case .sourceEnded, .cameraMatched, .sharingRefused, .clipRecorded: .info
        case .marked(_, let recordings): recordings > 0 ? .info : .warning
        case .pressure(let change): change.level >= .serious ? .warning : .info
        case .sourceFailed, .sinkFailed: .error
        case .sourceLost, .sourceReturned, .sinkPaused, .sinkResumed, .sinkWarning, .changeRejected,
            .cameraLimitRefused, .sensorFailed, .matchingRefused, .effectSwitchedOff, .driversHang, .contextReplaced,
            .drawingFailed:
            .warning
        }
    }

    /// The further members of the event's JSON message.
    fileprivate var fields: [JSON.Member] {
        func field(_ key: String, _ text: String) -> JSON.Member { JSON.Member(key, text) }
        return switch self {
        case .camera(let name, _), .cameraMatched(let name, _): [field("camera", name)]
        case .sourceEnded(let name), .sourceReturned(let name): [field("source", name)]
        case .sourceLost(let error): [field("source", error.source)]
        case .sinkResumed(let name, let file, _): [field("sink", name), field("file", file)]
        case .sinkWarning(let name, _): [field("sink", name)]
        case .effectSwitchedOff(let name, _): [field("effect", name)]
        case .pressure(let change): [JSON.Member("pressure", change.document)]
        default: []
        }
    }
}

extension CameraEvent {
    /// The severity of the event's message, such as a warning for a lost camera.
    var level: Logger.Level {
        switch self {
        case .started, .controlsChanged: .debug
        case .disabled, .enabled, .slept, .settled: .info
        case .stalled, .resumed, .restarted, .lost, .waiting, .reopened, .reduced, .settingRefused, .covered,
            .uncovered, .degraded, .recovered, .badFrames, .timestampsEstimated:
            .warning
        }
    }
}
