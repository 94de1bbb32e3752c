internal import PipFrames

/// Draws ramps of luma and chroma through all codes that the picture's width allows.
///
/// The upper half is a ramp of luma from 0 to 255. The lower half has luma in steps of a tenth of the nominal range,
/// then a ramp of Cb, and a ramp of Cr.
final class RampPattern: PatternPainter {
    private let colorimetry: Colorimetry

    init(_ colorimetry: Colorimetry) { self.colorimetry = colorimetry }

    func drawBackground(on canvas: PatternCanvas) {
        let (width, height) = (canvas.size.width, canvas.size.height)
        for y in 0..<height {
            let band = 6 * y / height
            for x in 0..<width {
                let code = UInt8(255 * x / max(width - 1, 1))
                let chromaCode = UInt8(255 * (x / 2) / max((width + 1) / 2 - 1, 1))
                let color: PatternColor =
                    switch band {
                    case 0...2: PatternColor(luma: code)
                    case 3: step(11 * x / width)
                    case 4: PatternColor(luma: 128, blue: chromaCode)
                    default: PatternColor(luma: 128, red: chromaCode)
                    }
                canvas.set(color, x: x, y: y)
            }
        }
    }

    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas) {}

    /// The grey of a number of tenths, from black (0) to white (10).
    private func step(_ tenths: Int) -> PatternColor {
        let level = Double(tenths) / 10
        return PatternColor(level, level, level, colorimetry)
    }
}
