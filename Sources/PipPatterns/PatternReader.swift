package import PipConcurrency
package import PipFrames
package import PipSources

/// Generates the frames of a pattern: noise, or a copy of the background with the moving parts drawn over it.
package final class PatternReader: FrameReader {
    package let description: SourceDescription
    package let interruption = Interruption()
    private let background: FrameBuffer
    private let painter: (any PatternPainter)?
    private let seed: UInt64

    /// - Throws: ``SourceError`` when the size or the format is not supported.
    package init(_ options: PatternOptions) throws(SourceError) {
        let name = "pattern:\(options.kind.rawValue)"
        guard options.format == .i420 || options.format == .nv12 else {
            throw SourceError(name, "draw", .invalidOptions, "its format must be i420 or nv12, not \(options.format)")
        }
        let size = options.size
        guard (1...16384).contains(size.width), (1...16384).contains(size.height) else {
            throw SourceError(name, "draw", .invalidOptions, "its sides must be 1 to 16384 pixels, not \(size)")
        }
        let layout = FrameLayout(options.format, size)
        let colorimetry = options.colorimetry ?? .assumed(for: options.format, size)
        description = SourceDescription(
            name: name, layout: layout, colorimetry: colorimetry, rate: options.rate,
            length: options.frames.map { .frames($0) } ?? .endless)
        seed = options.seed
        background = FrameBuffer(layout)
        _ = unsafe background.mutableBytes(ofPlane: 0).initializeMemory(as: UInt8.self, repeating: 128)
        painter =
            switch options.kind {
            case .bars: BarsPattern(colorimetry)
            case .ramp: RampPattern(colorimetry)
            case .noise: nil
            case .scene where options.seed % 2 == 0: RoadScene(size, colorimetry, seed: options.seed / 2)
            case .scene: DriverScene(size, colorimetry, seed: options.seed / 2)
            }
        if let canvas = PatternCanvas(background, layout) { painter?.drawBackground(on: canvas) }
    }

    package func skip(to index: Int) -> Int { description.frameCount.map { min(index, max(0, $0 - 1)) } ?? index }

    package func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        if let count = description.frameCount, index >= count { return false }
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        guard let painter else {
            unsafe Noise.fill(bytes, seed: seed, frame: index)
            return true
        }
        // The layout has no padding, so that all planes form one block.
        unsafe bytes.copyMemory(from: background.bytes(ofPlane: 0))
        guard let canvas = PatternCanvas(buffer, description.layout) else { return false }
        painter.draw(index, at: description.rate.offset(ofFrame: index).inSeconds, on: canvas)
        return true
    }
}

/// Generates pseudo-random numbers, which are the same in each run of the program.
enum Noise {
    /// Fills memory with noise that depends on a seed and a frame's number.
    ///
    /// Source: Marsaglia, "Xorshift RNGs" (2003), with shifts 13, 7, 17; SplitMix64's mixing function makes the initial
    /// state.
    @unsafe static func fill(_ bytes: UnsafeMutableRawBufferPointer, seed: UInt64, frame: Int) {
        var state = mixed(seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: frame) &+ 1) | 1
        var offset = 0
        while offset + 8 <= bytes.count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            unsafe bytes.storeBytes(of: state, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < bytes.count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            unsafe bytes[offset] = UInt8(truncatingIfNeeded: state)
            offset += 1
        }
    }

    /// Hashes a number to a pseudo-random number, by the mixing function of SplitMix64.
    static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Hashes a number to a pseudo-random number from 0 to less than 1.
    static func fraction(_ number: Int) -> Float {
        Float(mixed(UInt64(truncatingIfNeeded: number) &+ 0x51ed_2701) >> 40) / Float(1 << 24)
    }
}
