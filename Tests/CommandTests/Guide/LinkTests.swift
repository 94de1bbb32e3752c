import Foundation
import PipTestSupport
import Testing

@Suite("Links between documents")
struct LinkTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func links(_ files: [String], in folder: URL) async throws -> CommandProcess {
        try await CommandProcess(files, of: Self.root.appending(path: "docs/links"), in: folder)
    }

    @Test(
        "one that leads nowhere is told with its line",
        arguments: [
            ("[a](none.md)", "page.md, line 3: there is no none.md"),
            ("![a](none.jpg)", "page.md, line 3: there is no none.jpg"),
            ("[a](#none)", "page.md, line 3: page.md has no heading none"),
            ("[a](page.md) [b](none/)", "page.md, line 3: there is no none/"),
        ])
    func dead(_ text: String, _ message: String) async throws {
        try folder.write(Array("# Page: one\n\n\(text)\n".utf8), to: "page.md")
        let run = try await links(["page.md"], in: folder.url)
        #expect(run.status == 1)
        #expect(run.errors == message + "\n")
    }

    @Test(
        "others are not",
        arguments: [
            "[a](page.md)", "[a](#page-one)", "[a](page.md#page-one \"title\")", "[a](https://example.org/none.md)",
            "`[a](none.md)`", "```\n[a](none.md)\n```", "<doc:None>",
        ])
    func alive(_ text: String) async throws {
        try folder.write(Array("# Page: one\n\n\(text)\n".utf8), to: "page.md")
        let run = try await links(["page.md"], in: folder.url)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("the site's pages do not name files")
    func catalog() async throws {
        let catalog = folder.url.appending(path: "A.docc")
        try FileManager.default.createDirectory(at: catalog, withIntermediateDirectories: true)
        try Data("# A\n\n[b](A.md)\n".utf8).write(to: catalog.appending(path: "A.md"))
        let run = try await links(["A.docc/A.md"], in: folder.url)
        #expect(run.status == 1 && run.errors.contains("write <doc:NAME>"), "\(run.errors)")
    }

    @Test("the project's own lead somewhere")
    func own() async throws {
        let run = try await links(
            [
                "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Packaging/README.md", "docs/effects.md",
                "docs/faults.md", "docs/frame.md", "docs/testing.md",
            ],
            in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }
}
