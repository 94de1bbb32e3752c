#if Media
package import PipConcurrency
package import PipMedia
internal import PipSinks

/// A recording: a movie file in a folder of recordings.
package struct Recording: Sendable, Hashable {
    /// The completeness of a recording's file.
    package enum State: String, Sendable {
        case complete
        /// The file is being written.
        case recording
        /// The recording was interrupted, for example by a power cut. The file plays up to the interruption.
        case interrupted
        /// The file is not readable as a movie.
        case damaged
    }

    /// The path of the file within the folder: its name, with `locked/` before it when the recording is locked.
    package var name: String
    /// The time of the first picture.
    package var start: WallTime
    package var duration: Duration
    /// The size of the file in bytes.
    package var bytes: Int
    /// The names of the cameras in the picture; empty when unknown.
    package var cameras: [String]
    /// The moments that a clip keeps; empty for a recording that is no clip.
    package var moments: [RecordedMoment]
    package var state: State

    /// True for a locked recording, which only a user deletes.
    package var isLocked: Bool { name.hasPrefix(LockedFiles.folderName + "/") }

    /// The file's name without a folder.
    package var fileName: String { name.split(separator: "/").last.map(String.init) ?? name }

    /// The time of the end of the last picture.
    package var end: WallTime { WallTime(sinceEpoch: start.sinceEpoch + duration) }
}

/// A choice of recordings.
package struct RecordingQuery: Sendable, Hashable {
    /// The recordings that end after this time; nil for no limit.
    package var from: WallTime?
    /// The recordings that begin before this time; nil for no limit.
    package var to: WallTime?
    /// A text in the name, the cameras' names or the moments; nil for any recording.
    package var text: String?
    /// True for locked recordings only, false for unlocked recordings only; nil for both.
    package var isLocked: Bool?
    /// True for recordings with moments only.
    package var hasMoments = false
    /// The largest number of recordings.
    package var limit = 100
    /// The number of recordings to leave out, the newest ones.
    package var offset = 0

    package init() {}
}

/// A day with recordings.
package struct RecordingDay: Sendable, Hashable {
    /// The day in local time: `2026-11-29`.
    package let date: String
    /// The number of recordings that begin on the day.
    package let count: Int
    /// The size of their files in bytes.
    package let bytes: Int
    /// The number of those that have moments.
    package let clips: Int
}
#endif
