#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

extension MovieLoop {
    /// The plan of a recording: its files and their properties.
    struct Plan {
        let names: FileNames
        let container: MovieContainer
        let codec: VideoCodec
        let overwrites: Bool
        let keep: Retention?
        let onFull: DiskPolicy
        /// The length of each file; nil for one file until the end.
        var segments: SegmentLimit?
        /// The orientation in which players show the pictures.
        var orientation = Orientation.identity
        /// The names of the cameras in the picture.
        var title: String?
        /// The part of a whole that the file is; nil for a whole.
        var part: MoviePart?
        /// The clock of the frames' timestamps.
        var clock = MonotonicClock()
        /// The playlist of the files; nil for a recording.
        var playlist: HLSPlaylist?
        var reserve = DiskReserve()
        /// The time between two syncs of new data to the disk: half a fragment.
        var syncInterval = Duration.milliseconds(250)
    }
}

extension SinkError {
    /// The error of a file that exists and must not be overwritten.
    static func exists(_ path: String) -> SinkError {
        SinkError(
            path, "create", .cannotCreate, "it exists; overwrite it with overwrite=on, or name another file",
            errno: .fileExists)
    }
}

extension MovieLoop.Plan {
    /// Checks now what would otherwise fail with the first frame.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the file exists, or when its folder cannot be written.
    func checkDestination() throws(SinkError) {
        let path = names.path(number: 1, at: 0)
        if !names.hasFields, !overwrites, unsafe access(path, F_OK) == 0 {
            throw .exists(path)
        }
        guard unsafe access(names.folder, W_OK | X_OK) != 0 else { return }
        throw SinkError.cannotCreate(path, Errno(rawValue: errno))
    }
}
#endif
