import Foundation
import Testing

@Suite("Module boundaries")
struct ModuleBoundaryTests {
    @Test("every module of this package is in the table of modules", arguments: SourceTree.modules)
    func isListed(_ module: String) {
        #expect(ModuleTable.rows.contains { $0.contains(module) })
    }

    @Test("a module imports only modules of lower layers", arguments: SourceTree.modules)
    func importsGoDown(_ module: String) {
        let row = ModuleTable.row(of: module)
        for found in SourceTree.imports(of: module) where ModuleTable.rows.joined().contains(found.module) {
            #expect(
                ModuleTable.row(of: found.module) > row,
                "\(found.file) imports \(found.module), which does not lie below \(module)")
        }
    }

    @Test("OpenGL and other C libraries are imported by one module each, V4L2 by two", arguments: SourceTree.modules)
    func systemLibrariesHaveOneUser(_ module: String) {
        for found in SourceTree.imports(of: module) {
            guard let users = ModuleTable.users[found.module] else { continue }
            #expect(users.contains(module), "\(found.file) imports \(found.module), which only \(users) may")
        }
    }

    @Test(
        "libraries do without Foundation",
        arguments: SourceTree.modules.filter { !ModuleTable.withFoundation.contains($0) })
    func librariesAvoidFoundation(_ module: String) {
        for found in SourceTree.imports(of: module) {
            #expect(!found.module.hasPrefix("Foundation"), "\(found.file) imports \(found.module)")
        }
    }

    // All of Foundation has the data of all languages, which are more than the rest of a static program.
    @Test(
        "what is shipped imports no more of Foundation than its essentials",
        arguments: ["pip-compose", "PipRig", "PipControl"])
    func shippedAvoidWholeFoundation(_ module: String) {
        for found in SourceTree.imports(of: module) {
            #expect(found.module != "Foundation", "\(found.file) imports \(found.module)")
        }
    }

    // Swift cannot export single names with their members, so whole modules are exported, with all their public names.
    @Test("exactly the modules with public declarations for apps are products, or are exported by a product")
    func exports() {
        let products = ["PipCompose", "PipPatterns", "PipText", "PipMedia", "PipControl"]
        let promising = SourceTree.sources.filter { source in
            source.lines.contains { line in
                let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
                return words.first == "public" && words.dropFirst().first != "import"
            }
        }
        let exports = SourceTree.sources.filter { products.contains($0.module) && $0.name == "Exports.swift" }
        #expect(exports.map(\.module).sorted() == ["PipCompose", "PipControl"])
        let lines = exports.flatMap(\.lines).filter { $0.hasPrefix("@_exported") }
        #expect(
            Set(promising.map(\.module)).subtracting(products)
                == Set(lines.compactMap { $0.split(separator: " ").last.map(String.init) }))
    }

    @Test("the public API of a plan is its cost and its description only")
    func planIsOpaque() {
        let promises = SourceTree.sources.filter { $0.module == "PipPlan" }.flatMap(\.lines)
            .filter { $0.contains("public ") && !$0.contains("import") }
        #expect(
            promises.filter { $0.hasPrefix("public ") } == [
                "public struct RenderPlan: Sendable, Hashable {", "public enum Executor: String, Sendable, Hashable {",
            ])
        #expect(promises.filter { $0.contains("func ") }.count == 2)
    }

    @Test("imports are found in every form that Swift has")
    func findsImports() {
        let text = """
            import A
            public import B
            @_exported public import C
            @testable import struct D.Thing
            internal import E  // why
            // import Commented
            let text = "import Quoted"
            """
        #expect(SourceTree.importedModules(in: text) == ["A", "B", "C", "D", "E"])
    }
}

/// The layers of modules: a module may import the modules of later rows.
enum ModuleTable {
    static let rows: [[String]] = [
        ["pip-compose", "pip-manual", "glsl-lanes"],
        ["PipControl"],
        ["PipRig"],
        ["PipRecordings"], ["PipText", "PipPatterns", "PipMedia"],
        ["PipCompose"],
        ["PipVirtualCamera", "PipDisplay"],
        ["PipCapture", "PipSources", "PipSinks", "PipPressure", "PipInputs", "PipRender"],
        ["PipPixels"],
        ["PipPlan"],
        ["PipGraph"],
        ["PipEffects"],
        ["PipCodecs", "PipGL", "PipSound"],
        ["PipConcurrency"],
        ["PipFrames"],
        [
            "CGL", "CPixels", "CSPNG", "CSQLite", "CTurboJPEG", "CWebP", "CYAML", "CExpat", "CYUV", "CV4L2",
            "CV4LConvert", "CFreeType",
            "CFontconfig",
            "CPlatform", "CDisplay", "CGStreamer", "CCurl", "CMosquitto", "CRTSPServer", "CAvahi", "CShaping",
            "CPixbuf",
        ],
    ]

    /// The modules that may import a C module, keyed by the C module.
    static let users = [
        "CGL": ["PipGL"], "CV4L2": ["PipCapture", "PipVirtualCamera"],
        "CDisplay": ["PipDisplay"], "CV4LConvert": ["PipCapture"], "CSPNG": ["PipCodecs"], "CTurboJPEG": ["PipCodecs"],
        "CWebP": ["PipCodecs"],
        "CPixels": ["PipPixels"],
        "CFreeType": ["PipText"], "CFontconfig": ["PipText"], "CShaping": ["PipText"],
        "CGStreamer": ["PipMedia"], "CSQLite": ["PipRecordings"], "CCurl": ["PipMedia"], "CRTSPServer": ["PipMedia"],
        "CAvahi": ["PipMedia"],
        "CMosquitto": ["PipControl"],
        "CPixbuf": ["PipCodecs"],
        "CYUV": ["PipCapture", "PipCodecs", "PipMedia", "PipPixels"],
        "CYAML": ["PipRig"], "CExpat": ["PipRig"],
    ]

    /// The commands, which no other module imports.
    static let commands = ["pip-compose", "pip-manual", "glsl-lanes"]

    /// The modules that may import a part of Foundation; only those that are not shipped may import all of it.
    static let withFoundation = commands + ["PipRig", "PipControl"]

    /// The modules of plain Swift, which link no C library of the system.
    static let plain = [
        "PipFrames", "PipConcurrency", "PipSound", "PipEffects", "PipGraph", "PipPlan", "PipPressure",
        "PipInputs",
    ]

    static func row(of module: String) -> Int { rows.firstIndex { $0.contains(module) } ?? -1 }
}
