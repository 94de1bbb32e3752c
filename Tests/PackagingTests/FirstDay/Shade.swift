/// Colours that stay distinguishable after encoding and under a vignette.
enum Shade: CaseIterable {
    case red, green, brown, cream, dark

    /// The red, green and blue of the colour, each from 0 to 1.
    private var parts: [Double] {
        switch self {
        case .red: [1, 0, 0]
        case .green: [0, 1, 0]
        // Red and green through sepia. Source: W3C Filter Effects Module Level 1, "sepia".
        case .brown: [0.393, 0.349, 0.272]
        case .cream: [0.769, 0.686, 0.534]
        // The colour of the slate of a missing camera, and of a page without a picture.
        case .dark: [0.07, 0.07, 0.07]
        }
    }

    /// The shade nearest to a colour.
    init(_ colour: [Double]) {
        self = Self.allCases.min { $0.distance(to: colour) < $1.distance(to: colour) } ?? .dark
    }

    private func distance(to colour: [Double]) -> Double {
        zip(parts, colour).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
