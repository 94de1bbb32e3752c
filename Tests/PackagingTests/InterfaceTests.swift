// Other compilers write some declarations differently.
#if compiler(>=6.3)
import Foundation
import PipTestSupport
import Testing

/// Tests that no public declaration of the library changes unnoticed.
///
/// `PIP_INTERFACE=record` writes the declarations as they are now into `docs/interface.txt`, whose changes are read
/// like the code's: a line that goes is a break, and has its mark in `CHANGELOG.md`.
@Suite("The library's interface")
struct InterfaceTests {
    private static let file = Place.sources.appending(path: "docs/interface.txt")

    @Test("every public declaration is one of those that are written down, and none of them has gone or changed")
    func isKept() async throws {
        let folder = try TemporaryFolder()
        let run = try await Tool(
            [Place.sources.appending(path: "docs/symbols").path, Place.programs.path, folder.url.path])
        try #require(run.status == 0, "\(run.said.suffix(2000))")
        var lines: Set<String> = []
        for product in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            for graph in try FileManager.default.contentsOfDirectory(atPath: folder.path(product)) {
                lines.formUnion(try SymbolGraph(try folder.read("\(product)/\(graph)")).lines(of: product))
            }
        }
        #expect(lines.count > 3000)
        if ProcessInfo.processInfo.environment["PIP_INTERFACE"] == "record" {
            let text = lines.sorted().joined(separator: "\n") + "\n"
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let kept = Set(try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init))
        let gone = kept.subtracting(lines).sorted().joined(separator: "\n")
        #expect(gone.isEmpty, "gone or changed, which is a break: `make interface` writes down that it is meant")
        let new = lines.subtracting(kept).sorted().joined(separator: "\n")
        #expect(new.isEmpty, "new: `make interface` writes it down")
    }
}

/// The public symbols of a module, as the compiler describes them.
private struct SymbolGraph: Decodable {
    private struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
    }

    private struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    private let symbols: [Symbol]
    private let relationships: [Relationship]

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(SymbolGraph.self, from: Data(bytes)) }

    /// A line for each declaration and for each conformance.
    func lines(of product: String) -> Set<String> {
        var lines: Set<String> = []
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }, uniquingKeysWith: { $1 })
        for symbol in symbols {
            let words = (symbol.declarationFragments ?? []).map(\.spelling).joined()
            let declaration = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            lines.insert("\(product) \(symbol.pathComponents.joined(separator: ".")) \(declaration)")
        }
        for relationship in relationships where relationship.kind == "conformsTo" {
            guard let name = names[relationship.source],
                let conformance = names[relationship.target] ?? relationship.targetFallback
            else { continue }
            // The compiler derives these from a type's storage.
            let derived = ["Swift.Copyable", "Swift.Escapable", "Swift.BitwiseCopyable", "Swift.SendableMetatype"]
            if !derived.contains(conformance) { lines.insert("\(product) \(name) : \(conformance)") }
        }
        return lines
    }
}
#endif
