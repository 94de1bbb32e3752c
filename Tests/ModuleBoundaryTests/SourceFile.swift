import Foundation

/// A source file, split into lines and into blocks, whose ends are found by indentation.
struct SourceFile {
    /// A type or an extension, from its first line to its closing brace.
    struct Block {
        let kind: Substring
        /// The name, with the names of the types around it: `SlotDriver.State`.
        let name: String
        let lines: ClosedRange<Int>
        let indentation: Int
    }

    let module: String
    let name: String
    /// The lines, without comments.
    let lines: [Substring]
    let blocks: [Block]

    init(module: String, name: String, text: String) {
        self.module = module
        self.name = name
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.withoutComment)
        self.lines = lines
        var blocks: [Block] = []
        for (index, line) in lines.enumerated() {
            guard let (kind, name) = Self.declaration(line) else { continue }
            let indentation = line.prefix { $0 == " " }.count
            let brace = String(repeating: " ", count: indentation) + "}"
            // A block on a single line has its closing brace in that line.
            let isClosed = line.hasSuffix("}")
            let end = isClosed ? index : lines[(index + 1)...].firstIndex { $0.hasPrefix(brace) } ?? index
            let outer = blocks.last { $0.lines.contains(index) }
            let fullName = outer.map { "\($0.name).\(name)" } ?? String(name)
            blocks.append(Block(kind: kind, name: fullName, lines: index...end, indentation: indentation))
        }
        self.blocks = blocks
    }

    /// The name of the innermost type around a line; nil outside of all types.
    func type(at line: Int) -> String? { blocks.last { $0.lines.contains(line) }?.name }

    /// The internal stored properties of a block, which other files of the module may use.
    func storedProperties(of block: Block) -> [String] {
        block.lines.compactMap { index in
            let line = lines[index]
            guard line.prefix(while: { $0 == " " }).count == block.indentation + 4 else { return nil }
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(where: { $0 == "var" || $0 == "let" }), keyword + 1 < words.count,
                words[..<keyword].allSatisfy({ $0.hasPrefix("@") || Self.openModifiers.contains(String($0)) })
            else { return nil }
            // A computed property opens a brace and has no value.
            let isComputed = line.contains(" {") && !line.contains(" = ") && !line.contains("didSet")
            return isComputed ? nil : String(words[keyword + 1].prefix(while: Self.isPartOfName))
        }
    }

    /// True when a line of code uses a name, other than as an argument's label or as the name of a called function.
    ///
    /// If `afterDot` is true, only a name after a dot counts.
    static func names(_ name: String, in line: Substring, afterDot: Bool) -> Bool {
        var rest = line
        while let found = rest.range(of: name) {
            let before = line[..<found.lowerBound].last
            let after = line[found.upperBound...].first
            rest = rest[found.upperBound...]
            let isWord = !(before.map(isPartOfName) ?? false) && !(after.map(isPartOfName) ?? false)
            guard isWord, after != "(", after != ":", !afterDot || before == "." else { continue }
            return true
        }
        return false
    }

    private static let kinds: Set<Substring> = ["class", "actor", "struct", "enum", "protocol", "extension"]
    private static let openModifiers: Set<String> = [
        "internal", "final", "nonisolated", "nonisolated(unsafe)", "weak", "unowned", "lazy",
    ]
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated", "unsafe",
    ]

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
        while code.last == " " { code.removeLast() }
        return code
    }

    private static func declaration(_ line: Substring) -> (kind: Substring, name: Substring)? {
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard let kind = words.first, kinds.contains(kind), let name = words.dropFirst().first else { return nil }
        return (kind, name.prefix { $0 == "." || isPartOfName($0) })
    }
}

extension SourceTree {
    /// The Swift files of all modules.
    static let sources: [SourceFile] = modules.flatMap { module in
        files(in: folder(of: module)).compactMap { file in
            (try? String(contentsOf: file, encoding: .utf8)).map {
                SourceFile(module: module, name: file.lastPathComponent, text: $0)
            }
        }
    }
}
