internal import Foundation

/// Access to files of the checkout, by paths relative to its root, which is the working directory.
enum Files {
    /// The text of a file; nil for a file that cannot be read.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file, or throws ``Failure`` if the file cannot be written.
    static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure("\(path) cannot be written: \(error)")
        }
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    static func makeFolder(_ path: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure("\(path) cannot be made: \(error)")
        }
    }

    /// Checks the free disk space.
    ///
    /// - Throws: ``Failure`` if less than this number of megabytes is free.
    static func requireSpace(megabytes: Int) throws(Failure) {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: root)
        guard let free = attributes?[.systemFreeSize] as? Int, free < megabytes << 20 else { return }
        throw Failure(
            "\(root): \(free >> 20) MB are free, but the tests need \(megabytes) MB: make room and try again")
    }

    /// The path of the checkout's root.
    static var root: String { FileManager.default.currentDirectoryPath }

    /// The last lines of a file that are not empty, at most `count`.
    static func tail(_ path: String, _ count: Int = 30) -> String {
        (text(path) ?? "").split(separator: "\n").suffix(count).joined(separator: "\n")
    }

    /// The texts of all files below a folder whose names end with `ending`.
    static func texts(in folder: String, named ending: String) -> some Sequence<String> {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.lazy.filter { $0.hasSuffix(ending) }.compactMap { text("\(folder)/\($0)") }
    }
}

/// Reads the machine's monotonic clock, and the number of its processors.
enum Clock {
    /// The seconds since an arbitrary moment.
    static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// The number of processors that this process may use.
    static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }
}

/// An error that ends the program.
struct Failure: Error, CustomStringConvertible {
    let description: String
    /// The exit status of the program.
    let status: Int32

    init(_ description: String, status: Int32 = 1) {
        self.description = description
        self.status = status
    }
}

enum Environment {
    static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

/// Prints a line to standard error.
func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
