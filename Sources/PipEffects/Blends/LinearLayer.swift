internal import Glibc
package import PipFrames

/// Draws a layer over the picture below it in linear light, with its shape, border and shadow in one GLSL function.
///
/// The function takes the layer's pixel, the pixel below, and the position in canvas pixels. Both colours are decoded
/// by the sRGB curve, except the layer's if it is already linear, and the result is encoded again. Alpha is linear.
///
/// Source: IEC 61966-2-1 (sRGB); W3C, Compositing and Blending Level 1.
package struct LinearLayer: Sendable {
    /// The layer's rectangle, in canvas pixels.
    package var rect: PixelRect
    /// The radius of the layer's corners, in canvas pixels.
    package var cornerRadius = 0.0
    /// The layer's opacity, 0…1.
    package var opacity = 1.0
    /// The border's colour, and its width in canvas pixels; nil for none.
    package var border: (color: Color, width: Double)?
    /// The shadow's downward offset and its blur in canvas pixels, and its opacity; nil for none.
    package var shadow: (offset: Double, blur: Double, opacity: Double)?
    /// True when the layer's colours are already linear, because a blend was applied before.
    package var isBlended = false

    /// Creates an opaque layer with square corners.
    package init(rect: PixelRect) { self.rect = rect }

    /// The GLSL source of the function that draws the layer.
    package static let source = ShaderSource(
        "LinearLayer.glsl",
        ShaderSource("LinearLight.glsl", PackageResources.LinearLight_glsl).text
            + ShaderSource("LinearLayer.glsl", PackageResources.LinearLayer_glsl).text)

    /// Makes the call of the GLSL function, with the layer's properties as uniforms.
    ///
    /// - Parameter isOverOpaque: True when the picture below is opaque, so that the result is opaque, too.
    /// - Returns: The call, which names the GLSL function and its uniforms.
    package func call(isOverOpaque: Bool) -> ShaderCall {
        let radius = min(cornerRadius, Double(min(rect.width, rect.height)) / 2)
        let color = border?.color.linear ?? .clear
        let uniforms: [Uniform] = [
            .vector("rect", Float(rect.x), Float(rect.y), Float(rect.width), Float(rect.height)),
            .vector("look", Float(radius), Float(opacity), isBlended ? 1 : 0),
            .vector("border", Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)),
            .float("width", Float(border?.width ?? 0)),
            .vector(
                "shadow", Float(shadow?.offset ?? 0), Float(max(shadow?.blur ?? 0, 0.5)), Float(shadow?.opacity ?? 0)),
        ]
        return ShaderCall(Self.source, uniforms, changesAlpha: !isOverOpaque)
    }
}

extension Color {
    /// The colour in linear light, by the sRGB curve, with unchanged alpha.
    fileprivate var linear: Color {
        func decoded(_ value: Double) -> Double {
            let value = min(max(value, 0), 1)
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return Color(red: decoded(red), green: decoded(green), blue: decoded(blue), alpha: alpha)
    }
}
