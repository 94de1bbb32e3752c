/// The contents of a `.cube` file: a three-dimensional lookup table, or a curve for each of red, green and blue.
///
/// Source: Adobe, "Cube LUT Specification" 1.0; `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` of DaVinci Resolve.
struct CubeFile {
    /// The allowed numbers of entries along each edge of a cube.
    static let edges = 2...65
    /// The allowed numbers of entries of a curve.
    static let lengths = 2...65536

    /// True for a cube, false for three curves.
    private(set) var isCube = true
    /// The number of entries along an edge of the cube, or in each curve.
    private(set) var count = 0
    private(set) var low: [Float] = [0, 0, 0]
    private(set) var high: [Float] = [1, 1, 1]
    /// The red, green and blue of each entry, in the order of the file.
    private(set) var values: [Float] = []
    private let path: String

    /// Parses the bytes of a `.cube` file.
    ///
    /// - Throws: ``FileProblem`` that names the wrong line, if there is one.
    init(_ bytes: [UInt8], path: String) throws(FileProblem) {
        self.path = path
        var number = 0
        for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == UInt8(ascii: "\n") }) {
            number += 1
            try read(line, number)
        }
        guard count > 0 else {
            throw FileProblem("\(path): a .cube file must have LUT_3D_SIZE or LUT_1D_SIZE, but this file has neither")
        }
        guard values.count == 3 * expected else {
            throw FileProblem(
                "\(path), line \(number): the file ends after \(values.count / 3) of \(expected) colours")
        }
        for (part, name) in ["red", "green", "blue"].enumerated() where !(low[part] < high[part]) {
            throw FileProblem(
                "\(path): the domain of \(name) must end above its start \(low[part]), but ends at \(high[part])")
        }
    }

    private var expected: Int { isCube ? count * count * count : count }

    private mutating func read(_ line: ArraySlice<UInt8>, _ number: Int) throws(FileProblem) {
        let words = line.split { $0 == 32 || $0 == 9 || $0 == 13 }
        guard let first = words.first, let start = first.first, start != UInt8(ascii: "#") else { return }
        if start < UInt8(ascii: "A") { return try readColor(words, number) }
        let name = Self.text(first)
        let rest = Array(words.dropFirst())
        switch name {
        case "TITLE": return
        case "LUT_3D_SIZE": try readCount(rest, Self.edges, name, number, isCube: true)
        case "LUT_1D_SIZE": try readCount(rest, Self.lengths, name, number, isCube: false)
        case "DOMAIN_MIN": low = try numbers(rest, 3, name, number)
        case "DOMAIN_MAX": high = try numbers(rest, 3, name, number)
        case "LUT_3D_INPUT_RANGE", "LUT_1D_INPUT_RANGE":
            let range = try numbers(rest, 2, name, number)
            low = Array(repeating: range[0], count: 3)
            high = Array(repeating: range[1], count: 3)
        default: throw problem(number, "\(name.prefix(40)) is not a keyword of .cube files")
        }
    }

    private mutating func readCount(
        _ words: [ArraySlice<UInt8>], _ range: ClosedRange<Int>, _ name: String, _ line: Int, isCube: Bool
    ) throws(FileProblem) {
        guard count == 0 else { throw problem(line, "the file has a second LUT_3D_SIZE or LUT_1D_SIZE; keep one") }
        guard words.count == 1, let value = Int(Self.text(words[0])), range.contains(value) else {
            let given = words.map(Self.text).joined(separator: " ").prefix(40)
            throw problem(line, "\(name) must be \(range.lowerBound) to \(range.upperBound), not \"\(given)\"")
        }
        count = value
        self.isCube = isCube
        values.reserveCapacity(3 * expected)
    }

    private mutating func readColor(_ words: [ArraySlice<UInt8>], _ line: Int) throws(FileProblem) {
        guard count > 0 else { throw problem(line, "colours must come after LUT_3D_SIZE or LUT_1D_SIZE") }
        guard values.count < 3 * expected else {
            throw problem(line, "the file has more colours than the \(expected) that its size demands")
        }
        values += try numbers(words, 3, "a colour", line)
    }

    private func numbers(
        _ words: [ArraySlice<UInt8>], _ count: Int, _ subject: String, _ line: Int
    ) throws(FileProblem) -> [Float] {
        guard words.count == count else {
            throw problem(line, "\(subject) must have \(count) numbers, but has \(words.count)")
        }
        var numbers: [Float] = []
        for word in words {
            guard let number = Float(Self.text(word)), number.isFinite else {
                throw problem(line, "\(Self.text(word).prefix(40)) is not a number that 32-bit floats can hold")
            }
            numbers.append(number)
        }
        return numbers
    }

    private func problem(_ line: Int, _ reason: String) -> FileProblem {
        FileProblem("\(path), line \(line): \(reason)")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
