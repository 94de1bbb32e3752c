internal import Glibc
package import PipConcurrency
internal import SystemPackage

/// Writes picture files that appear under their names once they are complete.
package enum PictureFile {
    /// Writes a picture to a file.
    ///
    /// A name without fields always holds the newest picture. With fields, an existing file is kept: the new
    /// file gets the next free number, or a number such as `-2` before its extension. A special file, such as a pipe,
    /// is written in place. The folder is created if its parent exists.
    ///
    /// - Parameters:
    ///   - bytes: The file's contents.
    ///   - names: The pattern for the file's name.
    ///   - number: The first number to try, from 1.
    ///   - time: The time for the fields of the pattern.
    /// - Returns: The file's path and number.
    /// - Throws: ``SinkError``; then no incomplete file is left, except a special file.
    package static func write(
        _ bytes: [UInt8], as names: FileNames, number: Int, at time: WallTime
    ) throws(SinkError) -> (path: String, number: Int) {
        if names.folder != "." { try createFolder(names.folder) }
        let seconds = Int(time.sinceEpoch.components.seconds)
        let path = names.path(number: number, at: seconds)
        guard names.hasFields, !WholeFile.isSpecial(path) else {
            try WholeFile.replace(path, with: bytes)
            return (path, number)
        }
        let partial = WholeFile.partialPath(in: names.folder)
        try WholeFile.create(partial, bytes, for: names.pattern)
        defer { _ = unsafe unlink(partial) }
        return try link(partial, as: names, number, seconds)
    }

    /// Gives a complete file the first free name of the pattern.
    private static func link(
        _ partial: String, as names: FileNames, _ first: Int, _ seconds: Int
    ) throws(SinkError) -> (path: String, number: Int) {
        let isNumbered = names.path(number: 1, at: seconds) != names.path(number: 2, at: seconds)
        for attempt in 0..<100_000 {
            let number = isNumbered ? first + attempt : first
            let path = names.path(number: number, at: seconds, again: isNumbered ? 1 : attempt + 1)
            if unsafe Glibc.link(partial, path) == 0 { return (path, number) }
            let reason = Errno(rawValue: errno)
            if reason == .fileExists { continue }
            // On file systems without hard links, such as FAT, the file is renamed, which might replace a file that
            // another program creates at this moment.
            if [.notPermitted, .notSupported, .noFunction].contains(reason) {
                if unsafe access(path, F_OK) == 0 { continue }
                if unsafe rename(partial, path) == 0 { return (path, number) }
            }
            throw SinkError.cannotCreate(path, Errno(rawValue: errno))
        }
        throw SinkError(
            names.pattern, "name a file", .cannotCreate,
            "100,000 names of the pattern are in use; delete old files, or use another pattern")
    }
}
