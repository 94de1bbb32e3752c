#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

extension MovieLoop {
    /// What is written where.
    struct Plan {
        let names: FileNames
        let container: MovieContainer
        let codec: VideoCodec
        let overwrites: Bool
        let keep: Retention?
        let onFull: DiskPolicy
        /// How players are to turn the pictures.
        var orientation = Orientation.identity
        /// The cameras in the picture.
        var title: String?
        /// The part of a whole that it has; nil for a whole.
        var part: MoviePart?
        /// The clock of the frames' timestamps.
        var clock = MonotonicClock()
        /// The list of the files; nil for a recording.
        var playlist: HLSPlaylist?
        var reserve = DiskReserve()
        /// Time between two looks whether there is something new to be brought to the disk: half a fragment.
        var syncInterval = Duration.milliseconds(250)
    }
}

extension MovieLoop.Plan {
    /// Finds out at once what would fail with the first frame only.
    ///
    /// - Throws: ``PipSinks/SinkError`` when there is a file of the name, or its folder takes none.
    func checkDestination() throws(SinkError) {
        let path = names.path(number: 1, at: 0)
        if !names.hasFields, !overwrites, unsafe access(path, F_OK) == 0 {
            throw SinkError(
                path, "create", .cannotCreate, "it exists; overwrite it with overwrite=on, or name another file",
                errno: .fileExists)
        }
        guard unsafe access(names.folder, W_OK | X_OK) != 0 else { return }
        throw SinkError.cannotCreate(path, Errno(rawValue: errno))
    }
}
#endif
