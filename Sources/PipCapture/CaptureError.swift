public import SystemPackage

/// A failed operation on a camera, described by a sentence that a user can act on.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs that react to it.
    public enum Kind: String, Sendable, CaseIterable {
        /// No such camera exists.
        case notFound
        /// Several cameras match the name, or nothing distinguishes a lost camera from another.
        case ambiguous
        /// The path leads to something other than a camera.
        case notACamera
        /// The node's permissions, a container or a sandbox deny access.
        case notPermitted
        /// Another program, or another source of this program, uses the camera.
        case busy
        /// The bus has no bandwidth for the camera's stream beside the other streams.
        case noBandwidth
        /// The camera is unplugged, lost or closed.
        case disconnected
        /// The input has no signal, or the signal has changed.
        case noSignal
        /// The camera, this machine or this program does not support the request.
        case unsupported
        /// The control does not exist, cannot be set at present, or does not allow the value.
        case invalidSetting
        /// The driver does not answer within the time limit.
        case hanging
        /// The driver broke its own rules or reported a failure, or the camera's state does not allow the operation.
        case failed
    }

    /// The kind of failure, for programs that react to it.
    public let kind: Kind
    /// The camera concerned: a path such as `/dev/video0`, or the name that was searched for.
    ///
    /// Errors of a lamp hold the lamp's path, and errors of a bus the name of its controller.
    public let device: String
    /// The failed operation, worded to follow "cannot": `start streaming`.
    public let operation: String
    /// The C call that failed, such as `VIDIOC_STREAMON`; empty when no call failed.
    public let call: String
    /// The error number of the failed call; nil when no call failed.
    public let errno: Errno?
    /// The reason for the failure; empty when a system call failed.
    public let reason: String
    /// Advice or details for the user; nil when there are none.
    public let hint: String?

    /// Describes a failed system call.
    ///
    /// The kind of failure follows from `errno`.
    init(device: String, operation: String, call: String, errno: Errno, hint: String? = nil) {
        kind = Kind(errno)
        self.device = device
        self.operation = operation
        self.call = call
        self.errno = errno
        reason = ""
        self.hint = hint ?? Self.hint(for: errno, call: call)
    }

    /// Describes a failure by a reason in words, without a system call.
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
    /// `ENODEV`, the usual error of a call on an unplugged device.
    package static var noDevice: Errno { .operationNotSupportedByDevice }
}
