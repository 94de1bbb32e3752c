import Logging
import PipCompose
import PipRig

/// Reloads the policy's file or the configuration at SIGHUP, and the configuration, with `--watch`, at each change.
///
/// A file with a mistake changes nothing; the console reports the mistake.
actor Reloading {
    /// The interval at which a watched file is polled.
    private static let interval = Duration.milliseconds(500)

    private let origin: RunRequest.Origin
    private let console: Console
    /// The configuration that was last applied; nil for a run without a configuration file.
    private var base: RigFile?

    init(_ origin: RunRequest.Origin, _ console: Console) {
        self.origin = origin
        self.console = console
        if case .configuration(_, let file, _) = origin { base = file }
    }

    /// True if the run was started with a configuration file.
    nonisolated var hasConfiguration: Bool { if case .configuration = origin { true } else { false } }

    /// Reloads at each SIGHUP, and at each change of a watched file, until the current task is cancelled.
    func follow(_ interrupts: InterruptWatch, _ live: LiveRig) async {
        switch origin {
        case .none: break
        case .policy(let path, let waits):
            for await _ in interrupts.reloads() { await readPolicy(path, waits: waits, live.session) }
        case .configuration(let path, _, let watches):
            for await _ in Self.triggers(interrupts, watches ? path : nil) {
                do { try await read(live) } catch {
                    console.write(
                        "\(CommandError(error)); everything stays as it was", .error, event: "configuration-rejected")
                }
            }
        }
    }

    private func readPolicy(_ path: String, waits: Bool, _ session: Session) async {
        do throws(ConfigurationError) {
            let policy = try PolicyFile(path: path).policy()
            await session.setPressurePolicy(waits ? policy.waitingAtShutdown : policy)
            console.write("\(path): read again", .info, event: "policy-reloaded")
        } catch {
            console.writeError("\(error); the policy stays as it was", event: "policy-rejected")
        }
    }

    /// Reads the configuration again, and applies its changes.
    ///
    /// - Throws: The mistake in the file, or the error of a composition that cannot be drawn. After an error the
    ///   composition is unchanged.
    func read(_ live: LiveRig) async throws {
        guard case .configuration(let path, _, _) = origin, let before = base else { return }
        let file = try RigFile(path: path)
        console.warn(file.remarks)
        try await live.reload(file, from: before)
        if file.panel != before.panel {
            console.write("\(path): changes of the panel need a restart", .warning, event: "needs-restart")
        }
        if file.broker != before.broker {
            console.write("\(path): changes of mqtt need a restart", .warning, event: "needs-restart")
        }
        base = file
        console.write("\(path): read again", .info, event: "configuration-reloaded")
    }

    /// Returns a stream with one element for each SIGHUP and for each change of the file; nil for `path` watches no
    /// file.
    private static func triggers(_ interrupts: InterruptWatch, _ path: String?) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let signals = Task { for await _ in interrupts.reloads() { continuation.yield() } }
        let changes = path.map { path in
            Task {
                var last = FileStamp(path)
                while !Task.isCancelled {
                    try? await Task.sleep(for: interval)
                    let now = FileStamp(path)
                    // An editor that replaces the file may remove the file for a moment.
                    if now != last, now != nil { continuation.yield() }
                    last = now ?? last
                }
            }
        }
        continuation.onTermination = { _ in
            signals.cancel()
            changes?.cancel()
        }
        return stream
    }
}
