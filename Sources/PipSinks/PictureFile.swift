internal import Glibc
package import PipConcurrency
internal import SystemPackage

/// A picture file that appears under its name once it is complete.
package enum PictureFile {
    /// Writes a file.
    ///
    /// A name without fields belongs to the newest picture, which is replaced. With fields no file is ever replaced:
    /// the name gets another number, or `-2` before its extension. The folder is created if only it is missing.
    ///
    /// - Parameters:
    ///   - bytes: The file's contents.
    ///   - names: The file's name.
    ///   - number: The number to begin with, from 1.
    ///   - time: The time for the names' fields.
    /// - Returns: The file's path and number.
    /// - Throws: ``SinkError``; then no part of the picture stays.
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

    /// Gives a complete file the first free name.
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
            // File systems without links, such as FAT, get a rename. Nobody else makes files of this name at this
            // moment.
            if [.notPermitted, .notSupported, .noFunction].contains(reason) {
                if unsafe access(path, F_OK) == 0 { continue }
                if unsafe rename(partial, path) == 0 { return (path, number) }
            }
            throw SinkError.cannotCreate(path, Errno(rawValue: errno))
        }
        throw SinkError(names.pattern, "name a file", .cannotCreate, "100000 files of its names are there already")
    }
}
