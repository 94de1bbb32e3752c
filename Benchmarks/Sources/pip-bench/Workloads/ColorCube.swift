import Foundation

/// A 3D lookup table of a workload's colour steps, for FFmpeg's `lut3d` and pip-compose's `cube`.
enum ColorCube {
    /// The number of samples along each axis, which suffices for curves as smooth as those of the workloads.
    static let side = 33

    /// The text of a `.cube` file; leaves out steps that depend on the position.
    static func text(_ steps: [ColorStep]) -> String {
        var lines = ["LUT_3D_SIZE \(side)"]
        for blue in 0..<side {
            for green in 0..<side {
                for red in 0..<side {
                    var color = SIMD3(Double(red), Double(green), Double(blue)) / Double(side - 1)
                    for step in steps { color = step.apply(to: color) ?? color }
                    let shown = color.clamped(lowerBound: .zero, upperBound: .one)
                    lines.append(String(format: "%.6f %.6f %.6f", shown.x, shown.y, shown.z))
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
