import FoundationEssentials
import Logging
import PipCompose
import PipRig

#if Control
import PipControl

/// The panel that accompanies a run.
struct PanelRun: Sendable {
    private let panel: Panel

    /// Creates the panel, and its folder for outputs if necessary.
    ///
    /// - Parameters:
    ///   - settings: The settings of the panel.
    ///   - reload: Reads the configuration file again; nil for a run without a configuration file.
    /// - Throws: ``CommandError`` for an invalid address or token, and for a folder that cannot be written or read;
    ///   ``UsageError`` for a reference in the token that has no value.
    init(_ settings: RigFile.PanelSettings, reload: (@Sendable () async throws -> Void)?) throws {
        do {
            if let folder = settings.root {
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                guard FileManager.default.isWritableFile(atPath: folder + "/.") else {
                    throw CommandError(.cannotCreate, "the panel's root \(folder) is not a folder that can be written")
                }
            }
            var options = try PanelOptions(
                PanelAddress(settings.listen),
                token: try settings.token.map { text in try Secrets.filled(in: text, isAddress: false) },
                root: settings.root, hosts: settings.hosts, origins: settings.origins)
            options.recordings = try settings.recordings.map(PanelRecordings.init)
            panel = Panel(options, program: "pip-compose \(Version.text)", reload: reload)
        } catch let error as PanelError {
            throw CommandError(.configuration, error.description)
        }
    }

    func attach(to picture: any FrameProducer) { panel.attach(to: picture) }

    func tell(_ event: SessionEvent) async {
        let level = event.level >= .error ? "error" : event.level >= .warning ? "warning" : "info"
        await panel.tell(event.word, level, event.description)
    }

    /// Serves clients until the current task is cancelled.
    ///
    /// - Throws: ``CommandError`` when the panel cannot listen.
    func serve(_ live: LiveRig, ready: @escaping @Sendable (String) -> Void) async throws {
        do { try await panel.run(live, ready: ready) } catch let error as PanelError {
            throw CommandError(.unavailable, error.description)
        }
    }
}
#else
/// Refuses `--panel` in a program that was built without the panel.
struct PanelRun: Sendable {
    init(_ settings: RigFile.PanelSettings, reload: (@Sendable () async throws -> Void)?) throws {
        throw CommandError(
            .usage,
            "the panel \(settings.listen): this pip-compose was built without the panel; build it with the trait Control, which is on by default"
        )
    }

    func attach(to picture: any FrameProducer) {}
    func tell(_ event: SessionEvent) async {}
    func serve(_ live: LiveRig, ready: @escaping @Sendable (String) -> Void) async throws {}
}
#endif
