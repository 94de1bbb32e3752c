internal import PipFrames

/// Reads the kernel's files about sound devices.
struct SoundFiles: Sendable {
    private let root: String

    /// - Parameter root: The folder to use in place of `/`; `/` for the machine's own files.
    init(root: String) { self.root = root.hasSuffix("/") ? root : root + "/" }

    /// The text of a small file, without white space at its end; nil when the file cannot be read.
    func text(of path: String) -> String? { FileContents.text(of: root + path) }

    /// The names of a folder's entries, in no particular order; nil when the folder cannot be read.
    func names(in path: String) -> [String]? { Folder.readableEntries(of: root + path) }

    /// The full path, with all symbolic links resolved; nil when the path does not exist or cannot be read.
    func resolved(_ path: String) -> String? { Folder.resolved(root + path) }

    /// The value of `key` in a text with lines such as `name: USB Audio`; nil when the key is missing.
    static func value(of key: String, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), line[..<colon].trimmed == key else { continue }
            return line[line.index(after: colon)...].trimmed
        }
        return nil
    }
}
