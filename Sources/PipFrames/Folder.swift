internal import Glibc

/// Functions that list folders and resolve paths.
package enum Folder {
    /// The names of a folder's entries, without `.` and `..`, in any order; empty when the folder cannot be read.
    package static func entries(of path: String) -> [String] { readableEntries(of: path) ?? [] }

    /// The names of a folder's entries, without `.` and `..`, in any order.
    ///
    /// - Returns: The names. Nil when the folder cannot be read, with the cause in `errno`.
    package static func readableEntries(of path: String) -> [String]? {
        var names: [String] = []
        return forEachEntry(of: path) { names.append($0) } ? names : nil
    }

    /// Calls a function with the name of each entry of a folder, without `.` and `..`, in any order.
    ///
    /// - Returns: True. False when the folder cannot be read, with the cause in `errno`.
    @discardableResult
    package static func forEachEntry(of path: String, _ body: (String) -> Void) -> Bool {
        guard let stream = unsafe opendir(path) else { return false }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { body(name) }
        }
        return true
    }

    /// The full path of a file or folder, with all symbolic links resolved.
    ///
    /// - Returns: The path. Nil when the file does not exist or a folder of its path cannot be searched, with the cause
    ///   in `errno`.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
