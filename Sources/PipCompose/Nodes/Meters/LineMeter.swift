internal import Glibc

/// The straight lines among the edges of a frame.
///
/// Source: Duda and Hart, "Use of the Hough transformation to detect lines and curves in pictures".
public struct LineMeasurement: FrameMeasurement, Hashable {
    /// A line segment, clipped to the picture.
    public struct Line: Sendable, Hashable {
        /// The line's left end; the upper end where the line is more vertical than horizontal.
        public let start: PicturePoint
        /// The line's right end; the lower end where the line is more vertical than horizontal.
        public let end: PicturePoint
        /// The number of edge pixels on the line.
        public let length: Int
    }

    /// The most lines that a measurement lists; the lines with the fewest edge pixels are left out.
    public static let limit = 32
    private static let directions = 180
    /// The fewest edge pixels that make a line, as a share of the picture's shorter side.
    private static let shortest = 0.4

    /// The lines found, those with the most edge pixels first.
    public let lines: [Line]
    /// The timestamp of the measured frame.
    public let timestamp: Timestamp
    /// The sequence number of the measured frame.
    public let sequence: UInt64

    /// Finds the lines among a picture's pixels with a luma of at least 0.5; nil when the frame is a table instead of a
    /// picture.
    public init?(_ frame: Frame) {
        guard frame.info.content == .picture else { return nil }
        let size = frame.size
        var votes = Votes(size)
        for (index, value) in frame.lumaShares.enumerated() where value >= 0.5 {
            votes.add(index % size.width, index / size.width)
        }
        let least = Int((Self.shortest * Double(min(size.width, size.height))).rounded(.up))
        lines = votes.peaks(from: least, most: Self.limit).compactMap { votes.line($0, in: size) }
        timestamp = frame.timestamp
        sequence = frame.info.sequence
    }

    /// The accumulator of the Hough transform: the number of edge pixels on each line, by direction and distance from
    /// the picture's middle.
    private struct Votes {
        private let middle: (x: Double, y: Double)
        /// The largest distance of a line from the picture's middle, in pixels.
        private let reach: Int
        private let directions: [(cos: Double, sin: Double)]
        private var counts: [Int]

        /// A line, given by the direction of its normal in degrees and its distance from the picture's middle in
        /// pixels.
        struct Peak {
            let direction: Int
            let distance: Int
            let count: Int
        }

        init(_ size: PixelSize) {
            middle = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
            reach = Int(hypot(middle.x, middle.y).rounded(.up)) + 1
            directions = (0..<LineMeasurement.directions).map { index in
                let angle = Double(index) * .pi / Double(LineMeasurement.directions)
                return (cos(angle), sin(angle))
            }
            counts = Array(repeating: 0, count: LineMeasurement.directions * (2 * reach + 1))
        }

        mutating func add(_ x: Int, _ y: Int) {
            let (right, down) = (Double(x) - middle.x, Double(y) - middle.y)
            for (index, direction) in directions.enumerated() {
                let distance = Int((right * direction.cos + down * direction.sin).rounded())
                counts[index * (2 * reach + 1) + distance + reach] += 1
            }
        }

        /// Returns the largest local maxima of the votes, at most `most`, each of at least `least` votes.
        ///
        /// Two of them differ by more than five degrees or by more than four pixels.
        func peaks(from least: Int, most: Int) -> [Peak] {
            var all: [Peak] = []
            for (index, count) in counts.enumerated() where count >= least {
                all.append(
                    Peak(
                        direction: index / (2 * reach + 1), distance: index % (2 * reach + 1) - reach, count: count))
            }
            var found: [Peak] = []
            for peak in all.sorted(by: { $0.count > $1.count }) where found.count < most {
                if !found.contains(where: { isNear($0, peak) }) { found.append(peak) }
            }
            return found
        }

        private func isNear(_ first: Peak, _ second: Peak) -> Bool {
            let turn = abs(first.direction - second.direction)
            if turn <= 5 { return abs(first.distance - second.distance) <= 4 }
            // A normal turned by 180° is the same line with the distance's sign reversed.
            return LineMeasurement.directions - turn <= 5 && abs(first.distance + second.distance) <= 4
        }

        /// The part of a line that lies within the picture; nil when the line misses the picture, or only touches a
        /// corner.
        func line(_ peak: Peak, in size: PixelSize) -> Line? {
            let (cosine, sine) = directions[peak.direction]
            // The point of the line nearest to the middle, and the line's unit vector.
            let foot = (x: middle.x + Double(peak.distance) * cosine, y: middle.y + Double(peak.distance) * sine)
            let way = (x: -sine, y: cosine)
            var range = (low: -Double.infinity, high: Double.infinity)
            for (start, step, last) in [
                (foot.x, way.x, Double(size.width - 1)), (foot.y, way.y, Double(size.height - 1)),
            ] {
                if abs(step) < 1e-9 {
                    guard (-0.5...last + 0.5).contains(start) else { return nil }
                    continue
                }
                let ends = [-start / step, (last - start) / step].sorted()
                range = (max(range.low, ends[0]), min(range.high, ends[1]))
            }
            guard range.low < range.high else { return nil }
            let ends = [range.low, range.high].map { along in
                PicturePoint(
                    x: (foot.x + along * way.x + 0.5) / Double(size.width),
                    y: (foot.y + along * way.y + 0.5) / Double(size.height))
            }
            let isLevel = abs(way.x) >= abs(way.y)
            let isInOrder = isLevel ? ends[0].x <= ends[1].x : ends[0].y <= ends[1].y
            return Line(
                start: isInOrder ? ends[0] : ends[1], end: isInOrder ? ends[1] : ends[0], length: peak.count)
        }
    }
}

/// Lists the straight lines of each frame for the app: `camera --> Canny() --> LineMeter()`.
///
/// Connect the meter to an effect that draws edges as thin lines.
///
/// The task that iterates over ``values`` finds the lines, in some milliseconds for a picture of 640 by 360. Reduce
/// larger pictures with ``Sink/scaled(to:)``.
public struct LineMeter: Sink {
    public let label: String
    /// The line lists, one for each drawn frame that is not dropped; the stream ends with the meter's output.
    public let values: MeasurementStream<LineMeasurement>

    /// - Parameters:
    ///   - buffering: The lists to keep while the app is busy: the newest or the oldest.
    ///   - name: The name in messages and statistics.
    public init(buffering: FrameStream.Buffering = .newest(1), name: String = "lines") {
        label = name
        values = MeasurementStream(FrameStream(buffering))
    }

    public var destination: SinkDestination? { .object(values.frames.identity) }
    public var opening: SinkOpening { .stream(values.frames, name: label, SinkRequest(format: .i420)) }
}
