import TestRuns
import Testing

/// Checks which modules each module links, directly or through others.
@Suite("What modules link")
struct LinkageTests {
    private let package: PackageModel

    init() async throws { package = try await PackageModel.current() }

    @Test("every target is in the table of modules")
    func isListed() {
        let listed = Set(ModuleTable.rows.joined())
        #expect(package.targets.filter { !$0.isForTests }.map(\.name).filter { !listed.contains($0) } == [])
    }

    @Test("a module links only modules of lower layers")
    func linksGoDown() {
        for module in SourceTree.modules {
            let row = ModuleTable.row(of: module)
            let above = package.linked(by: module).filter { ModuleTable.row(of: $0) <= row }
            #expect(above.isEmpty, "\(module) links \(above.sorted())")
        }
    }

    @Test("modules of plain Swift link no library of the system", arguments: ModuleTable.plain)
    func plainModules(_ module: String) {
        let libraries = Set(package.targets.filter(\.isSystem).map(\.name)).union([
            "CGL", "CCurl", "CMosquitto", "CRTSPServer", "CAvahi", "CShaping", "CPixbuf",
        ])
        #expect(package.linked(by: module).intersection(libraries) == [])
    }

    @Test("PipGL links no plans and effects, and PipPixels no OpenGL")
    func executors() {
        #expect(package.linked(by: "PipGL").intersection(["PipEffects", "PipGraph", "PipPlan", "PipPixels"]) == [])
        #expect(package.linked(by: "PipPixels").intersection(["PipGL", "PipRender", "CGL"]) == [])
    }

    @Test("a module declares the modules that it imports, and no others", arguments: SourceTree.modules)
    func declaresWhatItImports(_ module: String) throws {
        let target = try #require(package.targets.first { $0.name == module })
        let ours = Set(package.targets.map(\.name))
        let imported = Set(SourceTree.imports(of: module).map(\.module)).intersection(ours)
        #expect(Set(target.dependencies).intersection(ours) == imported)
    }

    @Test("indirect dependencies are found")
    func closure() throws {
        let text = """
            {"targets": [
                {"name": "A", "type": "regular", "dependencies": [{"byName": ["B", null]}]},
                {"name": "B", "type": "regular", "dependencies": [{"target": ["C", null]}, {"product": ["P", "p", null, null]}]},
                {"name": "C", "type": "system", "dependencies": []},
                {"name": "S", "type": "regular", "path": "Tests/S", "dependencies": []},
                {"name": "T", "type": "test", "dependencies": [{"byName": ["A", null]}]}
            ]}
            """
        let package = try #require(PackageModel(dump: text))
        #expect(package.linked(by: "A") == ["B", "C"])
        #expect(package.linked(by: "T") == ["A", "B", "C"])
        #expect(package.targets.filter(\.isSystem).map(\.name) == ["C"])
        #expect(package.targets.filter(\.isForTests).map(\.name) == ["S", "T"])
    }
}
