import PipTestSupport

/// Samples in rows, of one component or of interleaved ones, with padding behind each row.
struct Plane {
    let width: Int
    let height: Int
    let parts: Int
    let stride: Int
    var bytes: [UInt8]

    private static let padding = 5
    /// The value of padding bytes.
    private static let mark: UInt8 = 0xA5

    /// Makes a plane of noise in which many samples are the darkest or the brightest.
    init(_ width: Int, _ height: Int, parts: Int = 1, seed: Int = 1) {
        var dice = Dice(seed)
        self.init(width, height, parts: parts) { _, _, _ in
            switch UInt8.random(in: 0...255, using: &dice) {
            case 0..<32: 0
            case 224...255: 255
            default: UInt8.random(in: 0...255, using: &dice)
            }
        }
    }

    init(_ width: Int, _ height: Int, parts: Int = 1, _ sample: (_ x: Int, _ y: Int, _ part: Int) -> UInt8) {
        self.width = width
        self.height = height
        self.parts = parts
        stride = width * parts + Self.padding
        bytes = Array(repeating: Self.mark, count: stride * height)
        for y in 0..<height {
            for x in 0..<width {
                for part in 0..<parts { bytes[y * stride + x * parts + part] = sample(x, y, part) }
            }
        }
    }

    /// The sample at a column, a row and a component.
    ///
    /// Coordinates beyond the edges give the nearest sample of the edge.
    subscript(x: Int, y: Int, part: Int) -> Double {
        let (column, row) = (min(max(x, 0), width - 1), min(max(y, 0), height - 1))
        return Double(bytes[row * stride + column * parts + part])
    }

    /// Lends the rows for reading: `body` gets a function from a row's index to its pointer.
    func withRows(_ body: ((Int) -> UnsafePointer<UInt8>) -> Void) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe body { row in unsafe start + row * stride }
        }
    }

    /// Lends the rows for writing: `body` gets a function from a row's index to its pointer.
    mutating func withMutableRows(_ body: ((Int) -> UnsafeMutablePointer<UInt8>) -> Void) {
        let stride = stride
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe body { row in unsafe start + row * stride }
        }
    }

    /// True if all padding bytes are unchanged.
    var isPaddingIntact: Bool {
        (0..<height).allSatisfy { row in
            bytes[(row * stride + width * parts)..<(row + 1) * stride].allSatisfy { $0 == Self.mark }
        }
    }

    /// The largest difference from a reference, in steps, and its position.
    func difference(from reference: (_ x: Int, _ y: Int, _ part: Int) -> Double) -> (steps: Double, place: String) {
        var worst = (steps: 0.0, place: "nowhere")
        for y in 0..<height {
            for x in 0..<width {
                for part in 0..<parts {
                    let expected = reference(x, y, part)
                    let steps = abs(self[x, y, part] - expected)
                    if steps > worst.steps {
                        worst = (steps, "\(x), \(y), component \(part): \(self[x, y, part]) instead of \(expected)")
                    }
                }
            }
        }
        return worst
    }
}
