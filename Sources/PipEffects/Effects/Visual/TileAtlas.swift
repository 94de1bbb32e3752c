internal import PipFrames

/// The tile atlas of ``Mosaic``: ``count`` square tiles in a row, from dark to light, with sides of ``side`` texels.
struct TileAtlas {
    static let count = 16
    static let side = 16

    let tiles: Mosaic.Tiles

    init(_ tiles: Mosaic.Tiles) { self.tiles = tiles }

    var texture: ConstantTexture {
        ConstantTexture(
            label: "mosaic tiles \(tiles.rawValue)", size: PixelSize(Self.count * Self.side, Self.side), format: .r8,
            bytes: texels)
    }

    /// The texels, row by row, where 255 is light.
    func texels() -> [UInt8] {
        (0..<Self.side).flatMap { y in
            (0..<Self.count * Self.side).map { x in
                let light = value(tile: x / Self.side, x: x % Self.side, y: y)
                return UInt8((min(max(light, 0), 1) * 255).rounded())
            }
        }
    }

    private func value(tile: Int, x: Int, y: Int) -> Double {
        let middle = Double(Self.side) / 2
        let (right, down) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
        let share = Double(tile) / Double(Self.count - 1)
        switch tiles {
        case .letters: return Self.letter(tile, column: x / 2, row: y / 2) ? 1 : 0
        case .dots:
            let radius = (share / .pi).squareRoot() * Double(Self.side)
            return radius - (right * right + down * down).squareRoot() + 0.5
        case .stitches:
            // The arms of the cross are wider in lighter tiles.
            let width = share * middle
            return max(width - abs(right - down) / 1.41421356, width - abs(right + down) / 1.41421356) + 0.5
        }
    }

    /// True when the letter has a point at this column and row, each 0 to 7.
    private static func letter(_ index: Int, column: Int, row: Int) -> Bool {
        letters[index] >> UInt64(63 - row * 8 - column) & 1 == 1
    }

    /// The bitmaps of sixteen characters of 8×8 points, one byte for each row, roughly from the fewest points to the
    /// most.
    ///
    /// In this order: a blank and . - : + = i c o x a * & % # @
    private static let letters: [UInt64] = [
        0x0000_0000_0000_0000, 0x0000_0000_0018_1800, 0x0000_003C_0000_0000, 0x0018_1800_1818_0000,
        0x0010_107C_1010_0000, 0x0000_7E00_7E00_0000, 0x1800_3818_183C_0000, 0x0000_3C60_603C_0000,
        0x0000_3C66_663C_0000, 0x0000_663C_3C66_0000, 0x003C_063E_663E_0000, 0x0066_3CFF_3C66_0000,
        0x386C_3876_DCCC_7600, 0x62E6_6C18_366F_4600, 0x6CFE_FE6C_FEFE_6C00, 0x7EC3_DFDF_DFC0_7E00,
    ]
}
