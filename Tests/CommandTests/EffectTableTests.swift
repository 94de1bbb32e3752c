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
        let expected = EffectTable().markdown(EffectCatalogue.entries.map { ($0.name, $0.summary) })
        if ProcessInfo.processInfo.environment["PIP_DOCS"] == "record" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("docs/effects.md was written: look at what changed")
        }
        let actual = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        #expect(
            actual == expected,
            "docs/effects.md is out of date: run `make gallery`, and name new effects in Counterparts+….swift")
    }

    @Test(
        "each filter of GPUImage and each effect of DTLiving has its row, once",
        arguments: [(EffectLibrary.gpuImage, 127), (.dtLiving, 34)])
    func isComplete(_ library: EffectLibrary, _ count: Int) {
        let names = CounterpartFamily.all.flatMap(\.rows).flatMap(\.names).filter { $0.library == library }.map(\.name)
        #expect(Set(names).count == count)
        #expect(names.count == count)
    }

    @Test("every blend has its row", arguments: BlendKind.allCases)
    func blends(_ kind: BlendKind) {
        #expect(
            CounterpartFamily.all.flatMap(\.rows).contains { if case .blend(kind) = $0.ours { true } else { false } })
    }
}
