#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The desktop's camera portal, `org.freedesktop.portal.Camera`, which asks the user whether a sandboxed program may
/// use cameras.
///
/// The user's answer, or its absence within the timeout, holds for the life of the process. The portal asks again only
/// when the question was interrupted or could not be asked. Thread: any.
///
/// Source: XDG Desktop Portal documentation, "Camera", "Request".
final class CameraPortal: Sendable {
    private enum Access {
        case unasked
        /// A caller has asked the user, and waits for the answer.
        case asked
        case answered(MediaError?)
    }

    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Camera"
    private static let requests = "org.freedesktop.portal.Request"
    private static let known = Mutex<[String: CameraPortal]>([:])

    /// The address of the message bus; nil for the session bus.
    private let address: String?
    /// The time that the user has to answer the portal's question.
    private let timeout: Duration
    private let access = Mutex(Access.unasked)

    /// Creates a portal that has not asked the user yet.
    ///
    /// - Parameters:
    ///   - address: The bus's address. Nil takes the session bus.
    ///   - timeout: The time that the user has to answer.
    init(address: String? = nil, timeout: Duration = .seconds(120)) {
        self.address = address
        self.timeout = timeout
    }

    /// Returns the portal on the bus at `address`; nil takes the session bus.
    ///
    /// All callers in the process share the portal, and so the user's answer.
    static func onBus(_ address: String?) -> CameraPortal {
        known.withLock { known in
            let portal = known[address ?? ""] ?? CameraPortal(address: address)
            known[address ?? ""] = portal
            return portal
        }
    }

    /// True when the portal knows of a camera; nil where there is no portal, and when the portal does not answer.
    ///
    /// Reading this property does not start a portal that is not running. Waits at most 2 seconds for the portal.
    var hasCamera: Bool? {
        guard let bus = try? connect() else { return nil }
        let reply = try? bus.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: Self.path, of: Self.name,
            .property("IsCameraPresent", of: Self.interface), starts: false, timeout: .seconds(2))
        return reply?.truth
    }

    /// True until the user has answered, or the time to answer has passed.
    var isUnanswered: Bool {
        access.withLock { if case .answered = $0 { false } else { true } }
    }

    /// Opens a connection to PipeWire, once the user permits the use of cameras.
    ///
    /// The first caller asks the user; later callers wait for the same answer.
    ///
    /// - Parameter interruption: Ends the wait for the user's answer. If this call asked, the next call asks again.
    /// - Returns: A new connection.
    /// - Throws: ``MediaError`` when there is no portal or the portal fails, when the user refuses or does not answer
    ///   in time, or when an interruption ends the wait.
    func open(_ interruption: Interruption) throws(MediaError) -> PipeWireRemote {
        let bus = try explaining { () throws(MessageBusError) in try connect() }
        if let refusal = try answer(on: bus, interruption) { throw refusal }
        let reply = try explaining { () throws(MessageBusError) in
            try bus.call(
                "OpenPipeWireRemote", of: Self.interface, at: Self.path, of: Self.name, .options(token: nil))
        }
        guard let descriptor = reply.descriptor else {
            throw MediaError(kind: .failed, reason: "the camera portal gave no connection to PipeWire")
        }
        return PipeWireRemote(descriptor)
    }

    private func connect() throws(MessageBusError) -> MessageBus {
        guard let address = address ?? MessageBus.sessionAddress else { throw .noBus }
        return try MessageBus(address: address)
    }

    /// Returns the user's answer, and asks the user unless another caller has asked.
    ///
    /// Waits while another caller asks.
    ///
    /// - Returns: The user's refusal; nil when the user permits cameras.
    private func answer(on bus: MessageBus, _ interruption: Interruption) throws(MediaError) -> MediaError? {
        while true {
            let found = access.withLock { access -> Access in
                defer { if case .unasked = access { access = .asked } }
                return access
            }
            switch found {
            case .answered(let refusal): return refusal
            case .asked: guard interruption.pause(Self.pollInterval) else { throw .interrupted }
            case .unasked:
                do throws(MediaError) {
                    let refusal = try ask(on: bus, interruption)
                    access.withLock { $0 = .answered(refusal) }
                    return refusal
                } catch {
                    access.withLock { $0 = .unasked }
                    throw error
                }
            }
        }
    }

    /// The time between two checks for the user's answer.
    private static let pollInterval = Duration.milliseconds(20)

    /// Asks the user and waits for the answer.
    ///
    /// - Returns: The refusal, also when the user does not answer in time; nil when the user permits cameras.
    /// - Throws: ``MediaError`` when the portal cannot ask the user, or when an interruption ends the wait.
    private func ask(on bus: MessageBus, _ interruption: Interruption) throws(MediaError) -> MediaError? {
        let token = "pip_compose_\(UInt32.random(in: 0...UInt32.max))"
        // The answer may come before the call returns: subscribe first, at the path that the portal will use.
        let caller = bus.uniqueName.drop { $0 == ":" }.replacing(".", with: "_")
        var path = "\(Self.path)/request/\(caller)/\(token)"
        var answer = bus.subscribe(to: "Response", of: Self.requests, at: path, of: Self.name)
        let reply = try explaining { () throws(MessageBusError) in
            try bus.call(
                "AccessCamera", of: Self.interface, at: Self.path, of: Self.name, .options(token: token))
        }
        // Portals before 0.9 choose the request's path themselves.
        if let other = reply.text, other != path {
            path = other
            answer = bus.subscribe(to: "Response", of: Self.requests, at: path, of: Self.name)
        }
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: timeout)
        while true {
            if let number = answer.number { return Self.refusal(number) }
            let isStopped = !interruption.pause(Self.pollInterval)
            guard isStopped || clock.now >= deadline else { continue }
            // Without this call, the portal's dialog would stay open.
            _ = try? bus.call("Close", of: Self.requests, at: path, of: Self.name, timeout: .seconds(1))
            if isStopped { throw .interrupted }
            return MediaError(
                kind: .refused,
                reason: "the user did not answer within \(timeout.components.seconds) s whether cameras may be used; "
                    + "start again to be asked again, or \(Self.remedy)")
        }
    }

    /// Translates the number in the portal's response into a refusal; nil for 0, a permission.
    ///
    /// Source: XDG Desktop Portal documentation, "Request", signal `Response`.
    private static func refusal(_ number: UInt32) -> MediaError? {
        switch number {
        case 0: nil
        case 1:
            MediaError(
                kind: .refused,
                reason: "the use of cameras was refused by the user or by the desktop's settings; \(remedy); "
                    + "then start again")
        default:
            MediaError(
                kind: .refused,
                reason: "the desktop closed its dialog about the use of cameras, without an answer; \(remedy); "
                    + "then start again")
        }
    }

    /// The part of an error message that says how to permit the use of cameras.
    private static var remedy: String {
        "permit cameras in the desktop's privacy settings" + (Sandbox.current.map { ", or by: \($0.permission)" } ?? "")
    }

    private func explaining<R>(_ body: () throws(MessageBusError) -> R) throws(MediaError) -> R {
        do throws(MessageBusError) { return try body() } catch {
            if error.isAbsence {
                throw MediaError(
                    kind: .network,
                    reason:
                        "there is no camera portal on the session's bus: install xdg-desktop-portal, or use camera:0 "
                        + "outside of a sandbox")
            }
            if error.name == "org.freedesktop.portal.Error.NotAllowed" {
                throw MediaError(
                    kind: .refused,
                    reason: "the desktop no longer permits the use of cameras; \(Self.remedy)")
            }
            throw MediaError(kind: .failed, reason: "the camera portal has failed: \(error.message)")
        }
    }
}

extension MediaError {
    /// The error of a call whose wait for the user's answer was interrupted.
    fileprivate static let interrupted = MediaError(
        kind: .failed, reason: "the source was stopped before the user had answered whether cameras may be used")
}

extension Interruption {
    /// Waits for `time`; returns false when an interruption ended the wait.
    fileprivate func pause(_ time: Duration) -> Bool {
        wait(for: -1, events: 0, until: MonotonicClock().now.advanced(by: time)) == .timedOut
    }
}
#endif
