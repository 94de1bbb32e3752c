#if Media
internal import CAvahi
internal import PipFrames

/// A service of this machine that is found in the local network by its name, by Avahi.
///
/// Avahi keeps the service as long as the announcement lives. The announcement waits for a daemon that does not run,
/// and takes another name where another machine has the wanted one: `Front door #2`.
///
/// Source: RFC 6762 (mDNS), RFC 6763 (DNS-SD).
///
/// Thread: any creates and ends an announcement. Avahi's own thread does the rest.
@safe final class ServiceAnnouncement: @unchecked Sendable {
    /// A service, as others find it.
    struct Service: Equatable {
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

    /// The reason why this machine announces nothing, as a sentence without its full stop; nil if it does.
    static var obstacle: String? {
        guard let reason = unsafe pip_load_avahi() else { return nil }
        return "Avahi's library is missing (\(unsafe String(cString: reason))); "
            + "to install: apt-get install avahi-daemon libavahi-client3"
    }

    private let poll: OpaquePointer
    private let service: Service
    private let onChange: @Sendable (String) -> Void
    // Of Avahi's thread, once it runs.
    private var client: OpaquePointer?
    private var group: OpaquePointer?
    private var name: String
    private var told: String?

    /// Announces a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - onChange: Called with a sentence when the service cannot be found, is found under another name, or is found
    ///     again. Thread: the caller's, then Avahi's.
    /// - Throws: ``MediaError`` when Avahi's library is missing.
    init(_ service: Service, onChange: @escaping @Sendable (String) -> Void) throws(MediaError) {
        if let obstacle = Self.obstacle { throw MediaError(kind: .missing, reason: obstacle) }
        guard let poll = unsafe avahi_threaded_poll_new() else {
            throw MediaError(kind: .failed, reason: "Avahi's library does not start")
        }
        unsafe self.poll = unsafe poll
        (self.service, self.onChange, name) = (service, onChange, service.name)
        connect()
        unsafe avahi_threaded_poll_start(poll)
    }

    /// Withdraws the service.
    ///
    /// Blocks until Avahi's thread has ended.
    func end() {
        unsafe avahi_threaded_poll_stop(poll)
        if let client = unsafe client { unsafe avahi_client_free(client) }
        unsafe (client, group) = (nil, nil)
    }

    deinit {
        end()
        unsafe avahi_threaded_poll_free(poll)
    }

    // MARK: Avahi's thread

    private func connect() {
        var error: Int32 = 0
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe client = avahi_client_new(
            avahi_threaded_poll_get(poll), pip_avahi_waits, clientHasChanged, context, &error)
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
            let error = unsafe avahi_client_errno(client)
            // The client's group goes with it.
            unsafe avahi_client_free(client)
            unsafe (self.client, group) = (nil, nil)
            if error == pip_avahi_disconnected { connect() } else { fail(error) }
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
