import ArgumentParser
import FoundationEssentials
import Glibc
import PipCompose
import PipRig

/// The exit statuses of the program, on which scripts rely.
///
/// Source: BSD `sysexits.h`.
enum ExitStatus: Int32, Error, CaseIterable {
    case success = 0
    /// A mistake of the user, such as an unknown option, a value out of range or a shader that does not compile.
    case usage = 64
    case inputDamaged = 65
    /// A camera, microphone, file, scene or other named element that does not exist.
    case inputMissing = 66
    /// A resource of the machine that cannot be used now, such as a busy device, a full bus or a missing renderer.
    case unavailable = 69
    /// A defect of the program.
    case internalError = 70
    case cannotCreate = 73
    case outputFailed = 74
    /// A hung camera driver, or a shard of a composition that a signal stopped: a new process may succeed.
    case temporaryFailure = 75
    case notPermitted = 77
    /// A mistake in the file of a configuration or a policy, or in the panel's settings.
    case configuration = 78

    var code: ExitCode { ExitCode(rawValue) }
}

/// The failure of a command: an exit status for scripts, and a sentence for users.
struct CommandError: Error, CustomStringConvertible {
    let status: ExitStatus
    let description: String

    init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    /// Translates any error of the library, and chooses the exit status by the error's type.
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case SessionError.camera(let error): self.init(error)
        case let error as SessionError: self.init(ExitStatus(error), error.description)
        case let error as CaptureError: self.init(error)
        case let error as SourceError: self.init(ExitStatus(error), error.description)
        case let error as SinkError: self.init(ExitStatus(error), error.description)
        case let error as SoundError: self.init(ExitStatus(error), error.description)
        case let error as GLError: self.init(ExitStatus(error), error.description)
        case let error as RigError: self.init(ExitStatus(error), error.description)
        case let error as ConfigurationError: self.init(.configuration, error.description)
        case is GraphError, is EffectError, is UsageError: self.init(.usage, "\(error)")
        default: self.init(.internalError, "\(error)")
        }
    }

    private init(_ error: CaptureError) {
        let hint = error.kind == .notFound ? " (`pip-compose devices` lists the cameras)" : ""
        self.init(ExitStatus(error), error.description + hint)
    }
}

extension ExitStatus {
    init(_ error: RigError) {
        switch error.kind {
        case .unknown: self = .inputMissing
        case .invalid, .conflict: self = .usage
        case .unavailable: self = .unavailable
        }
    }

    init(_ error: SessionError) {
        switch error {
        case .graph(.undrawable): self = .unavailable
        case .graph, .effect: self = .usage
        case .camera(let error): self.init(error)
        case .source(let error): self.init(error)
        case .sink(let error): self.init(error)
        case .gpu(let error): self.init(error)
        default: self = .internalError
        }
    }

    init(_ error: CaptureError) {
        switch error.kind {
        case .notFound, .notACamera, .disconnected: self = .inputMissing
        case .ambiguous, .unsupported, .invalidSetting: self = .usage
        case .notPermitted: self = .notPermitted
        case .hanging: self = .temporaryFailure
        case .busy, .noBandwidth, .noSignal, .failed: self = .unavailable
        }
    }

    init(_ error: SourceError) {
        switch error.kind {
        case .notFound: self = .inputMissing
        case .notPermitted: self = .notPermitted
        case .damaged, .failed: self = .inputDamaged
        case .invalidOptions: self = .usage
        }
    }

    init(_ error: SinkError) {
        switch error.kind {
        case .invalidOptions: self = .usage
        case .cannotCreate: self = .cannotCreate
        case .failed, .closedPipe, .closedWindow, .interrupted: self = .outputFailed
        }
    }

    init(_ error: SoundError) {
        switch error.kind {
        case .notFound: self = .inputMissing
        case .ambiguous, .unsupported: self = .usage
        case .unavailable: self = .unavailable
        }
    }

    init(_ error: GLError) {
        // A shader that does not compile is the user's mistake in a user's file, otherwise a defect of the program. A
        // lost context is a defect of the program. All other errors come from the machine.
        switch error.reason {
        case .shader(let messages)
        where messages.contains { $0.file.map { FileManager.default.fileExists(atPath: $0) } ?? false }:
            self = .usage
        case .shader, .contextLost: self = .internalError
        default: self = .unavailable
        }
    }
}
