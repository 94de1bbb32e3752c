/// The curves of an Adobe Photoshop curves file (`.acv`).
///
/// Source: Adobe Photoshop File Formats Specification, "Curves".
struct CurveFile {
    /// Four curves, in this order: all components, red, green, blue.
    let curves: [[ControlPoint]]

    /// Reads a curves file.
    ///
    /// The file consists of big-endian 16-bit numbers: the version, the number of curves, and for each curve the number
    /// of its points and the output and input of each point.
    init(_ path: String) throws(FileProblem) {
        let bytes = try EffectFile(path, limit: 1 << 20).bytes
        var place = 0
        func number() throws(FileProblem) -> Int {
            guard place + 2 <= bytes.count else {
                throw FileProblem("\(path), byte \(place): the file ends in the middle of its curves")
            }
            defer { place += 2 }
            return Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }
        let version = try number()
        guard version == 1 || version == 4 else {
            throw FileProblem("\(path): not an .acv file of version 1 or 4: it begins with \(version)")
        }
        var curves: [[ControlPoint]] = []
        let count = try number()
        guard count >= 1 else { throw FileProblem("\(path): it has no curves") }
        for curve in 0..<min(count, 4) {
            let points = try number()
            guard ToneCurve.pointCounts.contains(points) else {
                throw FileProblem("\(path), byte \(place - 2): curve \(curve + 1) has \(points) points")
            }
            var read: [ControlPoint] = []
            for _ in 0..<points {
                let (output, input) = (try number(), try number())
                guard output <= 255, input <= 255, read.last.map({ $0.x < Float(input) / 255 }) ?? true else {
                    throw FileProblem(
                        "\(path), byte \(place - 4): \(input) to \(output) is no next point within 0 to 255")
                }
                read.append(ControlPoint(Float(input) / 255, Float(output) / 255))
            }
            curves.append(read)
        }
        while curves.count < 4 { curves.append(ToneCurve.straight) }
        self.curves = curves
    }
}
