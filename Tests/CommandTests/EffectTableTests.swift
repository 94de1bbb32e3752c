import Foundation
import PipCompose
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("The docs' table of effects")
struct EffectTableTests {
    @Test("the docs list every effect of the command line, and none that it lacks")
    func docsAgree() throws {
        let file = EffectTable.folder.appendingPathComponent("effects.md")
        let expected = try EffectTable().markdown(EffectCatalogue.entries.map { ($0.name, $0.summary) })
        if ProcessInfo.processInfo.environment["PIP_DOCS"] == "record" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("docs/effects.md was written: look at what changed")
        }
        let actual = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(
            actual == expected,
            "docs/effects.md is out of date: run `make gallery`, and name new effects in effects.tsv")
    }

    @Test("each of GPUImage's 127 filters has its row, once")
    func gpuImage() throws {
        let names = try EffectTable().names(of: 0)
        #expect(Set(names).count == 127)
        #expect(names.count == 127)
    }

    @Test("each of DTLiving's 34 effects has its row, once")
    func dtLiving() throws {
        let names = try EffectTable().names(of: 2)
        #expect(Set(names).count == 34)
        #expect(names.count == 34)
    }

    @Test("every blend has its row", arguments: BlendKind.allCases)
    func blends(_ kind: BlendKind) throws {
        #expect(try EffectTable().rows.contains { $0.ours == "blend:\(kind.rawValue)" })
    }

    @Test("what is left out has a reason")
    func reasons() throws {
        #expect(try EffectTable().rows.filter { $0.ours == "-" }.allSatisfy { !$0.note.isEmpty })
    }
}
