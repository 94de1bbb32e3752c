#if Media
internal import PipSinks

/// Locks complete clips, as long as the locked recordings of the folder have room.
struct ClipLock: Sendable {
    private let files: LockedFiles
    private let sink: String
    private let most: Int
    private let onEvent: @Sendable (SinkEvent) -> Void

    /// - Parameters:
    ///   - names: The names of the clips.
    ///   - most: The largest size of all locked recordings of the folder, in bytes.
    ///   - onEvent: Takes a warning about each clip that is not locked.
    init(_ names: FileNames, most: Int, _ onEvent: @escaping @Sendable (SinkEvent) -> Void) {
        files = LockedFiles(of: names.folder)
        (sink, self.most, self.onEvent) = (names.pattern, most, onEvent)
    }

    /// Locks the clip at `path`, or says why not.
    ///
    /// - Returns: The path of the clip after that.
    func lock(_ path: String) -> String {
        let used = files.bytes(of: MovieFacts.isMovie)
        guard used < most else {
            onEvent(
                .warning(
                    sink: sink,
                    "\(path) is not locked: locked recordings have \(used / 1_000_000) MB, of \(most / 1_000_000) MB; "
                        + "unlock or delete some of them"))
            return path
        }
        do {
            return try files.lock(path.split(separator: "/").last.map(String.init) ?? path)
        } catch {
            onEvent(.warning(sink: sink, "\(path) is not locked: \(error)"))
            return path
        }
    }
}
#endif
