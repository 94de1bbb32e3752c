internal import PipFrames

/// The type and range of a parameter's values, for help, checks and user interfaces.
public enum ParameterKind: Sendable, Hashable {
    /// A number within a range.
    case number(ClosedRange<Float>)
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A switch: on or off.
    case flag
    /// A colour with components 0…1.
    case color
    /// One of the given names.
    case choice([String])
    /// A list of numbers, each within a range.
    case numbers(count: ClosedRange<Int>, each: ClosedRange<Float>)
    /// The points of a curve, from left to right, with coordinates 0…1.
    case points(count: ClosedRange<Int>)
    /// Positions in the picture, 0…1 from the left and from the top. If `isPaired` is true, two successive positions
    /// are the ends of a line.
    case places(count: ClosedRange<Int>, isPaired: Bool)
    /// The path of a file.
    case file

    /// The kind's name in JSON.
    public var name: String {
        switch self {
        case .number: "number"
        case .integer: "integer"
        case .flag: "flag"
        case .color: "color"
        case .choice: "choice"
        case .numbers: "numbers"
        case .points: "points"
        case .places: "places"
        case .file: "file"
        }
    }

    /// The valid values in words, such as `0 to 1`.
    public var allowed: String {
        switch self {
        case .number(let range): Self.text(range)
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "on or off"
        case .color: "a colour name, #rrggbb or #rrggbbaa, with components from 0 to 1"
        case .choice(let names): "one of \(names.joined(separator: ", "))"
        case .numbers(let count, let each): "\(Self.text(count)) numbers from \(Self.text(each)), separated by spaces"
        case .points(let count):
            "\(Self.text(count)) points from left to right within 0 to 1, such as 0/0 0.5/0.6 1/1"
        case .places(let count, let isPaired):
            "\(Self.text(count)) positions within 0 to 1\(isPaired ? ", two for each line" : ""), such as 0.2/0.5 0.8/0.5"
        case .file: "the path of a file"
        }
    }

    /// True when a value is of this type and within the range.
    public func allows(_ value: ParameterValue) -> Bool {
        switch (self, value) {
        case (.number(let range), .number(let value)): range.contains(value)
        case (.integer(let range), .integer(let value)): range.contains(value)
        case (.flag, .flag), (.file, .file): true
        case (.color, .color(let color)):
            [color.red, color.green, color.blue, color.alpha].allSatisfy((0...1).contains)
        case (.choice(let names), .choice(let name)): names.contains(name)
        case (.numbers(let count, let each), .numbers(let values)):
            count.contains(values.count) && values.allSatisfy(each.contains)
        case (.points(let count), .points(let points)):
            count.contains(points.count) && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
                && zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x }
        case (.places(let count, let isPaired), .points(let points)):
            count.contains(points.count) && (!isPaired || points.count % 2 == 0)
                && points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
        default: false
        }
    }

    private static func text(_ range: ClosedRange<Float>) -> String {
        "\(shortNumber(range.lowerBound)) to \(shortNumber(range.upperBound))"
    }

    private static func text(_ count: ClosedRange<Int>) -> String {
        count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
    }
}
