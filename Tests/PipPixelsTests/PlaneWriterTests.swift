import PipFrames
import PipGraph
import PipTestSupport
import Testing

@testable import PipPixels
@testable import PipPlan

@Suite("Planes of an output, written by the CPU")
struct PlaneWriterTests {
    private static let size = PixelSize(66, 70)
    private let source = NodeID()

    /// A frame of noise, with padded rows.
    private func frame(_ format: PixelFormat) -> Frame {
        let layout = FrameLayout(format, Self.size, stride: 2 * Self.size.width + 12)
        let buffer = FrameBuffer(layout)
        var dice = Dice(7)
        for plane in layout.planes.indices {
            let bytes = unsafe buffer.mutableBytes(ofPlane: plane)
            for index in layout.planes[plane].offset..<layout.planes[plane].offset + layout.planes[plane].byteCount {
                unsafe bytes[index] = UInt8.random(in: 0...255, using: &dice)
            }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
    }

    /// A blit of the whole source to one plane of the output.
    private func blit(_ plane: Int, _ conversion: Blit.Conversion, of layout: FrameLayout) -> Blit {
        let own = layout.planes[plane]
        return Blit(
            source: source, plane: plane, region: own.dimensions.bounds, conversion: conversion,
            byteCount: own.rowBytes * own.dimensions.height)
    }

    private func written(_ blits: [Blit], from frame: Frame, _ layout: FrameLayout) -> Frame {
        let buffer = FrameBuffer(layout)
        for plane in layout.planes.indices {
            unsafe buffer.mutableBytes(ofPlane: plane).initializeMemory(as: UInt8.self, repeating: 0xA5)
        }
        PlaneWriters(blits, sources: [source]).run(from: [frame], to: buffer, layout)
        return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
    }

    /// The byte at a column and a row of a plane, as a number from 0 to 255.
    private func byte(_ frame: Frame, _ plane: Int, _ column: Int, _ row: Int) -> Double {
        frame.withPlane(plane) { bytes, layout in
            unsafe bytes.withUnsafeBytes { unsafe Double($0[layout.strideInBytes * row + column]) }
        }
    }

    @Test("a frame has no memory of a plane that its format lacks", arguments: [(0, true), (1, true), (2, false)])
    func planes(_ plane: Int, exists: Bool) {
        let layout = FrameLayout(.nv12, Self.size)
        let buffer = FrameBuffer(layout)
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
        #expect((PixelPlane(of: buffer, layout, plane: plane) != nil) == exists)
        #expect((PixelPlane(of: frame, plane: plane) != nil) == exists)
    }

    @Test(
        "packed 4:2:2 becomes planes, at once or in stripes",
        arguments: [
            (.i420, .yuyv, 0, [1, 3]), (.i420, .yvyu, 0, [3, 1]), (.i420, .uyvy, 1, [0, 2]),
            (.i420, .vyuy, 1, [2, 0]), (.nv12, .yuyv, 0, [1, 3]), (.nv12, .yvyu, 0, [3, 1]),
            (.nv12, .uyvy, 1, [0, 2]), (.nv12, .vyuy, 1, [2, 0]),
        ]
            as [(PixelFormat, PixelFormat, Int, [Int])])
    func packed(_ output: PixelFormat, _ input: PixelFormat, first: Int, places: [Int]) {
        let frame = frame(input)
        let layout = FrameLayout(output, Self.size, stride: 80)
        var blits = [blit(0, Blit.Conversion(.everySecond(first: first)), of: layout)]
        if output == .nv12 {
            blits.append(blit(1, Blit.Conversion(.packedChroma(places: places)), of: layout))
        } else {
            blits += (0...1).map {
                blit($0 + 1, Blit.Conversion(.packedChroma(places: [places[$0]])), of: layout)
            }
        }
        let result = written(blits, from: frame, layout)
        for row in 0..<Self.size.height {
            for column in 0..<Self.size.width {
                #expect(byte(result, 0, column, row) == byte(frame, 0, 2 * column + first, row))
            }
        }
        for row in 0..<Self.size.height / 2 {
            for column in 0..<Self.size.width / 2 {
                for part in 0...1 {
                    let place = 4 * column + places[part]
                    let mean = (byte(frame, 0, place, 2 * row) + byte(frame, 0, place, 2 * row + 1)) / 2
                    let found =
                        output == .nv12
                        ? byte(result, 1, 2 * column + part, row) : byte(result, 1 + part, column, row)
                    #expect(abs(found - mean) <= 0.5)
                }
            }
        }
    }

    @Test("a part of packed 4:2:2 goes to its place, and nothing beside it changes")
    func packedRegion() {
        let frame = frame(.yuyv)
        let layout = FrameLayout(.nv12, PixelSize(100, 90))
        let region = PixelRect(x: 30, y: 12, width: 20, height: 10)
        let samples = [Blit.Samples.everySecond(first: 0), .packedChroma(places: [1, 3])]
        let blits = samples.enumerated().map { plane, samples in
            let part = plane == 0 ? region : PixelRect(x: 15, y: 6, width: 10, height: 5)
            return Blit(
                source: source, plane: plane, region: part, firstColumn: plane == 0 ? 6 : 3,
                firstRow: plane == 0 ? 8 : 4, conversion: Blit.Conversion(samples), byteCount: 200 / (plane + 1))
        }
        let result = written(blits, from: frame, layout)
        for row in 0..<90 {
            for column in 0..<100 {
                let isInside = region.contains(PixelRect(x: column, y: row, width: 1, height: 1))
                let expected = isInside ? byte(frame, 0, 2 * (column - 24), row - 4) : 0xA5
                #expect(byte(result, 0, column, row) == expected, "\(column), \(row)")
                guard row < 45 else { continue }
                let (x, y) = (4 * (column / 2 - 12) + 1 + 2 * (column % 2), 2 * (row - 2))
                let isChroma = (30..<50).contains(column) && (6..<11).contains(row)
                let pair = isChroma ? ((byte(frame, 0, x, y) + byte(frame, 0, x, y + 1)) / 2).rounded(.up) : 0xA5
                #expect(byte(result, 1, column, row) == pair, "\(column), \(row)")
            }
        }
    }

    @Test("interleaved chroma becomes planes, and values change", arguments: [0, 1])
    func split(first: Int) {
        let frame = frame(.nv12)
        let layout = FrameLayout(.i420, Self.size)
        let values = [Blit.Values.same, .affine(scale: 0.5, offset: 0.25)]
        let blits = [0, 1].map {
            blit($0 + 1, Blit.Conversion(.everySecond(first: $0 == 0 ? first : 1 - first), values[$0]), of: layout)
        }
        let result = written(blits, from: frame, layout)
        for row in 0..<Self.size.height / 2 {
            for column in 0..<Self.size.width / 2 {
                let (low, high) = (byte(frame, 1, 2 * column + first, row), byte(frame, 1, 2 * column + 1 - first, row))
                #expect(byte(result, 1, column, row) == low)
                #expect(byte(result, 2, column, row) == (high / 2 + 63.75).rounded())
            }
        }
    }

    @Test("a part of a plane goes to its place, and nothing beside it changes")
    func region() {
        let frame = frame(.nv12)
        let layout = FrameLayout(.nv12, PixelSize(100, 90))
        let region = PixelRect(x: 30, y: 12, width: 20, height: 9)
        let part = Blit(
            source: source, plane: 0, region: region, firstColumn: 5, firstRow: 7, conversion: Blit.Conversion(),
            byteCount: region.size.area)
        let result = written([part], from: frame, layout)
        for row in 0..<90 {
            for column in 0..<100 {
                let isInside = region.contains(PixelRect(x: column, y: row, width: 1, height: 1))
                let expected = isInside ? byte(frame, 0, column - 25, row - 5) : 0xA5
                #expect(byte(result, 0, column, row) == expected, "\(column), \(row)")
            }
        }
    }

    @Test("both chroma planes change as functions of both", arguments: [0.25, -0.5])
    func affineOfBoth(other: Double) {
        let frame = frame(.i420)
        let layout = FrameLayout(.i420, Self.size)
        let blits = [1, 2].map {
            blit($0, Blit.Conversion(.plane(mean: 1), .affineOfBoth(own: 0.5, other: other, offset: 0.1)), of: layout)
        }
        let result = written(blits, from: frame, layout)
        for row in 0..<Self.size.height / 2 {
            for column in 0..<Self.size.width / 2 {
                let samples = [1, 2].map { byte(frame, $0, column, row) }
                for part in 0...1 {
                    let value = 0.5 * samples[part] + other * samples[1 - part] + 25.5
                    let nearest = min(max(value, 0), 255).rounded()
                    #expect(byte(result, part + 1, column, row) == nearest)
                }
            }
        }
    }

    @Test("means are computed first, then the kernel, and then the change of values")
    func order() {
        // The left half has columns of 0 and 120, whose mean is 60; the right half has columns of 200 and 240.
        let input = FrameLayout(.gray, PixelSize(40, 40))
        let buffer = FrameBuffer(input)
        let bytes = unsafe buffer.mutableBytes(ofPlane: 0)
        for row in 0..<40 {
            for column in 0..<40 {
                let pair: [UInt8] = column < 20 ? [0, 120] : [200, 240]
                unsafe bytes[row * input.planes[0].strideInBytes + column] = pair[column % 2]
            }
        }
        let frame = Frame(info: FrameInfo(layout: input, colorimetry: .bt709), buffer: buffer)
        let layout = FrameLayout(.gray, PixelSize(20, 20))
        var conversion = Blit.Conversion(.plane(mean: 2), .affine(scale: 2, offset: -0.25))
        conversion.kernel = Blit.Kernel([0.5, 0.25])
        let result = written([blit(0, conversion, of: layout)], from: frame, layout)
        // The means are 60 and 220; beside the edge, the kernel turns the means into 100 and 180. The conversion
        // 2v − 63.75 turns values above 159 into 255.
        let expected = (0..<20).map { column in column < 9 ? 56.0 : column == 9 ? 136 : 255 }
        for row in 0..<20 { #expect((0..<20).map { byte(result, 0, $0, row) } == expected) }
    }

    @Test("an output is covered by one source, or by sources side by side, with frames")
    func covering() {
        let size = PixelSize(20, 10)
        let frame = frame(.gray)
        let (left, right) = (PixelRect(x: 0, y: 0, width: 8, height: 10), PixelRect(x: 8, y: 0, width: 12, height: 10))
        func isCovered(_ parts: [PixelRect], missing: Int? = nil) -> Bool {
            let sources = parts.map { _ in NodeID() }
            let blits = zip(parts, sources).map {
                Blit(source: $1, plane: 0, region: $0, conversion: Blit.Conversion(), byteCount: $0.size.area)
            }
            let frames = parts.indices.map { $0 == missing ? nil : frame }
            return PlaneWriters(blits, sources: sources).cover(size, from: frames)
        }
        #expect(isCovered([left, right]))
        #expect(isCovered([size.bounds, left]))
        #expect(!isCovered([left, right], missing: 1))
        #expect(!isCovered([left]))
        #expect(!isCovered([left, left]))
        #expect(!isCovered([size.bounds, left], missing: 0))
        #expect(!isCovered([]))
    }

    @Test("blits of sources without frames are left out")
    func missingSource() {
        let layout = FrameLayout(.gray, PixelSize(4, 4))
        let writers = PlaneWriters([blit(0, Blit.Conversion(), of: layout)], sources: [NodeID()])
        #expect(writers.isEmpty)
        #expect(writers.firstSource == nil)
    }

    @Test("planes are filled with a colour", arguments: [.nv12, .i420, .gray] as [PixelFormat], [(90, 90), (60, 200)])
    func fill(format: PixelFormat, chroma: (Int, Int)) {
        let layout = FrameLayout(format, PixelSize(10, 6))
        let buffer = FrameBuffer(layout)
        buffer.fill(with: [40, UInt8(chroma.0), UInt8(chroma.1)], layout)
        let frame = Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
        for (plane, own) in layout.planes.enumerated() {
            for row in 0..<own.dimensions.height {
                for column in 0..<own.rowBytes {
                    let part = format == .nv12 ? column % 2 : plane - 1
                    let expected = plane == 0 ? 40 : part == 0 ? chroma.0 : chroma.1
                    #expect(byte(frame, plane, column, row) == Double(expected))
                }
            }
        }
    }
}
