import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("The catalogue of effects")
struct CatalogueTests {
    private static let selfContained = EffectCatalogue.entries.filter { !$0.parameters.contains(where: \.isRequired) }

    @Test("every effect's example is a chain that can be read", arguments: selfContained.map(\.example))
    func exampleIsRead(_ example: String) throws {
        let effects = try EffectArgument.effects(example)
        #expect(effects.count == 1)
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        #expect(effects.allSatisfy { $0.operation(in: context) != .none }, "the example changes nothing")
        #expect(!effects.changesNothing)
    }

    @Test("names are unique, in lower case with hyphens")
    func namesAreProper() {
        #expect(Set(EffectCatalogue.names).count == EffectCatalogue.names.count)
        #expect(EffectCatalogue.names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
    }

    @Test("defaults lie within their ranges", arguments: EffectCatalogue.entries.flatMap(\.parameters).map(\.name))
    func defaultsAreAllowed(_ name: String) {
        for parameter in EffectCatalogue.entries.flatMap(\.parameters) where parameter.name == name {
            #expect(parameter.kind.allows(parameter.defaultValue))
        }
    }

    @Test("a page shows parameters with ranges and an example")
    func page() throws {
        let entry = try #require(EffectCatalogue.entries.first { $0.name == "vignette" })
        #expect(
            entry.page.split(separator: "\n").last
                == "  pip-compose --main pattern:scene --effect main:vignette=1:start=0.3:end=0.75:x=0.5:y=0.5:color=#000000 --output vignette.png --frames 1"
        )
        #expect(entry.page.contains("0.01 to 2"))
        #expect(entry.page.contains("The effect changes nothing as vignette=0."))
    }
}

@Suite("Commands that print", .serialized)
struct PrintingCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("help, version and lists end with 0 and say something", arguments: Self.printing)
    func prints(_ line: String, _ part: String) async throws {
        let run = try await folder.succeed(line)
        #expect(run.text.contains(part))
        #expect(run.errors == "")
        #expect(try folder.names == [])
    }

    private static let printing = [
        ("--help", "pip-compose --output frames/%05d.png --duration 3s"), ("compose --help", "--when-missing"),
        ("explain --help", "dot -Tsvg"), ("--version", Version.text), ("effects", "gaussian-blur"),
        ("effects sobel", "--effect main:sobel="), ("effects", "soft-light"),
        ("effects chroma-key", "--effect main:chroma-key"), ("effects soft-light", "blend=soft-light"),
        ("devices --help", "--json"), ("doctor --help", "69"),
    ]

    @Test("JSON is JSON", arguments: ["effects --json", "effects mirror --json", "devices --json", "doctor --json"])
    func printsJSON(_ line: String) async throws {
        let run = try await folder.succeed(line)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: run.output) }
    }

    @Test("JSON lists effects and blends, each with its kind and its parameters' limits")
    func listsKinds() async throws {
        let run = try await folder.run("effects --json")
        let entries = try #require(try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]])
        func names(_ kind: String) -> [String] {
            entries.filter { $0["kind"] as? String == kind }.compactMap { $0["name"] as? String }
        }
        #expect(names("effect") == EffectCatalogue.names)
        #expect(names("blend") == BlendKind.allCases.map(\.rawValue))
        #expect(entries.count == EffectCatalogue.names.count + BlendKind.allCases.count)
        let one = try await folder.run("effects soft-light --json")
        let blend = try #require(try JSONSerialization.jsonObject(with: one.output) as? [[String: Any]])
        #expect(blend.count == 1 && blend[0]["kind"] as? String == "blend")
        let parameters = try #require(blend[0]["parameters"] as? [[String: Any]])
        #expect(parameters.first?["name"] as? String == "mix" && parameters.first?["maximum"] as? Double == 1)
        // `hue` names both an effect and a blend mode.
        let both = try await folder.run("effects hue --json")
        #expect((try JSONSerialization.jsonObject(with: both.output) as? [Any])?.count == 2)
        #expect(try await folder.run("effects nonsense --json").status == 64)
    }

    @Test("the doctor draws test frames by OpenGL ES and by the CPU, and notes where one is missing")
    func doctor() async throws {
        let run = try await folder.succeed("doctor")
        // The program prints no error, and neither do the encoder libraries that it tries.
        #expect(run.errors == "")
        #expect(run.text.split(separator: "10 of 10 test frames").count == 3)
        #expect(run.text.contains("OpenGL ES") && run.text.contains("CPU drawing"))
        let broken = try await CommandProcess(["doctor"], in: folder.url, environment: ["PIP_EGL": "nonsense"])
        #expect(broken.status == 0)
        #expect(broken.text.split(separator: "10 of 10 test frames").count == 2)
        #expect(broken.text.contains("apt-get install"))
        #expect(broken.text.contains("can compose"))
    }

    @Test("without OpenGL ES nothing can be composed by it: 69")
    func composeWithoutRenderer() async throws {
        let run = try await CommandProcess(
            ["--main", "pattern:bars?size=64x32", "--renderer", "gl", "--output", "out.y4m"], in: folder.url,
            environment: ["PIP_EGL": "nonsense"])
        #expect(run.status == 69)
        #expect(try folder.names == [])
    }

    @Test(
        "plans are printed in every form, and nothing is written",
        arguments: [
            ("text", "a frame: "), ("json", "\"cost\""), ("dot", "digraph plan {"),
        ])
    func explains(_ format: String, _ part: String) async throws {
        let line =
            "explain --format \(format) --main pattern:bars?size=64x32 --inset pattern:scene?size=32x16 --output out.y4m --frames 3"
        let run = try await folder.succeed(line)
        #expect(run.text.contains(part))
        #expect(try folder.names == [])
        if format == "json" {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: run.output) }
        }
    }

    @Test("a plan says what draws it, step by step", arguments: [("gl", "draw"), ("cpu", "rows")])
    func explainsRenderer(_ renderer: String, _ step: String) async throws {
        let line = """
            explain --renderer \(renderer) --main pattern:bars?size=64x32 --effect main:hue=40 \
            --output out.rgba
            """
        let text = try await folder.succeed(line)
        #expect(text.text.hasPrefix("drawn by the CPU (") == (renderer == "cpu"))
        #expect(text.text.contains("\(step)    "))
        let json = try await folder.run(line + " --format json")
        let object = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
        #expect(object?["executor"] as? String == renderer)
    }

    @Test("unfused, effects take more passes")
    func explainsUnfused() async throws {
        func passes(_ option: String) async throws -> Int {
            let run = try await folder.run(
                "explain --format json --main pattern:bars?size=64x32 --effect main:vignette=0.4,gamma=2 --renderer gl --output out.y4m \(option)"
            )
            let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
            return try #require((object?["cost"] as? [String: Any])?["passes"] as? Int)
        }
        #expect(try await passes("") < passes("--no-fuse"))
    }
}

@Suite("Parameters of the catalogue")
struct CatalogueParameterTests {
    /// A parameter, and the text of an invalid value.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let effect: String
        let parameter: String
        let text: String
        var testDescription: String { "\(effect)=\(parameter)=\(text)" }
    }

    static let wrong: [Wrong] = EffectCatalogue.entries.flatMap { entry in
        entry.parameters.flatMap { parameter in
            wrongValues(of: parameter.kind).map { Wrong(effect: entry.name, parameter: parameter.name, text: $0) }
        }
    }

    private static func wrongValues(of kind: ParameterKind) -> [String] {
        switch kind {
        case .number(let range):
            ["\(range.lowerBound - 0.5)", "\(range.upperBound * 2 + 1)", "nan", "inf", "-inf", "x"]
        case .integer(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "0.5"]
        case .flag: ["maybe"]
        case .color: ["#12345", "colourless"]
        case .choice: ["nonsense"]
        case .numbers(let count, let each):
            [
                Array(repeating: "\(each.lowerBound)", count: count.upperBound + 1).joined(separator: " "),
                Array(repeating: "\(each.upperBound * 2 + 1)", count: count.upperBound).joined(separator: " "),
                Array(repeating: "nan", count: count.upperBound).joined(separator: " "),
            ]
        case .points: ["0/0", "0/0 0/1", "0/0 1/2", "0/0 x/1"]
        case .places(let count, let isPaired):
            ["0/2", "0/x", "0.5", Array(repeating: "0/0", count: count.upperBound + 2).joined(separator: " ")]
                + (isPaired ? ["0/0"] : [])
        case .file: ["/nowhere/at/all"]
        }
    }

    @Test("no parameter of any effect takes a value beyond its limits", arguments: wrong)
    func refuses(_ wrong: Wrong) {
        let message = mistake { () throws(UsageError) in
            _ = try EffectArgument.effects("\(wrong.effect)='\(wrong.parameter)'='\(wrong.text)'")
        }
        #expect(message.hasPrefix("\(wrong.effect): ") && message.contains(wrong.parameter))
    }
}
