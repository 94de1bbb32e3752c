import Foundation

/// Writes the manual pages of a program that uses the argument parser: `pip-manual PROGRAM FOLDER`.
///
/// The program's own help provides the text. `SOURCE_DATE_EPOCH`, in seconds since 1970, sets the date of the pages;
/// without it, the date is today's.
@main
struct PipManual {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { return fail("usage: pip-manual PROGRAM FOLDER", 64) }
        do {
            let program = URL(filePath: arguments[1])
            let dump = try output(of: program, "--experimental-dump-help")
            let version = String(decoding: try output(of: program, "--version"), as: UTF8.self)
            let pages = try pages(of: dump, version.trimmingCharacters(in: .whitespacesAndNewlines), date: date)
            for (name, text) in pages {
                try Data(text.utf8).write(to: URL(filePath: arguments[2]).appending(path: "\(name).1"))
            }
        } catch {
            fail("cannot make the manual of \(arguments[1]): \(error)", 65)
        }
    }

    /// The manual pages of a command and its subcommands, keyed by page name.
    ///
    /// - Parameters:
    ///   - dump: The argument parser's description of the program, as JSON.
    ///   - version: The program's version.
    ///   - date: The date of the pages.
    /// - Returns: The source texts of the pages.
    /// - Throws: `DecodingError` for JSON that is not a description of a program.
    static func pages(of dump: Data, _ version: String, date: String) throws -> [String: String] {
        let command = try JSONDecoder().decode(HelpDump.self, from: dump).command
        let root = ManualPage(command: command, above: [], version: version, date: date)
        let all = [root] + root.subpages
        let texts = all.map { ($0.name, $0.text(seeAlso: all.map(\.name))) }
        return Dictionary(texts) { first, _ in first }
    }

    private static var date: String {
        let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
        let moment = seconds.map(Date.init(timeIntervalSince1970:)) ?? .now
        return moment.formatted(.iso8601.year().month().day())
    }

    private static func output(of program: URL, _ argument: String) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = [argument]
        // A page has 80 columns, from which the indent of its text is subtracted.
        process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "72"]) { $1 }
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return data
    }

    private static func fail(_ message: String, _ status: Int32) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(status)
    }
}
