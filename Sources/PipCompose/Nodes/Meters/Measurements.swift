/// A value measured from one frame, such as the mean colour or a histogram.
public protocol FrameMeasurement: Sendable {
    /// Reads the value from a frame that was drawn for this measurement.
    ///
    /// - Parameter frame: A table of numbers that the renderer has computed, or the picture itself where this
    ///   initializer computes the value. Any other frame gives nil.
    init?(_ frame: Frame)
}

/// The mean of a frame's pixels.
public struct AverageMeasurement: FrameMeasurement, Hashable {
    /// The mean colour, weighted by alpha.
    ///
    /// The colour's alpha is the mean alpha.
    public let color: Color
    /// The mean luma, 0…1, by the weights of the picture's Y'CbCr matrix.
    public let luma: Double
    /// The timestamp of the measured frame.
    public let timestamp: Timestamp
    /// The sequence number of the measured frame.
    public let sequence: UInt64

    /// Reads the mean from a table frame; nil when the frame holds no such table.
    public init?(_ frame: Frame) {
        guard let numbers = FrameTable(frame)?.numbers, numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
            return nil
        }
        let alpha = min(max(Double(numbers[3]), 0), 1)
        let parts = numbers.prefix(3).map { min(max(Double($0) / max(alpha, 1 / 1024), 0), 1) }
        var color = Color(red: parts[0], green: parts[1], blue: parts[2])
        color.alpha = alpha
        self.color = color
        let (red, blue) = frame.info.colorimetry.matrix.lumaWeights
        luma = red * parts[0] + (1 - red - blue) * parts[1] + blue * parts[2]
        timestamp = frame.timestamp
        sequence = frame.info.sequence
    }
}

/// The histogram of a frame, with 256 bins a channel.
public struct HistogramMeasurement: FrameMeasurement, Hashable {
    /// The histogram of red: 256 counts of pixels, the count of value 0 first.
    public let red: [Int]
    /// The histogram of green, in the same order as ``red``.
    public let green: [Int]
    /// The histogram of blue, in the same order as ``red``.
    public let blue: [Int]
    /// The histogram of luma, in the same order as ``red``.
    ///
    /// Luma follows the picture's Y'CbCr matrix, rounded to the nearest value.
    public let luma: [Int]
    /// The timestamp of the measured frame.
    public let timestamp: Timestamp
    /// The sequence number of the measured frame.
    public let sequence: UInt64

    /// The number of pixels in the frame, which is the sum of any channel's counts.
    public var pixelCount: Int { luma.reduce(0, +) }

    /// The smallest value, 0…255, that at least `share` of the pixels do not exceed: a share of 0.5 gives the median.
    public func percentile(_ share: Double, of counts: KeyPath<HistogramMeasurement, [Int]> = \.luma) -> Int {
        let wanted = share * Double(pixelCount)
        var sum = 0
        for (value, count) in self[keyPath: counts].enumerated() {
            sum += count
            if Double(sum) >= wanted && sum > 0 { return value }
        }
        return 255
    }

    /// Counts the pixels of an RGBA picture, or reads the renderer's counts from a table.
    ///
    /// Nil for a picture of another pixel format, and for a table that is not a histogram.
    public init?(_ frame: Frame) {
        switch frame.info.content {
        case .picture:
            guard frame.layout.format == .rgba else { return nil }
            (red, green, blue, luma) = frame.tally
        case .table:
            guard let numbers = FrameTable(frame)?.numbers, numbers.count == 1024,
                numbers.allSatisfy({ $0 >= 0 && $0 < 1e9 })
            else { return nil }
            func counts(_ channel: Int) -> [Int] {
                stride(from: channel, to: 1024, by: 4).map { Int(numbers[$0].rounded()) }
            }
            (red, green, blue, luma) = (counts(0), counts(1), counts(2), counts(3))
        }
        timestamp = frame.timestamp
        sequence = frame.info.sequence
    }
}

extension Frame {
    /// The histograms of an RGBA picture, with the luma computed in the GPU's integer arithmetic.
    fileprivate var tally: (red: [Int], green: [Int], blue: [Int], luma: [Int]) {
        var counts = Array(repeating: 0, count: 1024)
        let weights = Measurement.wholeLumaWeights(of: info.colorimetry.matrix)
        withPlane(0) { span, plane in
            for row in 0..<plane.dimensions.height {
                for column in 0..<plane.dimensions.width {
                    let at = row * plane.strideInBytes + column * 4
                    let pixel = unsafe span.unsafeLoadUnaligned(fromByteOffset: at, as: SIMD4<UInt8>.self)
                    let (red, green, blue) = pixel.straight
                    counts[red] += 1
                    counts[256 + green] += 1
                    counts[512 + blue] += 1
                    counts[768 + (red * weights[0] + green * weights[1] + blue * weights[2] + 32768) / 65536] += 1
                }
            }
        }
        return (
            Array(counts[..<256]), Array(counts[256..<512]), Array(counts[512..<768]), Array(counts[768...])
        )
    }
}

extension SIMD4<UInt8> {
    /// The red, green and blue of a premultiplied pixel, divided by its alpha.
    fileprivate var straight: (Int, Int, Int) {
        if w == 255 { return (Int(x), Int(y), Int(z)) }
        let alpha = Swift.max(Int(w), 1)
        func part(_ value: UInt8) -> Int { Swift.min((Int(value) * 255 + alpha / 2) / alpha, 255) }
        return (part(x), part(y), part(z))
    }
}
