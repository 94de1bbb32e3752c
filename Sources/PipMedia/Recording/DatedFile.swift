#if Media
internal import Glibc
internal import PipConcurrency
internal import PipSinks
internal import SystemPackage

/// A file of a recording, and the beginning that its name and its header state.
struct DatedFile {
    var path: String
    /// The number of the file within its recording.
    private let number: Int
    /// The time in the file's name.
    private var time: WallTime
    /// The lead of the calendar's clock when the file was named.
    private var lead: Duration
    private var tags: MovieTags

    /// The largest number of a file among those of the same name.
    static let mostAgain = 10_000

    init(_ path: String, number: Int, time: WallTime, lead: Duration, tags: MovieTags) {
        (self.path, self.number, self.time, self.lead, self.tags) = (path, number, time, lead, tags)
    }

    /// Corrects the dates of a complete file, and its name, if the clock has jumped since the file was named.
    ///
    /// Does nothing to a file that was deleted or moved meanwhile.
    ///
    /// - Parameters:
    ///   - names: The names of the recording's files.
    ///   - calendar: The clock.
    mutating func correct(_ names: FileNames, by calendar: RecordingCalendar) {
        guard let jump = calendar.jump(since: lead) else { return }
        (time, lead, tags.start) = (time + jump, lead + jump, tags.start + jump)
        if writeDates(jump), names.hasTime { rename(names) }
    }

    /// Writes the dates into the file's header, and moves the time of its last change, by which retention finds the
    /// oldest file.
    ///
    /// - Parameter jump: The time by which the clock was set.
    /// - Returns: False when there is no regular file of the path.
    private func writeDates(_ jump: Duration) -> Bool {
        let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        tags.date(descriptor, size: Int(status.st_size))
        // The seconds are the first field. Swift finds the name `tv_sec` only with the imports of other files.
        let changed = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe $0.load(as: time_t.self) }
        let later = changed + Int(jump.components.seconds)
        var times = utimbuf(actime: later, modtime: later)
        return unsafe utime(path, &times) == 0
    }

    /// Gives the file the name of its time, or a similar name when another file has it.
    private mutating func rename(_ names: FileNames) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        for again in 1..<Self.mostAgain {
            let named = names.path(number: number, at: Int(time.sinceEpoch.components.seconds), again: again)
            let next = folder + (named.split(separator: "/").last ?? "")
            do throws(Errno) {
                try renameToNew(path, next)
                bringNameToDisk(of: next)
                path = next
                return
            } catch {
                // A file that cannot be renamed keeps its name.
                guard error == .fileExists else { return }
            }
        }
    }
}
#endif
