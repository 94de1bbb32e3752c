import Foundation
import PipTestSupport
import Testing

@testable import PipText

/// A glyph and its position on a line.
struct LaidGlyph: CustomStringConvertible {
    var family: String
    var index: Int
    /// The position in pixels, from the line's left end and upwards from its baseline.
    var x: Double
    var y: Double

    var description: String { "\(family) \(index) at \(x), \(y)" }
}

/// Runs Pango, the reference for layouts, which chooses fonts, directions and scripts with its own code.
enum Pango {
    private static let program = "/usr/bin/pango-view"
    static let isThere = FileManager.default.isExecutableFile(atPath: program)

    /// Pango's glyphs of a line, from left to right.
    static func glyphs(_ line: String, font: String, size: Int) throws -> [LaidGlyph] {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "--no-display", "--subpixel-positions", "--hinting=none", "--hint-metrics=off", "--dpi=72",
            "--font=\(font) \(size)px", "--text=\(line)", "--serialize-to=\(folder.path("layout"))",
            "--output=\(folder.path("picture.png"))",
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let layout = try JSONDecoder().decode(Layout.self, from: Data(folder.read("layout")))
        var pen = 0
        return try #require(layout.output.lines.first).runs.flatMap { run in
            run.glyphs.compactMap { glyph in
                defer { pen += glyph.width }
                // PANGO_GLYPH_EMPTY
                if glyph.glyph == 0xfff_ffff { return nil }
                // The font's description ends with the size, such as "DejaVu Sans 32".
                let family = run.font.description.split(separator: " ").dropLast().joined(separator: " ")
                return LaidGlyph(
                    family: family, index: glyph.glyph, x: Double(pen + (glyph.xOffset ?? 0)) / 1024,
                    y: -Double(glyph.yOffset ?? 0) / 1024)
            }
        }
    }

    private struct Layout: Decodable {
        struct Output: Decodable { var lines: [Line] }
        struct Line: Decodable { var runs: [Run] }
        struct Run: Decodable {
            var font: Font
            var glyphs: [Glyph]
        }
        struct Font: Decodable { var description: String }
        struct Glyph: Decodable {
            var glyph: Int
            var width: Int
            var xOffset: Int?
            var yOffset: Int?

            enum CodingKeys: String, CodingKey {
                case glyph, width
                case xOffset = "x-offset"
                case yOffset = "y-offset"
            }
        }
        var output: Output
    }
}

/// This library's glyphs of a line, from left to right.
func glyphs(_ line: String, _ style: TextStyle) throws -> [LaidGlyph] {
    let fonts = try FontSet(style)
    let shaped = ShapedLine(Array(line.unicodeScalars), fonts: fonts, isRightToLeft: false)
    var pen = 0
    return shaped.runs.flatMap { run, glyphs in
        glyphs.map { glyph in
            defer { pen += glyph.advance }
            return LaidGlyph(
                family: fonts.faces[run.font].family, index: Int(glyph.index), x: Double(pen + glyph.xOffset) / 64,
                y: Double(glyph.yOffset) / 64)
        }
    }
}
