import Foundation

/// A block of a page, and what the comment before it says of it.
struct GuideBlock {
    /// The instruction in the comment before a block.
    enum Note: Equatable {
        case none
        /// `needs root`: it is read, but not run.
        case needs(String)
        /// `runs on`: its last command goes on while what follows on the page is run.
        case runsOn
        /// `ends with 73`: its exit status.
        case ends(Int32)
        /// `file: car.yaml`: readers save it.
        case file(String)
        case unknown(String)

        init(_ text: String) {
            if text == "runs on" {
                self = .runsOn
            } else if let status = Self.rest(of: text, after: "ends with ").flatMap({ Int32($0) }) {
                self = .ends(status)
            } else if let thing = Self.rest(of: text, after: "needs ") {
                self = .needs(thing)
            } else if let name = Self.rest(of: text, after: "file: ") {
                self = .file(name)
            } else {
                self = .unknown(text)
            }
        }

        private static func rest(of text: String, after prefix: String) -> String? {
            text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
        }
    }

    let language: String
    let text: String
    let note: Note
    /// The page and the line.
    let place: String

    /// The commands of a block for a shell: of a console, what stands behind its prompts.
    var commands: String {
        guard language == "console" else { return text }
        return lines.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
    }

    /// The output that a console block shows for its commands.
    var shown: [String] { language == "console" ? lines.filter { !$0.hasPrefix("$ ") } : [] }

    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The exit status that it ends with.
    var status: Int32 {
        if case .ends(let status) = note { return status }
        return 0
    }
}
