#if Control
public import PipCompose
public import PipRig
internal import Synchronization

/// A panel for a running composition: an HTTP API, a page and a live picture.
///
/// ```swift
/// let panel = Panel(try PanelOptions(PanelAddress("8080")), program: "kiosk 1.0")
/// let rig = try await LiveRig(RigFile(path: "rig.yaml")) { panel.attach(to: $0) }
/// async let served: Void = panel.run(rig) { address in print("http://\(address)") }
/// try await rig.session.run()
/// ```
public final class Panel: Sendable {
    /// The limit of concurrent requests, beyond which the panel answers with 503.
    private static let requestLimit = 64

    private let options: PanelOptions
    private let connectionLimit: Int
    private let previews = Previews()
    private let program: String
    private let watch = Mutex<StateWatch?>(nil)
    private let reload: (@Sendable () async throws -> Void)?

    /// Creates a panel, which ``run(_:ready:)`` starts.
    ///
    /// - Parameters:
    ///   - options: The panel's address, and its clients' permissions.
    ///   - program: The name and version of the program, for clients.
    ///   - connections: The largest number of concurrent connections. The panel answers up to 64 further
    ///     connections with 503; later ones wait.
    ///   - reload: Reads the configuration file again when a client requests this; nil for a composition without
    ///     such a file.
    public init(
        _ options: PanelOptions, program: String, connections: Int = 256,
        reload: (@Sendable () async throws -> Void)? = nil
    ) {
        self.options = options
        connectionLimit = connections
        self.program = program
        self.reload = reload
    }

    /// The number of viewers of the live picture.
    var viewers: Int { previews.viewers }

    /// Connects the live picture to the composed picture.
    ///
    /// Call this function before the session is opened, as the `attach` closure of ``LiveRig`` does. The panel encodes
    /// only while it has viewers.
    ///
    /// - Parameter picture: The composed picture.
    public func attach(to picture: any FrameProducer) { previews.attach(to: picture) }

    /// Sends a message to all clients that follow the events; does nothing before ``run(_:ready:)``.
    ///
    /// - Parameters:
    ///   - event: The name of the event, for programs.
    ///   - level: The severity: `info`, `warning` or `error`.
    ///   - message: A sentence for users.
    public func tell(_ event: String, _ level: String, _ message: String) async {
        guard let feed = watch.withLock({ $0?.feed }) else { return }
        await feed.tell(event, level, message)
    }

    /// Serves clients until the current task is cancelled.
    ///
    /// - Parameters:
    ///   - live: The composition, whose session may be running or start later.
    ///   - ready: Receives the address with the actual port, once the panel accepts connections.
    /// - Throws: ``PanelError`` when the panel cannot listen on its address, or read its folder of recordings.
    public func run(_ live: LiveRig, ready: @escaping @Sendable (String) -> Void = { _ in }) async throws {
        let facts = PanelFacts(
            program: program, preview: previews.kind, root: options.root,
            recordings: options.recordings.map { $0.allowsChanges ? "change" : "read" } ?? "none")
        let watch = StateWatch(live, facts)
        self.watch.withLock { $0 = watch }
        var context = PanelContext(
            live: live, watch: watch, access: Access(options, hostName: HostName.present), options: options,
            previews: previews, reload: reload, program: program)
        #if Media
        do throws(SourceError) { context.archive = try options.recordings.map(PanelArchive.init) } catch {
            throw PanelError("the panel's recordings: \(error)", isUnavailable: true)
        }
        #endif
        let server = PanelServer(
            PanelService(context), options.address, connections: connectionLimit, requests: Self.requestLimit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await watch.run() }
            #if Media
            if let archive = context.archive { group.addTask { await archive.run() } }
            #endif
            group.addTask { try await server.run(ready: ready) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
#endif
