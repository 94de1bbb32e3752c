#if Media
internal import CGStreamer
internal import CRTSPServer
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The running server of a port, by GStreamer's library.
///
/// Thread: any. The listener's own thread accepts players, and answers their requests.
@safe final class RTSPListener: @unchecked Sendable {
    /// The address and port of a server.
    struct Place: Hashable {
        let host: String
        let port: Int

        var text: String { Authority.text(host, port) }
    }

    /// The name and the password of a user.
    struct User: Equatable {
        let name: String
        let password: String
    }

    /// The largest number of players at a time; further players are refused.
    static let mostPlayers = 64
    /// The largest number of connections at a time, of which some may not play; further ones are closed.
    static let mostConnections = 128

    /// The certificate of a server that sends by TLS; nil for one that does not.
    let certificate: ServerCertificate?
    private let server: OpaquePointer
    private let listening: UnsafeMutablePointer<GSource>
    private let auth: OpaquePointer
    private let events: EventLoop
    private let thread: WorkerThread

    /// The reason why this machine serves no RTSP, as a sentence without its full stop; nil if it does.
    static var obstacle: String? {
        guard let reason = unsafe pip_load_rtsp_server() else { return nil }
        return "the library of GStreamer's RTSP server is missing (\(unsafe String(cString: reason))); "
            + "to install: apt-get install gstreamer1.0-rtsp"
    }

    /// Listens.
    ///
    /// - Parameters:
    ///   - place: The address and port.
    ///   - certificate: The certificate of a server that sends by TLS. Nil for one that does not.
    ///   - onPlay: Called when a player begins to play. Thread: the listener's.
    /// - Throws: ``MediaError`` when the library is missing, or when the port or the certificate cannot be used.
    init(_ place: Place, _ certificate: ServerCertificate?, onPlay: @escaping @Sendable () -> Void) throws(MediaError) {
        try GStreamer.start()
        if let obstacle = Self.obstacle { throw MediaError(kind: .missing, reason: obstacle) }
        let loaded = unsafe try certificate?.load()
        defer { if let loaded = unsafe loaded { unsafe g_object_unref(loaded) } }
        guard let server = unsafe gst_rtsp_server_new(), let auth = unsafe gst_rtsp_auth_new() else {
            throw MediaError(kind: .failed, reason: "GStreamer makes no RTSP server")
        }
        unsafe gst_rtsp_server_set_address(server, place.host)
        unsafe gst_rtsp_server_set_service(server, "\(place.port)")
        // Of connections beyond the library's own 5, the kernel would drop the first packets.
        unsafe gst_rtsp_server_set_backlog(server, gint(Self.mostConnections))
        var error: UnsafeMutablePointer<GError>?
        guard let listening = unsafe gst_rtsp_server_create_source(server, nil, &error) else {
            let reason = unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "GStreamer gives no reason"
            unsafe g_clear_error(&error)
            unsafe release(server)
            unsafe release(auth)
            throw MediaError(kind: .failed, reason: "\(place.text): \(reason)")
        }
        unsafe (self.server, self.listening, self.auth) = unsafe (server, listening, auth)
        self.certificate = certificate
        let events = EventLoop()
        self.events = events
        let pool = unsafe gst_rtsp_server_get_session_pool(server)
        unsafe gst_rtsp_session_pool_set_max_sessions(pool, guint(Self.mostPlayers))
        unsafe release(pool)
        // The library's own threads have no main context of GLib: the ends of TLS handshakes would wait for ever in
        // that of the process, which nobody runs, and keep their sockets open.
        let threads = unsafe gst_rtsp_server_get_thread_pool(server)
        unsafe gst_rtsp_thread_pool_set_max_threads(threads, 0)
        unsafe release(threads)
        unsafe pip_rtsp_admit_anybody(auth)
        if let loaded = unsafe loaded {
            unsafe gst_rtsp_auth_set_tls_certificate(auth, loaded)
            unsafe gst_rtsp_server_set_auth(server, auth)
        }
        unsafe pip_rtsp_end_silence(server, events.context)
        unsafe Self.follow(server, onPlay)
        unsafe g_source_attach(listening, events.context)
        thread = WorkerThread(name: "pip-rtsp-server") { events.run() }
    }

    /// Counts connections, closes those that are too many, and tells of players that begin to play.
    private static func follow(_ server: OpaquePointer, _ onPlay: @escaping @Sendable () -> Void) {
        let connections = Monitor(0)
        unsafe Signal.on("client-connected", of: UnsafeMutableRawPointer(server)) { client in
            guard let client = unsafe client else { return }
            let count = connections.update { count in
                count += 1
                return count
            }
            unsafe Signal.on("closed", of: client) { connections.update { $0 -= 1 } }
            if count > mostConnections { return unsafe pip_rtsp_hang_up(OpaquePointer(client)) }
            unsafe Signal.on("play-request", of: client) { _ in onPlay() }
        }
    }

    deinit {
        unsafe g_source_unref(listening)
        unsafe release(server)
        unsafe release(auth)
    }

    /// Closes all connections, and listens no more.
    ///
    /// Blocks until the listener's thread has ended.
    func stop() {
        unsafe g_source_destroy(listening)
        events.stop()
        thread.join()
        unsafe pip_rtsp_close_clients(server)
    }

    /// Serves a path.
    ///
    /// - Parameters:
    ///   - path: The path, with its leading slash.
    ///   - factory: GStreamer's object for the path, which the listener takes over.
    ///   - user: The user who may play the path. Nil admits everybody.
    func add(_ path: String, _ factory: OpaquePointer, for user: User?) {
        unsafe pip_rtsp_allow(factory, user?.name)
        if let user {
            unsafe pip_rtsp_add_user(auth, user.name, user.password)
            unsafe gst_rtsp_server_set_auth(server, auth)
        }
        unsafe withMounts { unsafe gst_rtsp_mount_points_add_factory($0, path, factory) }
    }

    /// Serves a path no longer.
    func remove(_ path: String) { unsafe withMounts { unsafe gst_rtsp_mount_points_remove_factory($0, path) } }

    private func withMounts(_ body: (OpaquePointer?) -> Void) {
        let mounts = unsafe gst_rtsp_server_get_mount_points(server)
        unsafe body(mounts)
        unsafe release(mounts)
    }
}

/// GLib's events of a thread.
@safe private final class EventLoop: @unchecked Sendable {
    let context: OpaquePointer
    private let isStopped = Atomic(false)

    init() { unsafe context = unsafe g_main_context_new() }

    deinit { unsafe g_main_context_unref(context) }

    /// Handles events until ``stop()``, which may come first.
    func run() {
        unsafe g_main_context_push_thread_default(context)
        while !isStopped.load(ordering: .acquiring) { _ = unsafe g_main_context_iteration(context, 1) }
        unsafe g_main_context_pop_thread_default(context)
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        unsafe g_main_context_wakeup(context)
    }
}

private func release(_ object: OpaquePointer?) {
    if let object = unsafe object { unsafe g_object_unref(UnsafeMutableRawPointer(object)) }
}
#endif
