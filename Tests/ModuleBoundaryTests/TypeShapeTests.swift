import Testing

/// Checks that each type lies in few files, and keeps its state private.
@Suite("The shape of types")
struct TypeShapeTests {
    @Test("no class and no actor is spread over more than four files")
    func classesAreWhole() {
        let spread = TypeShape.spread(in: SourceTree.sources, kinds: ["class", "actor"], ownModuleOnly: false)
        for (type, files) in spread {
            Issue.record("\(type) is spread over \(files.sorted().joined(separator: ", ")): find the object in it")
        }
    }

    // Extensions in other modules do not count: the planner, for example, adds properties to values of the graph.
    @Test("no value is spread over more than four files of its module")
    func valuesAreWhole() {
        let spread = TypeShape.spread(in: SourceTree.sources, kinds: ["struct", "enum"], ownModuleOnly: true)
        for (type, files) in spread {
            Issue.record("\(type) is spread over \(files.sorted().joined(separator: ", ")): find the value in it")
        }
    }

    @Test("no stored property is internal only for an extension in another file")
    func stateIsPrivate() {
        let open = TypeShape.propertiesOpenForExtensions(in: SourceTree.sources)
        #expect(open == [], "make them private: move the methods, or find the object")
    }

    @Test("types in many files and properties that are open for extensions are found")
    func findsOffenders() {
        let files =
            [SourceFile(module: "M", name: "T.swift", text: Self.declaration)]
            + (1...4).map { SourceFile(module: "M", name: "T+\($0).swift", text: Self.extension) }
        let spread = TypeShape.spread(in: files, kinds: ["class"], ownModuleOnly: false)
        #expect(spread.map(\.type) == ["T"])
        #expect(TypeShape.spread(in: Array(files.dropLast()), kinds: ["class"], ownModuleOnly: false).isEmpty)
        #expect(TypeShape.propertiesOpenForExtensions(in: files) == ["T.open"])
        let user = SourceFile(module: "M", name: "U.swift", text: "func use(_ t: T) { t.open = 1 }")
        #expect(TypeShape.propertiesOpenForExtensions(in: files + [user]) == [])
    }

    private static let declaration = """
        package final class T {
            /// Used in an extension only.
            var open = 0
            private var hidden = 0
            package let promised = 0
            var computed: Int { hidden }
            let own = 0

            struct Nested { var value = 0 }

            func f() {
                let local = own
            }
        }
        """
    private static let `extension` = """
        extension T {
            func g() -> Int { open + hidden + promised + computed + local }
        }
        extension T.Nested { var other: Int { value } }
        """
}

/// The rules that ``TypeShapeTests`` checks.
enum TypeShape {
    /// The largest number of files of a type.
    static let fileLimit = 4

    /// The types whose declaration and extensions lie in too many files.
    static func spread(
        in sources: [SourceFile], kinds: Set<Substring>, ownModuleOnly: Bool
    ) -> [(type: String, files: [String])] {
        var extensions: [String: [SourceFile]] = [:]
        for source in sources {
            for name in Set(source.blocks.filter { $0.kind == "extension" }.map(\.name)) {
                extensions[name, default: []].append(source)
            }
        }
        return sources.flatMap { source in
            source.blocks.filter { kinds.contains($0.kind) }.compactMap { block in
                let others = extensions[block.name, default: []]
                    .filter { !ownModuleOnly || $0.module == source.module }
                let files = Set(([source] + others).map { "\($0.module)/\($0.name)" })
                return files.count > fileLimit ? (block.name, Array(files)) : nil
            }
        }
    }

    /// The stored properties that are not private, although only extensions of their own type use them in other files.
    ///
    /// Considers classes and actors. The result has the form `Type.property`.
    static func propertiesOpenForExtensions(in sources: [SourceFile]) -> [String] {
        sources.flatMap { source in
            source.blocks.filter { $0.kind == "class" || $0.kind == "actor" }.flatMap { block in
                let module = sources.filter { $0.module == source.module }
                let others = module.filter { $0.name != source.name }
                let extensions = others.filter { other in
                    other.blocks.contains { $0.kind == "extension" && $0.name == block.name }
                }
                guard !extensions.isEmpty else { return [String]() }
                return source.storedProperties(of: block).filter { property in
                    extensions.contains { uses(property, in: $0) { isWithin(block.name, $0) } }
                        && !module.contains { uses(property, afterDot: true, in: $0) { !isWithin(block.name, $0) } }
                }.map { "\(block.name).\($0)" }
            }
        }
    }

    private static func isWithin(_ type: String, _ place: String?) -> Bool {
        place == type || place?.hasPrefix("\(type).") == true
    }

    /// True if a file uses the property inside a type that `isMeant` accepts.
    ///
    /// `isMeant` receives nil for code outside all types.
    private static func uses(
        _ property: String, afterDot: Bool = false, in source: SourceFile, isMeant: (String?) -> Bool
    ) -> Bool {
        source.lines.indices.contains { index in
            SourceFile.names(property, in: source.lines[index], afterDot: afterDot) && isMeant(source.type(at: index))
        }
    }
}
