import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipEffects

@Suite("An effect from a file")
struct FileEffectTests {
    private static let tint = """
        // Tints a picture.
        // For tests.
        const vec3 weights = vec3(0.2126, 0.7152, 0.0722);
        uniform highp float amount;  // 0…1 = 0.5: how strong
        uniform vec3 tint;     // color = #ff8000: the colour
        uniform float cells;   // whole 1…64 = 8
        uniform float isOn;    // switch = off: whether
        uniform vec2 center;   // -1 .. 2 = 0.5 0.25: where

        float luma(vec3 rgb) { return dot(rgb, weights); }

        vec4 EFFECT(vec4 color, vec2 position)
        {
            float amount_ = amount; // amount
            return vec4(mix(color.rgb, luma(color.rgb) * tint, amount_), color.tint);
        }
        """
    private static let body = "{ return color; }"
    private static let whole = "vec4 EFFECT(vec4 color, vec2 position) \(body)"

    private func problem(_ text: String) -> String? {
        do throws(FileProblem) { _ = try ShaderFile(text, path: "a.glsl") } catch { return error.reason }
        return nil
    }

    @Test("an effect has the parameters that its uniforms and their comments declare")
    func parameters() throws {
        let file = try ShaderFile(Self.tint, path: "a.glsl")
        #expect(file.summary == "Tints a picture.")
        #expect(file.form == .pixel)
        #expect(file.parameters.map(\.name) == ["amount", "tint", "cells", "isOn", "center"])
        #expect(
            file.parameters.map(\.kind) == [
                .number(0...1), .color, .integer(1...64), .flag, .numbers(count: 2...2, each: -1...2),
            ])
        #expect(file.parameters.map { "\($0.defaultValue)" } == ["0.5", "#ff8000", "8", "off", "0.5 0.25"])
        #expect(file.parameters.map(\.summary) == ["how strong", "the colour", "", "whether", "where"])
    }

    @Test("names of an effect's file get a prefix in the shader; lines, comments and components stay")
    func prefixes() throws {
        let text = try ShaderFile(Self.tint, path: "a.glsl").source.text
        #expect(text.split(separator: "\n").count == Self.tint.split(separator: "\n").count)
        for line in [
            "const vec3 PREFIX(weights) = vec3(", "uniform highp float PREFIX(amount);  // 0…1 = 0.5: how strong",
            "float PREFIX(luma)(vec3 rgb) { return dot(rgb, PREFIX(weights)); }",
            "float amount_ = PREFIX(amount); // amount",
            "mix(color.rgb, PREFIX(luma)(color.rgb) * PREFIX(tint), amount_), color.tint)",
            "vec4 EFFECT(vec4 color, vec2 position)",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        let own = "uniform float PREFIX(a); // 0…1 = 1\n#define HALF (0.5 * a)\n\(Self.whole)"
        #expect(
            try ShaderFile(own, path: "a.glsl").source.text
                == "uniform float PREFIX(a); // 0…1 = 1\n#define HALF (0.5 * PREFIX(a))\n\(Self.whole)")
    }

    @Test(
        "an effect from a file is drawn according to the signature of its function",
        arguments: [
            ("vec4 EFFECT(in vec4 color, vec2 p)", .pixel), ("vec4 EFFECT(vec4 around[9])", .neighbourhood),
            ("vec2 EFFECT(highp vec2 position)", .warp), ("vec4 EFFECT(vec2 position)", .sampler),
            ("vec4\nEFFECT(const vec4 c,\n vec4 previous, vec2 position)", .temporal),
        ] as [(String, ShaderFile.Form)])
    func forms(signature: String, form: ShaderFile.Form) throws {
        #expect(try ShaderFile("\(signature) \(Self.body)", path: "a.glsl").form == form)
    }

    @Test(
        "an invalid effect file is refused with the line and the reason",
        arguments: [
            ("", "the file has no function EFFECT"), ("float a() { return 1.0; }", "the file has no function EFFECT"),
            ("vec3 EFFECT(vec4 c) { }", "line 1: EFFECT is vec3(vec4), but must be one of vec4 EFFECT("),
            (
                "\nuniform float a;\n\(whole)",
                "line 2: a needs its range and default in a // comment at the end of its line"
            ),
            ("uniform float a; // 0…1\n\(whole)", "line 1: a needs its range and default"),
            ("uniform float a; // 1…0 = 0.5\n\(whole)", "line 1: a needs its range and default"),
            ("uniform float a; // 0…1 = 2\n\(whole)", "line 1: the default of a is 2, but must be 0 to 1"),
            ("uniform float a; // 0…1 = x\n\(whole)", "line 1: the default of a is x, but must be 0 to 1"),
            ("uniform vec2 a; // 0…1 = 0.5\n\(whole)", "line 1: the default of a is 0.5, but must be 2 numbers"),
            ("uniform float a; // whole 0…1.5 = 1\n\(whole)", "line 1: a needs its range and default"),
            ("uniform int a; // 0…1 = 1\n\(whole)", "line 1: a has the type int, but must be float"),
            ("uniform sampler2D a;\n\(whole)", "line 1: a has the type sampler2D"),
            ("uniform float a[3]; // 0…1 = 1\n\(whole)", "line 1: a is an array"),
            ("uniform float a, b; // 0…1 = 1\n\(whole)", "line 1: declare one uniform per statement"),
            ("uniform float a; // 0…1 = 1\nuniform float a; // 0…1 = 1\n\(whole)", "line 2: a is declared twice"),
            ("#version 310 es\n\(whole)", "line 1: #version is not allowed"),
            ("void main() { }", "line 1: main is not allowed"),
            ("/* \n\(whole)", "line 1: this comment has no closing */"),
            ("vec4 EFFECT(vec4 color, vec2 position) {", "a { has no closing }"),
            ("}\n", "line 1: this } has no opening {"),
        ])
    func refused(text: String, reason: String) {
        #expect(problem(text)?.contains(reason) == true, "\(problem(text) ?? "not refused")")
        #expect(problem(text)?.hasPrefix("a.glsl") == true)
    }

    @Test("takes values of its parameters, and refuses others")
    func values() throws {
        let folder = try TemporaryFolder()
        var effect = try tint(in: folder)
        try effect.set("tint", text: "red")
        guard case .pixel(let call) = effect.operation(in: Self.context) else {
            Issue.record("the effect is not per-pixel")
            return
        }
        #expect(
            call.uniforms == [
                .float("amount", 0.25), .vector("tint", 1, 0, 0), .float("cells", 8), .float("isOn", 0),
                .vector("center", 0.5, 0.25),
            ])
        for (name, text, reason) in [
            ("amount", "2", "amount is 2, but must be 0 to 1"), ("amount", "x", "amount is x, but must be 0 to 1"),
            ("amont", "1", "its parameters are amount, tint, cells, isOn, center"),
        ] {
            let error = #expect(throws: EffectError.self) { try effect.set(name, text: text) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
        #expect(effect.value(of: "amount") == .number(0.25))
    }

    @Test("keeps its values when its file changes, as far as they are still allowed")
    func reloads() throws {
        let folder = try TemporaryFolder()
        var effect = try tint(in: folder)
        try effect.set("cells", text: "60")
        #expect(try effect.reloaded().draws(as: effect))
        try write(Self.tint.replacing("1…64", with: "1…16"), effect.path)
        let fresh = try effect.reloaded()
        #expect(!fresh.draws(as: effect))
        #expect(fresh.value(of: "amount") == .number(0.25))
        #expect(fresh.value(of: "cells") == .integer(8))
        try write("nothing", effect.path)
        #expect(throws: EffectError.self) { try effect.reloaded() }
    }

    @Test("a file that is missing, or not text, is refused with its path")
    func files() throws {
        let folder = try TemporaryFolder()
        let binary = folder.path("binary.glsl")
        try write([0xff, 0xfe, 0x00], binary)
        for path in [folder.path("none.glsl"), folder.path(""), binary] {
            let error = #expect(throws: EffectError.self) { try FileEffect(path: path) }
            #expect(error?.description.contains(path) == true)
        }
    }

    private static let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)

    /// Writes the shader `tint` to a file in the folder, and returns the file's effect with an amount of 0.25.
    private func tint(in folder: TemporaryFolder) throws -> FileEffect {
        let path = folder.path("tint.glsl")
        try write(Self.tint, path)
        var effect = try FileEffect(path: path)
        try effect.set("amount", text: "0.25")
        return effect
    }

    private func write(_ text: String, _ path: String) throws { try write(Array(text.utf8), path) }

    private func write(_ bytes: [UInt8], _ path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
}
