public import SystemPackage

/// A failed operation on a camera, described by a sentence that a user can act on.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs to decide by.
    public enum Kind: String, Sendable, CaseIterable {
        /// There is no such camera.
        case notFound
        /// Several cameras fit the name.
        case ambiguous
        /// The path is something else than a camera.
        case notACamera
        /// The node's permissions keep us out.
        case notPermitted
        /// Another program is using it.
        case busy
        /// The bus has no room for its stream beside the others.
        case noBandwidth
        /// It was unplugged.
        case disconnected
        /// There is no signal at its input, or another one than before.
        case noSignal
        /// It cannot do what was asked.
        case unsupported
        /// A control does not exist or does not take the value.
        case invalidSetting
        /// The driver does not answer; what called it was left behind.
        case hanging
        /// The driver broke its own rules or reported a failure.
        case failed
    }

    /// The kind of failure.
    public let kind: Kind
    /// The subject: a path such as `/dev/video0`, or the name that was looked for.
    public let device: String
    /// The operation, to follow "cannot": `start streaming`.
    public let operation: String
    /// The C call that failed, such as `VIDIOC_STREAMON`; empty when none did.
    public let call: String
    /// The error of the call; nil when no call failed.
    public let errno: Errno?
    /// The reason, when no call failed.
    public let reason: String
    /// The remedy, where there is one.
    public let hint: String?

    /// A failed system call; the kind follows from its `errno`.
    init(device: String, operation: String, call: String, errno: Errno, hint: String? = nil) {
        kind = Kind(errno)
        self.device = device
        self.operation = operation
        self.call = call
        self.errno = errno
        reason = ""
        self.hint = hint ?? Self.hint(for: errno, call: call)
    }

    /// A refusal of our own.
    package init(_ kind: Kind, device: String, operation: String, reason: String, hint: String? = nil) {
        self.kind = kind
        self.device = device
        self.operation = operation
        call = ""
        errno = nil
        self.reason = reason
        self.hint = hint
    }

    public var description: String {
        let cause = errno.map { "\(call): \($0)" } ?? reason
        let sentence = "\(device): cannot \(operation): \(cause)"
        return hint.map { "\(sentence) (\($0))" } ?? sentence
    }

    private static func hint(for errno: Errno, call: String) -> String? {
        switch errno {
        case .noSpace where call == "VIDIOC_STREAMON":
            "the USB bus has no bandwidth left: use MJPEG, a lower rate or size, or a port on another controller"
        case .noDevice, .noSuchAddressOrDevice: "the camera was unplugged"
        default: nil
        }
    }
}

extension CaptureError.Kind {
    init(_ errno: Errno) {
        self =
            switch errno {
            case .noSuchFileOrDirectory: .notFound
            case .permissionDenied, .notPermitted: .notPermitted
            case .resourceBusy: .busy
            case .noSpace: .noBandwidth
            case .noDevice, .noSuchAddressOrDevice: .disconnected
            case .noLink, .noLocks: .noSignal
            default: .failed
            }
    }
}

extension Errno {
    /// `ENODEV`, the answer to every call on an unplugged device.
    package static var noDevice: Errno { .operationNotSupportedByDevice }
}
