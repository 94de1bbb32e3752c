import Foundation
import PipCompose

@testable import PipRig
@testable import pip_compose

/// Generates `docs/effects.md` from the catalogue and the names in other libraries.
struct EffectTable {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    private let families = CounterpartFamily.all

    private var rows: [CounterpartRow] { families.flatMap(\.rows) }

    /// The text of the document, for the effects of the command line with their summaries.
    func markdown(_ effects: [(name: String, summary: String)]) -> String {
        var lines = [
            "# Effects", "",
            "`pip-compose effects` lists them with parameters and ranges; this page finds them by the names that other",
            "libraries have, and ends with the rules for porting. Each is shown below with its defaults, drawn by `make gallery`.",
            "",
            "Their names work as ours do: `--effect main:GPUImageSepiaFilter`, `inset:hflip`, `blend=CIScreenBlendMode`, without",
            "the library's letters too, in capitals or not. Parameters have our names. A name with ≈ is refused with the",
            "difference, a name with * is accepted with a remark; both are listed below.",
            "", "![Every effect on one picture](effects.jpg)", "",
            "<!-- Made from the catalogue by `make gallery`; do not edit. -->",
        ]
        let libraries = EffectLibrary.allCases
        for family in families {
            lines += [
                "", "## \(family.title)", "",
                "| pip-compose | \(libraries.map(\.rawValue).joined(separator: " | ")) |",
                "|---\(String(repeating: "|---", count: libraries.count))|",
            ]
            lines += family.rows.map { row in
                let cells = libraries.map { library in
                    row.names.filter { $0.library == library }.map(marked).joined(separator: ", ")
                }
                return "| " + ([ours(row)] + cells).joined(separator: " | ") + " |"
            }
        }
        let named = Set(rows.compactMap { $0.name?.split(separator: "=").first.map(String.init) })
        let alone = effects.filter { !named.contains($0.name) }
        if !alone.isEmpty {
            lines += ["", "## Ours alone", ""] + alone.map { "- `\($0.name)`: \($0.summary)" }
        }
        lines += ["", "## Differences", "", "| Name | Here | Difference |", "|---|---|---|"] + differences
        return lines.joined(separator: "\n") + "\n\n" + Self.porting + "\n"
    }

    /// A table line for each name of another library whose effect differs or needs a remark.
    private var differences: [String] {
        rows.flatMap { row in
            row.names.compactMap { name in
                switch name.agreement {
                case .same: nil
                case .noted(let text), .differs(let text):
                    "| \(name.library.rawValue): \(marked(name)) | \(ours(row)) | \(text) |"
                }
            }
        }
    }

    /// Another library's name, with `*` for an effect with a remark, and `≈` for an effect that is only similar.
    private func marked(_ name: Counterpart) -> String {
        switch name.agreement {
        case .same: name.name
        case .noted: "\(name.name)*"
        case .differs: "≈ \(name.name)"
        }
    }

    /// The rules for porting parameters of GPUImage.
    private static let porting = """
        ## Porting

        The formulas are GPUImage's, whose shaders were drawn beside ours; where they differ, it is said here.

        ### Everywhere

        - **Defaults.** An effect named alone shows what it is for. GPUImage's defaults that change nothing are the *neutral*
          values of `pip-compose effects NAME`, and `Sepia.neutral` in code.
        - **Luma** is weighed by the frame's own matrix: BT.601, BT.709 or BT.2020, so that effects leave luma planes as they are.
          GPUImage has 0.2125, 0.7154 and 0.0721, and BT.601 for `hue`, which is up to 61 of 255 steps off on RGB stills therefore.
          `sepia` has BT.601's weights always, as the original.
        - **Sizes** such as `size` and `radius` are shares of the picture's shorter side, and circles are round. GPUImage's are shares
          of the width: multiply them by width / height in landscape, and leave them in portrait.
        - **Pixels** (`px`) are those of the picture at its full size; an inset that is drawn smaller has smaller blurs.
          GPUImage's `texelWidth` and `texelHeight`, which space the taps of edge filters, have no counterpart: place the layer at a
          smaller size before the effect.
        - **Angles** are in degrees, clockwise. **y** grows down.

        ### One by one

        | Effect | GPUImage | Here |
        |---|---|---|
        | `swirl` | `angle` 1 turns the middle by 8 radians; the ellipse has the picture's aspect | `angle` × 458.37; a circle |
        | `motion-blur` | `blurSize` in texels of the width, stretched by the aspect | `size` = `blurSize` × height / width in landscape |
        | `polar-pixellate` | `pixelSize` (ring, radians) in coordinates from -1 to 1, colours from a ring's inner side | `size` = half of the ring, `angle` = radians × 57.3; the middle's colour |
        | `unsharp-mask` | `intensity` 1 changes nothing | `amount` = `intensity` - 1 |
        | `pinch` | falls off by 1 - 2 d, whatever the radius, and ends in a step | falls off by 1 - d / radius, without a step; equal for a radius of 0.5 |
        | `vignette` | black at the end | the same, times `strength` |
        | `white-balance` | matrices of YIQ that are transposed | the right way round: another tint |
        | `threshold-edge` | on iOS, differences of the four neighbours; elsewhere edges of one sign are lost | Sobel's gradient, as GPUImage2's `ThresholdSobelEdgeDetection`: four times the threshold of iOS |
        | `hsb` | luma weights 0.3, 0.59, 0.11 | the frame's own weights |
        | `soft-elegance` | dark and hard, by two pictures of tables | paler and softer, by matrices. With the original's tables: `lookup=lookup_soft_elegance_1.png,lookup=lookup_soft_elegance_2.png`; its blur of 14 % between them is left out |
        | `motion-detector` | red and green hold the place for a centroid | white; the distance in RGB and its 0.2 are the same |
        | `color-fast` | the angle is in alpha; its blur is not read | `show=direction`; `radius` 0 is the original, above it pixel and ring are blurred alike |
        | `glass-sphere`, `sphere-refraction` | transparent around the ball | black around it |
        | `perlin-noise` | in the picture's aspect | square cells on the shorter side |
        | `kuwahara` | texels of 1/768 × 1/1024, whatever the size | the picture's pixels |
        | `mosaic` | a tile set of one's own, `inputTile`, `numTiles` | three tile sets with the code; 16 tiles each |
        | `gaussian-blur` | any radius | 24 pixels at most; up to 96 by `frosted-glass=48:saturation=1:reduction=0`, from a quarter of the size |
        | `frosted-glass` | `iOSBlur` counts pixels of a picture at a quarter of the size | of the whole picture: `frosted-glass=48` is `iOSBlur` with its 12 |
        """

    private func ours(_ row: CounterpartRow) -> String {
        let note = row.note.isEmpty ? "" : " (\(row.note))"
        return switch row.ours {
        case .effect: "`\(row.name ?? "")`" + note
        case .blend(let kind): "`blend \(kind.rawValue)`" + note
        case .other(let text): text + note
        case .leftOut(let reason): "left out: \(reason)"
        }
    }
}
