#if Control && Media
internal import Glibc
internal import NIOPosix
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipRecordings

/// The recordings of a panel: their table, their clients' permissions, and the thread that keeps the table up to date.
final class PanelArchive: Sendable {
    /// The time from one look at the folder to the next.
    private static let interval = Duration.seconds(5)
    /// The beginning of the names of exported files, which are hidden.
    private static let exportMark = ".export-"

    let recordings: Recordings
    let allowsChanges: Bool
    /// The exports that run at the same time: each reads and writes files as fast as the disk can.
    let exports = CountingLimit(2)
    let thumbnails = RecordingThumbnails()

    /// - Throws: ``PipSources/SourceError`` when the folder cannot be read.
    init(_ options: PanelRecordings) throws(SourceError) {
        recordings = try Recordings(options.folder)
        allowsChanges = options.allowsChanges
    }

    /// Runs a function that waits for the disk, on a thread that may wait.
    static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Keeps the table up to date until the current task is cancelled.
    func run() async {
        let interruption = Interruption()
        let thread = WorkerThread(name: "pip-recordings") { [self] in
            // On Linux, the call changes the priority of this thread alone.
            _ = setpriority(.init(PRIO_PROCESS.rawValue), 0, 10)
            removeOldExports()
            let clock = MonotonicClock()
            var isThorough = true
            while !interruption.isRaised {
                // A look that fails, as while the disk is away, is repeated.
                if (try? recordings.refresh(isThorough: isThorough, until: interruption)) != nil { isThorough = false }
                _ = interruption.wait(for: -1, events: 0, until: clock.now.advanced(by: Self.interval))
            }
        }
        await withTaskCancellationHandler {
            await thread.joined()
        } onCancel: {
            interruption.raise()
        }
    }

    // MARK: Exports

    /// Chooses a path for an exported file: in the folder of recordings, or in the folder of temporary files when
    /// nothing can be written there.
    func exportPath(like name: String) -> String {
        let other = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let folder = unsafe access(recordings.folder, W_OK) == 0 ? recordings.folder : other
        let ending = name.split(separator: ".").last ?? "mp4"
        return "\(folder)/\(Self.exportMark)\(UInt64.random(in: 0 ... .max)).\(ending)"
    }

    /// Deletes the exported files that a crash has left behind.
    private func removeOldExports() {
        for name in Folder.entries(of: recordings.folder)
        where name.hasPrefix(Self.exportMark) || name.hasPrefix(".unfinished-\(Self.exportMark)") {
            _ = unsafe unlink("\(recordings.folder)/\(name)")
        }
    }

    // MARK: Errors

    /// Translates an error about recordings into a problem, in which files have their names in the list.
    func problem(_ error: SourceError) -> Problem {
        let status =
            switch error.kind {
            case .notFound: 404
            // Without an error of the system, the recording itself forbids it: it is locked, or being written.
            case .notPermitted: error.errno == nil ? 409 : 403
            case .damaged, .invalidOptions: 409
            case .failed: error.errno == nil && ["lock", "unlock"].contains(error.operation) ? 409 : 500
            }
        return Problem(status, withoutFolder(error.description))
    }

    /// A sentence without the path of the folder.
    func withoutFolder(_ sentence: String) -> String { sentence.replacing("\(recordings.folder)/", with: "") }
}
#endif
