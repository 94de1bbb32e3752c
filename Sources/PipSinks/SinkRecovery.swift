internal import Glibc
package import PipConcurrency
internal import SystemPackage

/// What happens to a sink that goes on.
package enum SinkEvent: Sendable, Equatable {
    /// The disk is full or failed: frames are left out until it takes them again.
    case paused(SinkError)
    /// Frames are written again, to another file; `leftOut` were dropped meanwhile.
    case resumed(sink: String, path: String, leftOut: Int)
    /// Something that it goes on after, in a sentence.
    case warning(sink: String, String)
}

/// The recovery of a sink whose disk was full or failed: in another file beside the first, or with the next picture.
package struct SinkRecovery: Sendable {
    /// The first file's path, or the pattern of all files.
    package let path: String
    package var reserve: DiskReserve
    /// The room on the files' disk; nil when it cannot be told.
    package var room: @Sendable () -> DiskRoom?
    /// A writer for another file, which ends its waits when the first writer's would; nil where the writer that failed
    /// goes on itself.
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

    /// When to try again after an error.
    func interval(after error: SinkError) -> Duration {
        error.isDiskFull ? reserve.roomInterval : reserve.retryInterval
    }

    /// True when another attempt may succeed after an error.
    func mayResume(after error: SinkError) -> Bool {
        guard error.isDiskFull, let room = room() else { return true }
        return reserve.mayResume(in: room)
    }

    /// The path of the next file, which does not exist yet: `out-2.y4m`, `out-3.y4m` and so on.
    func nextPath() -> String {
        var number = 2
        while unsafe access(path(numbered: number), F_OK) == 0 { number += 1 }
        return path(numbered: number)
    }

    /// `out-2.y4m` for `out.y4m`.
    func path(numbered number: Int) -> String {
        var file = FilePath(path)
        guard let name = file.lastComponent else { return "\(path)-\(number)" }
        let numbered = "\(name.stem)-\(number)" + (name.extension.map { ".\($0)" } ?? "")
        file.removeLastComponent()
        file.append(numbered)
        return file.string
    }
}
