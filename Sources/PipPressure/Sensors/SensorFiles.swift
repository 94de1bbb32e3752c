internal import Glibc
internal import PipFrames
package import SystemPackage

/// Access to the files in which the kernel shows its sensors, or to a test's copies of them.
///
/// Paths have no leading slash: `sys/class/thermal/thermal_zone0/temp`.
package protocol SensorFiles: Sendable {
    /// Reads the text of a small file, without white space at its end.
    func text(of path: String) throws(Errno) -> String

    /// The names of a folder's entries, in any order; empty when the folder cannot be read.
    func names(in path: String) -> [String]
}

/// Files below a folder, which is `/` for the machine's own sensors.
package struct RootedFiles: SensorFiles {
    private let prefix: String

    /// Creates access to the files below a folder.
    ///
    /// - Parameter root: The folder in place of `/`.
    package init(root: String = "/") { prefix = root.hasSuffix("/") ? root : root + "/" }

    package func text(of path: String) throws(Errno) -> String {
        // A sysfs attribute fits into one page.
        guard let text = FileContents.text(of: prefix + path, limit: 4096) else { throw Errno(rawValue: errno) }
        return text
    }

    package func names(in path: String) -> [String] { Folder.entries(of: prefix + path) }
}

extension SensorFiles {
    /// The whole number in a file; nil when the file is missing or does not contain a number.
    func integer(at path: String) -> Int? {
        guard let text = try? text(of: path) else { return nil }
        return Int(text)
    }

    /// The names of a folder's entries that consist of a prefix and a number, in the order of the numbers.
    func numbered(_ prefix: String, in path: String) -> [String] {
        let found = names(in: path).compactMap { name -> (number: Int, name: String)? in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return nil }
            return (number, name)
        }
        return found.sorted { $0.number < $1.number }.map(\.name)
    }
}
