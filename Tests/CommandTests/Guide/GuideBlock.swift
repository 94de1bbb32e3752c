import Foundation

/// A code block of a page, with the instruction in the comment before it.
struct GuideBlock {
    /// The instruction for tests in the comment before a block.
    enum Note: Equatable {
        case none
        /// `needs root`: tests parse the commands, but do not run them.
        case needs(String)
        /// `runs on`: the block's last command keeps running while the later blocks of the page run.
        case runsOn
        /// `ends with 73`: the exit status that the block's commands must have.
        case ends(Int32)
        /// `file: car.yaml`: readers save the block under this name.
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
    /// The name of the page and the line of the block, for messages.
    let place: String

    /// The commands of the block for a shell; in a console block, the text after the prompts.
    var commands: String {
        guard language == "console" else { return text }
        return lines.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
    }

    /// The output that a console block shows below its commands; empty for other blocks.
    var shown: [String] { language == "console" ? lines.filter { !$0.hasPrefix("$ ") } : [] }

    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The exit status that the block's commands must have.
    var status: Int32 {
        if case .ends(let status) = note { return status }
        return 0
    }
}
