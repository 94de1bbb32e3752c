/// The curves of an Adobe Photoshop curves file (`.acv`).
///
/// Source: Adobe Photoshop File Formats Specification, "Curves".
struct CurveFile {
    /// Four curves, in this order: all components, red, green, blue.
    ///
    /// Curves that the file lacks are straight.
    let curves: [[ControlPoint]]

    /// Reads the Photoshop curves file at the path.
    ///
    /// The file consists of big-endian 16-bit numbers: the version, the number of curves, and for each curve the number
    /// of its points and the output and input of each point.
    init(_ path: String) throws(FileProblem) {
        let bytes = try EffectFile(path, limit: 1 << 20).bytes
        var place = 0
        func number() throws(FileProblem) -> Int {
            guard place + 2 <= bytes.count else {
                throw FileProblem("\(path), byte \(place): the file ends before its curves are complete")
            }
            defer { place += 2 }
            return Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }
        let version = try number()
        guard version == 1 || version == 4 else {
            throw FileProblem(
                "\(path): an .acv file must begin with version 1 or 4, but this one begins with \(version)")
        }
        var curves: [[ControlPoint]] = []
        let count = try number()
        guard count >= 1 else { throw FileProblem("\(path): the file has no curves, but must have at least one") }
        for curve in 0..<min(count, 4) {
            let points = try number()
            guard ToneCurve.pointCounts.contains(points) else {
                throw FileProblem(
                    "\(path), byte \(place - 2): curve \(curve + 1) has \(points) points, but must have 2 to 19")
            }
            var read: [ControlPoint] = []
            for _ in 0..<points {
                let (output, input) = (try number(), try number())
                guard output <= 255, input <= 255, read.last.map({ $0.x < Float(input) / 255 }) ?? true else {
                    throw FileProblem(
                        "\(path), byte \(place - 4): the point with input \(input) and output \(output) is out of range or order: both must be 0 to 255, and inputs must rise from point to point"
                    )
                }
                read.append(ControlPoint(Float(input) / 255, Float(output) / 255))
            }
            curves.append(read)
        }
        while curves.count < 4 { curves.append(ToneCurve.straight) }
        self.curves = curves
    }
}
