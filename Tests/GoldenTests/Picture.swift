import PipCodecs
import PipFrames

/// An RGBA picture in memory.
struct Picture {
    let size: PixelSize
    var bytes: [UInt8]

    init(_ frame: Frame) {
        size = frame.size
        bytes = frame.withPlane(0) { span, plane in
            var bytes: [UInt8] = []
            for row in 0..<plane.dimensions.height {
                let start = row * plane.strideInBytes
                unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0[start..<start + plane.rowBytes]) }
            }
            return bytes
        }
    }

    init(size: PixelSize, bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    init(png: [UInt8]) throws {
        let layout = FrameLayout(.rgba, try png.withBytes { try PNG.header(of: $0, subject: "golden").size })
        let buffer = FrameBuffer(layout)
        try png.withBytes { try PNG.decode($0, into: buffer, layout: layout, subject: "golden") }
        self.init(Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer))
    }

    func png() throws -> [UInt8] {
        let layout = FrameLayout(.rgba, size)
        let buffer = FrameBuffer(layout)
        let memory = unsafe buffer.mutableBytes(ofPlane: 0)
        unsafe memory.copyBytes(from: bytes)
        let output = ByteBuffer()
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
        try PNGEncoder(compression: 9).encode(frame, into: output, subject: "golden")
        return output.withBytes { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    }

    /// The largest and the root mean square (RMS) difference of two pictures' samples, in steps of 1/255.
    func difference(_ other: Picture) -> (largest: Int, rms: Double) {
        var largest = 0
        var sum = 0
        for (one, other) in zip(bytes, other.bytes) {
            let step = abs(Int(one) - Int(other))
            largest = max(largest, step)
            sum += step * step
        }
        return (largest, (Double(sum) / Double(bytes.count)).squareRoot())
    }

    /// A picture of the differences, amplified eight times.
    func differencePicture(_ other: Picture) -> Picture {
        let differences = zip(bytes, other.bytes).enumerated().map { index, pair in
            index % 4 == 3 ? 255 : UInt8(min(255, abs(Int(pair.0) - Int(pair.1)) * 8))
        }
        return Picture(size: size, bytes: differences)
    }
}
