#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import SystemPackage

extension MovieLoop {
    /// The constant properties of a recording: its files, their format and their limits.
    struct Plan {
        let names: FileNames
        let container: MovieContainer
        let codec: VideoCodec
        let overwrites: Bool
        let keep: Retention?
        let onFull: DiskPolicy
        /// The length of clips around marked moments; nil to record everything.
        var clips: ClipWindow?
        /// The length of each file; nil for one file.
        var segments: SegmentLimit?
        /// The time-lapse whose pictures the recording gets, at the times at which they are shown; nil for real time.
        var timeLapse: TimeLapse?
        /// The orientation in which players show the pictures.
        var orientation = Orientation.identity
        /// The title: the names of the cameras in the picture; nil for a picture without cameras.
        var title: String?
        /// The part of a movie that this file holds; nil when the file holds the whole movie.
        var part: MoviePart?
        /// The clock of the frames' timestamps.
        var clock = MonotonicClock()
        /// The clock that names the files.
        var calendar = RecordingCalendar()
        /// The playlist of the files; nil for a plain recording.
        var playlist: HLSPlaylist?
        var reserve = DiskReserve()
        /// The time between two syncs of new data to the disk: half a fragment.
        var syncInterval = Duration.milliseconds(250)
    }
}

extension MovieLoop.Plan {
    /// Checks that the file can be created, so that an error does not come only with the first frame.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the file exists and must not be replaced, or when its folder is not
    ///   writable.
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
