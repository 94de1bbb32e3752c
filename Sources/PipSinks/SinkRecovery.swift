internal import Glibc
package import PipConcurrency
internal import SystemPackage

/// An incident after which a sink continues.
package enum SinkEvent: Sendable, Equatable {
    /// The disk is full or has failed; until the disk takes frames again, frames are dropped, or held back by a sink
    /// that must not drop any.
    case paused(SinkError)
    /// The sink writes frames again, to the file at `path` or to the pictures of the pattern `path`.
    ///
    /// `leftOut` is the number of frames dropped meanwhile.
    case resumed(sink: String, path: String, leftOut: Int)
    /// A warning for the user, as a sentence.
    case warning(sink: String, String)
    /// The clip of some moments is complete, in the file at `path`.
    case clip(sink: String, path: String, [Moment])
}

/// The way in which a sink continues after a full or failed disk: in another file, or with the next picture.
package struct SinkRecovery: Sendable {
    /// The path of the first file, or the pattern for all files.
    package let path: String
    package var reserve: DiskReserve
    /// Returns the size and the free space of the files' disk; nil when unknown.
    package var room: @Sendable () -> DiskRoom?
    /// Makes a writer for another file, with the interruption of the first writer; nil to continue with the failed
    /// writer.
    package let makeWriter: (@Sendable (String, Interruption) throws(SinkError) -> sending any FrameWriter)?

    package init(
        path: String, reserve: DiskReserve = DiskReserve(),
        makeWriter: (@Sendable (String, Interruption) throws(SinkError) -> sending any FrameWriter)?
    ) {
        self.path = path
        self.reserve = reserve
        self.makeWriter = makeWriter
        room = { DiskRoom(folder: folder(of: path)) }
    }

    /// The delay before the next attempt after an error.
    func interval(after error: SinkError) -> Duration {
        error.isDiskFull ? reserve.roomInterval : reserve.retryInterval
    }

    /// True when another attempt may succeed after an error.
    func mayResume(after error: SinkError) -> Bool {
        guard error.isDiskFull, let room = room() else { return true }
        return reserve.mayResume(in: room)
    }

    /// The first path of `out-2.y4m`, `out-3.y4m` and so on that does not exist yet.
    func nextPath() -> String {
        var number = 2
        while unsafe access(path(numbered: number), F_OK) == 0 { number += 1 }
        return path(numbered: number)
    }

    /// The path with a number before its extension: `out-2.y4m` for `out.y4m`.
    func path(numbered number: Int) -> String {
        var file = FilePath(path)
        guard let name = file.lastComponent else { return "\(path)-\(number)" }
        let numbered = "\(name.stem)-\(number)" + (name.extension.map { ".\($0)" } ?? "")
        file.removeLastComponent()
        file.append(numbered)
        return file.string
    }
}
