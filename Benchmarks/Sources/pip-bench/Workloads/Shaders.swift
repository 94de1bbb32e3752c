import Foundation

/// Shaders for GStreamer's `glshader`.
///
/// The shaders use `highp`: with `mediump`, Mesa's software renderer emulates half floats, at eight times the cost.
enum Shaders {
    /// The element that draws all steps in one pass, as a programmer would write it by hand.
    static func fused(_ steps: [ColorStep]) -> String {
        element(
            "vec4 s = texture2D(tex, v_texcoord); vec3 c = s.rgb; vec2 p = v_texcoord; "
                + steps.map(\.glsl).joined(separator: " ") + " gl_FragColor = vec4(clamp(c, 0.0, 1.0), s.a);")
    }

    /// The elements that draw one step each.
    static func separate(_ steps: [ColorStep]) -> [String] { steps.map { fused([$0]) } }

    /// The two elements that blur with a Gaussian, and read two neighbouring samples with one bilinear fetch.
    static func gaussianBlur(sigma: Double, size: FrameSize) -> [String] {
        [(1 / Double(size.width), 0), (0, 1 / Double(size.height))].map { step in
            var statements = "vec4 s = texture2D(tex, v_texcoord) * \(weights(sigma)[0]);"
            for (offset, weight) in taps(sigma) {
                let shift = "vec2(\(step.0 * offset), \(step.1 * offset))"
                statements +=
                    " s += (texture2D(tex, v_texcoord + \(shift)) + texture2D(tex, v_texcoord - \(shift))) * \(weight);"
            }
            return element(statements + " gl_FragColor = s;")
        }
    }

    /// The element that rounds each channel to tenths, and draws black where the gradient of luma exceeds 0.2.
    static func toon(_ size: FrameSize) -> String {
        let at =
            "float l(float x, float y) { return dot(texture2D(tex, v_texcoord + vec2(x, y) * d).rgb, vec3(0.2126, 0.7152, 0.0722)); }"
        return element(
            "float h = l(1.0, -1.0) + 2.0 * l(1.0, 0.0) + l(1.0, 1.0) - l(-1.0, -1.0) - 2.0 * l(-1.0, 0.0) - l(-1.0, 1.0); "
                + "float v = l(-1.0, 1.0) + 2.0 * l(0.0, 1.0) + l(1.0, 1.0) - l(-1.0, -1.0) - 2.0 * l(0.0, -1.0) - l(1.0, -1.0); "
                + "vec3 c = floor(texture2D(tex, v_texcoord).rgb * 10.0 + 0.5) / 10.0; "
                + "gl_FragColor = vec4(length(vec2(h, v)) > 0.2 ? vec3(0.0) : c, 1.0);",
            functions: "const vec2 d = vec2(\(1 / Double(size.width)), \(1 / Double(size.height))); " + at)
    }

    /// The element that applies a bilateral filter of 9 × 9 pixels.
    static func bilateral(_ size: FrameSize) -> String {
        element(
            "vec3 own = texture2D(tex, v_texcoord).rgb; vec3 sum = vec3(0.0); float all = 0.0; "
                + "for (int y = -4; y <= 4; y++) for (int x = -4; x <= 4; x++) { vec2 o = vec2(float(x), float(y)); "
                + "vec3 c = texture2D(tex, v_texcoord + o * d).rgb; "
                + "float w = exp(-dot(o, o) / 18.0) * max(1.0 - 8.0 * distance(c, own), 0.0); sum += w * c; all += w; } "
                + "gl_FragColor = vec4(sum / all, 1.0);",
            functions: "const vec2 d = vec2(\(1 / Double(size.width)), \(1 / Double(size.height)));")
    }

    /// The element that swirls the picture: by half a turn at the centre, and not at all from a distance of half the
    /// shorter side on.
    static func swirl(_ size: FrameSize) -> String {
        element(
            "vec2 size = vec2(\(size.width).0, \(size.height).0); vec2 p = (v_texcoord - 0.5) * size; "
                + "float share = max(1.0 - length(p) / (0.5 * min(size.x, size.y)), 0.0); float a = share * share * 3.14159265; "
                + "p = vec2(p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a)); "
                + "gl_FragColor = texture2D(tex, p / size + 0.5);")
    }

    /// The element that rounds the corners of a picture by making them transparent.
    static func corners(_ mask: CornerMask) -> String {
        let size = "vec2(\(mask.width).0, \(mask.height).0)"
        return element(
            "vec2 q = abs(v_texcoord - 0.5) * \(size) - \(size) * 0.5 + \(CornerMask.radius); "
                + "float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - \(CornerMask.radius); "
                + "gl_FragColor = vec4(texture2D(tex, v_texcoord).rgb, clamp(0.5 - d, 0.0, 1.0));")
    }

    /// The weights of a Gaussian from the centre to three standard deviations; the weights of both sides add up to 1.
    static func weights(_ sigma: Double) -> [Double] {
        let bell = (0...Int((sigma * 3).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = bell[0] + 2 * bell.dropFirst().reduce(0, +)
        return bell.map { $0 / sum }
    }

    private static func taps(_ sigma: Double) -> [(offset: Double, weight: Double)] {
        let weights = weights(sigma)
        return stride(from: 1, to: weights.count, by: 2).map { index in
            let next = index + 1 < weights.count ? weights[index + 1] : 0
            let weight = weights[index] + next
            return (Double(index) + next / weight, weight)
        }
    }

    private static func element(_ statements: String, functions: String = "") -> String {
        // The shader is quoted, because `gst-launch-1.0` splits words like a shell.
        "glshader fragment=\"#version 100\nprecision highp float; varying vec2 v_texcoord; uniform sampler2D tex; \(functions) "
            + "void main() { \(statements) }\""
    }
}
