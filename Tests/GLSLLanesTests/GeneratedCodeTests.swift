import Foundation
import Testing

@testable import glsl_lanes

@Suite("The CPU code generated from the effects' GLSL")
struct GeneratedCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("the generated code matches the shaders: run `make lanes` after changing a shader")
    func isUpToDate() throws {
        let folder = Self.root.appending(path: "Sources/CPixels/Generated")
        for (name, text) in try GLSLLanes.files(of: Self.root.appending(path: "Shaders")) {
            let kept = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(kept == text, "\(name) is not what Shaders/ gives: run `make lanes`")
        }
    }

    /// The translator's error for an effect with this body; nil if the translation succeeds.
    private func refusal(of body: String) -> String? {
        let text = "uniform float PREFIX(amount);\nvec4 EFFECT(vec4 color, vec2 position)\n{\n\(body)\n}\n"
        do throws(TranslationError) {
            let unit = try Parser.unit(of: text, file: "Test.frag")
            try Variation.mark(unit)
            _ = try Writer.text(of: unit, name: "Test", readsPicture: false)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "GLSL that cannot be translated is refused with its file and line",
        arguments: [
            (
                "while (true) color.r = 0.0;\nreturn color;",
                "Test.frag:4: while is not supported; use if, for, return and continue"
            ),
            (
                "for (int i = 0; i < int(color.r); i++)\ncolor.g = 0.0;\nreturn color;",
                "Test.frag:4: the length of a loop must not differ from pixel to pixel"
            ),
            (
                "for (int i = 0; i < 4; i++) {\nif (color.r > 0.5)\ncontinue;\ncolor.g += 0.1;\n}\nreturn color;",
                "Test.frag:6: a `continue` must not differ from pixel to pixel"
            ),
            (
                "float c = color[int(position.x * 3.0)];\nreturn vec4(c);",
                "Test.frag:4: the index of a component must not differ from pixel to pixel"
            ),
            ("return colour;", "Test.frag:4: colour is not declared"),
            (
                "if (color.r > 0.5)\nreturn color;",
                "Test.frag:2: some pixels leave the function effect early, so the function must return a value and must end with a return"
            ),
            ("mat3 m = mat3(1.0);\nreturn color;", "Test.frag:4: only uniforms can be matrices"),
            ("return color", "Test.frag:5: \";\" is missing before \"}\""),
        ])
    func refusals(body: String, reason: String) { #expect(refusal(of: body) == reason) }

    @Test("values that are equal for all pixels stay scalar, and their loops and branches stay plain")
    func uniform() throws {
        let text = """
            uniform vec2 PREFIX(how);
            vec4 EFFECT(vec4 color, vec2 position)
            {
                float sum = 0.0;
                int count = int(PREFIX(how).x);
                for (int i = 0; i < count; i++)
                    sum += PREFIX(how).y;
                if (PREFIX(how).y > 0.5)
                    return color;
                return vec4(color.rgb * sum, color.a);
            }
            """
        let unit = try Parser.unit(of: text, file: "Test.frag")
        try Variation.mark(unit)
        let code = try Writer.text(of: unit, name: "Test", readsPicture: false)
        #expect(code.contains("float sum = 0.0f;") && code.contains("int count = toInt(u_how.x);"))
        #expect(code.contains("for (int i = 0; i < count; i++) {") && code.contains("if (u_how.y > 0.5f) {"))
        #expect(!code.contains("select("))
    }

    @Test("a branch of some pixels is computed for all and kept for those; a return leaves the other pixels active")
    func masks() throws {
        let text = """
            vec4 EFFECT(vec4 color, vec2 position)
            {
                float light = color.r;
                if (light > 0.5) {
                    light = 1.0;
                    if (color.g > 0.5)
                        return vec4(light);
                } else
                    light = 0.0;
                return color * light;
            }
            """
        let unit = try Parser.unit(of: text, file: "Test.frag")
        try Variation.mark(unit)
        let code = try Writer.text(of: unit, name: "Test", readsPicture: false)
        #expect(code.contains("light = as<F>(select(mask1, 1.0f, light));"))
        #expect(code.contains("const I mask2 = mask1 & maskOf((color.y > 0.5f));"))
        #expect(code.contains("given = as<Vec<F, 4>>(select(both(isLive, mask2), "))
        #expect(code.contains("const I mask3 = ~mask1;"))
        #expect(code.contains("return as<Vec<F, 4>>(select(isLive, "))
    }
}
