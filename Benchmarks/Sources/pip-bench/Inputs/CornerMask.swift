/// An alpha mask with corners rounded by 16 pixels, at an opacity of 0.8, for programs that read a mask.
struct CornerMask {
    var width: Int
    var height: Int
    static let radius = 16.0
    static let opacity = 0.8

    /// The alpha of the mask's pixels, one byte each, row by row; 255 would be opaque.
    var bytes: [UInt8] {
        (0..<height).flatMap { y in (0..<width).map { x in UInt8((coverage(x, y) * 255).rounded()) } }
    }

    /// The alpha of a pixel, 0…``opacity``: the opacity times the pixel's coverage.
    ///
    /// The coverage is computed from the distance of the pixel's centre to the rounded edge.
    private func coverage(_ x: Int, _ y: Int) -> Double {
        let across = abs(Double(x) + 0.5 - Double(width) / 2) - Double(width) / 2 + Self.radius
        let down = abs(Double(y) + 0.5 - Double(height) / 2) - Double(height) / 2 + Self.radius
        let outside = (max(across, 0) * max(across, 0) + max(down, 0) * max(down, 0)).squareRoot()
        let distance = outside + min(max(across, down), 0) - Self.radius
        return Self.opacity * min(max(0.5 - distance, 0), 1)
    }
}
