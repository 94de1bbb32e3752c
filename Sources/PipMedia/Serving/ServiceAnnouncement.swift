#if Media
internal import CAvahi
internal import PipConcurrency
internal import PipFrames

/// A service of this machine that is found in the local network by its name, by Avahi.
///
/// Avahi keeps the service until the announcement ends. The announcement waits for a daemon and a message bus that do
/// not run, and takes another name where another service has the wanted one: `Front door #2`.
///
/// Source: RFC 6762 (mDNS), RFC 6763 (DNS-SD).
///
/// Thread: any creates and ends an announcement; neither blocks. The announcement's own thread does the rest.
@safe final class ServiceAnnouncement: @unchecked Sendable {
    /// A service, as others find it.
    struct Service {
        /// The longest name, in bytes.
        static let longestName = 63

        /// The name that people see.
        let name: String
        /// The type, such as `_rtsp._tcp`.
        let type: String
        let port: Int
        /// A text for programs, such as `path=/cam`.
        let text: String
    }

    /// The time from a failure to the next attempt.
    private static let pause = Duration.seconds(5)

    /// The reason why this machine announces nothing, as a sentence without its full stop; nil if it does.
    static var obstacle: String? {
        guard let reason = unsafe pip_load_avahi() else { return nil }
        return "Avahi's library is missing (\(unsafe String(cString: reason))); "
            + "to install: apt-get install avahi-daemon libavahi-client3"
    }

    private let service: Service
    private let onChange: @Sendable (String) -> Void
    private let isEnding = Interruption()
    // Of the announcement's thread.
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var hasFailed = false
    private var name: String
    private var told: String?

    /// Announces a service, on a machine without an ``obstacle``.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - onChange: Called with a sentence when the service cannot be found, is found under another name, or is found
    ///     again. Thread: the announcement's.
    init(_ service: Service, onChange: @escaping @Sendable (String) -> Void) {
        (self.service, self.onChange, name) = (service, onChange, service.name)
        _ = WorkerThread(name: "pip-announce") { self.run() }
    }

    /// Withdraws the service, soon.
    func end() { isEnding.raise() }

    // MARK: The announcement's thread

    private func run() {
        guard let poll = unsafe avahi_simple_poll_new() else { return tell("Avahi's library does not start") }
        while !isEnding.isRaised {
            hasFailed = false
            unsafe connect(poll)
            // A client that has no daemon yet waits for it.
            while !isEnding.isRaised, !hasFailed, unsafe avahi_simple_poll_iterate(poll, 200) == 0 {}
            if let client = unsafe client { unsafe avahi_client_free(client) }
            unsafe (client, group) = (nil, nil)
            _ = isEnding.wait(for: -1, events: 0, until: MonotonicClock().now.advanced(by: Self.pause))
        }
        unsafe avahi_simple_poll_free(poll)
    }

    private func connect(_ poll: OpaquePointer) {
        var error: Int32 = 0
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe client = avahi_client_new(
            avahi_simple_poll_get(poll), pip_avahi_waits, clientHasChanged, context, &error)
        if unsafe client == nil { fail(error) }
    }

    fileprivate func take(_ state: Int32, of client: OpaquePointer) {
        switch state {
        case pip_avahi_client_running: unsafe publish(client)
        // The machine's own name changes.
        case pip_avahi_client_registering, pip_avahi_client_collision:
            if let group = unsafe group { unsafe avahi_entry_group_reset(group) }
        case pip_avahi_client_connecting:
            tell("it is not announced in the network, because avahi-daemon does not run")
        case pip_avahi_client_failure:
            // The daemon has ended, which the next client says, or something else has failed.
            let error = unsafe avahi_client_errno(client)
            if error == pip_avahi_disconnected { hasFailed = true } else { fail(error) }
        default: break
        }
    }

    private func publish(_ client: OpaquePointer) {
        if unsafe group == nil {
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe group = avahi_entry_group_new(client, groupHasChanged, context)
        }
        guard let group = unsafe group else { return fail(unsafe avahi_client_errno(client)) }
        unsafe avahi_entry_group_reset(group)
        var error = unsafe add(to: group)
        while error == pip_avahi_collision, takeOtherName() { error = unsafe add(to: group) }
        if error == 0 { error = unsafe avahi_entry_group_commit(group) }
        if error < 0 { fail(error) }
    }

    private func add(to group: OpaquePointer) -> Int32 {
        unsafe pip_avahi_add_service(group, name, service.type, UInt16(service.port), service.text)
    }

    fileprivate func take(_ state: Int32, ofGroup: OpaquePointer) {
        switch state {
        case pip_avahi_group_established:
            if name != service.name {
                tell("it is announced as \(name), because another service has the name \(service.name)")
            } else if told != nil {
                tell("it is announced in the network")
            }
        case pip_avahi_group_collision:
            if takeOtherName(), let client = unsafe client { unsafe publish(client) }
        case pip_avahi_group_failure: if let client = unsafe client { fail(unsafe avahi_client_errno(client)) }
        default: break
        }
    }

    /// Takes the next name, such as `Front door #2`; false if there is none.
    private func takeOtherName() -> Bool {
        guard let other = unsafe avahi_alternative_service_name(name) else { return false }
        name = unsafe String(cString: other)
        unsafe avahi_free(other)
        return true
    }

    private func fail(_ error: Int32) {
        hasFailed = true
        let reason = unsafe String(cString: avahi_strerror(error))
        tell("it is not announced in the network: \(reason)")
    }

    /// Tells a change once.
    private func tell(_ sentence: String) {
        guard sentence != told else { return }
        told = sentence
        onChange(sentence)
    }
}

// Global functions: Avahi calls them with the `ServiceAnnouncement`.
private func clientHasChanged(_ client: OpaquePointer?, _ state: Int32, _ context: UnsafeMutableRawPointer?) {
    guard let client = unsafe client, let context = unsafe context else { return }
    unsafe Unmanaged<ServiceAnnouncement>.fromOpaque(context).takeUnretainedValue().take(state, of: client)
}

private func groupHasChanged(_ group: OpaquePointer?, _ state: Int32, _ context: UnsafeMutableRawPointer?) {
    guard let group = unsafe group, let context = unsafe context else { return }
    unsafe Unmanaged<ServiceAnnouncement>.fromOpaque(context).takeUnretainedValue().take(state, ofGroup: group)
}
#endif
