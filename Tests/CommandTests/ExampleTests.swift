import ArgumentParser
import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Examples of the catalogue")
struct ExampleTests {
    /// The command lines in the pages of all effects and blends.
    static let lines: [String] = (EffectCatalogue.names + BlendKind.allCases.map(\.rawValue)).flatMap { name in
        EffectsCommand.pages(of: name).flatMap { page in
            page.split(separator: "\n").filter { $0.hasPrefix("  pip-compose ") }.map { String($0.dropFirst(2)) }
        }
    }

    @Test("every printed example is a command line that can be read, as a shell splits it")
    func isRead() async throws {
        let folder = try await folderWithTables()
        let names = Set(EffectCatalogue.names + BlendKind.allCases.map(\.rawValue))
        #expect(Self.lines.count >= names.count)
        for (line, words) in zip(Self.lines, try await Self.split(Self.lines, in: folder)) {
            #expect(words.first == "pip-compose")
            let files = words.dropFirst().map { word in
                ["look.cube", "look.png"].reduce(word) {
                    $0.replacingOccurrences(of: "=\($1)", with: "=\(folder.path($1))")
                }
            }
            #expect(throws: Never.self, "\(line)") { try RootCommand.parseAsRoot(files) }
        }
    }

    @Test("examples are words of a shell, whatever is in them", arguments: ["0 1 2", "it's", "#fff", "a", "$x;y", ""])
    func quotes(_ text: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await Self.split([ShellWord.quoted(text)], in: folder) == [[text]])
    }

    @Test("a page of a name of both is the effect's and the blend's", arguments: ["hue", "saturation", "chroma-key"])
    func both(_ name: String) {
        let pages = EffectsCommand.pages(of: name)
        #expect(pages.count == 2)
        #expect(pages.first?.contains("--effect main:\(name)") == true)
        #expect(pages.last?.contains("blend=\(name)") == true)
    }

    /// Lets a shell split each line into words.
    private static func split(_ lines: [String], in folder: TemporaryFolder) async throws -> [[String]] {
        let script = lines.map { "printf '%s\\0' \($0); printf '\\n\\0'" }.joined(separator: "\n")
        let run = try await CommandProcess(["-c", script], of: URL(filePath: "/bin/sh"), in: folder.url)
        try #require(run.status == 0)
        return run.text.split(separator: "\n\0", omittingEmptySubsequences: false).dropLast().map { words in
            words.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// Makes a folder with the lookup tables that the examples name.
    private func folderWithTables() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let corners = ["0 0 0", "1 0 0", "0 1 0", "1 1 0", "0 0 1", "1 0 1", "0 1 1", "1 1 1"]
        try folder.write(Array((["LUT_3D_SIZE 2"] + corners).joined(separator: "\n").utf8), to: "look.cube")
        // Any picture of this size can be a lookup table.
        let table = "--main pattern:scene?size=512x512 --layout main-only --size 512x512 --output look.png --frames 1"
        #expect(try await folder.run(table).status == 0)
        return folder
    }
}
