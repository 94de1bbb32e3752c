public import SystemPackage

/// Something that went wrong with a camera, as a sentence that says what can be done about it.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What sort of trouble it is: what a program decides by.
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

    public let kind: Kind
    /// What it is about: a path such as `/dev/video0`, or the name that was looked for.
    public let device: String
    /// What was tried, to follow "cannot": `start streaming`.
    public let operation: String
    /// The C call that failed, such as `VIDIOC_STREAMON`; empty when none did.
    public let call: String
    /// Why the call failed.
    public let errno: Errno?
    /// Why it cannot be, when no call failed.
    public let reason: String
    /// What the user can do about it.
    public let hint: String?

    /// A failed system call; what sort of trouble follows from its error.
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
    /// `ENODEV`: what every call on an unplugged device answers.
    package static var noDevice: Errno { .operationNotSupportedByDevice }
}
