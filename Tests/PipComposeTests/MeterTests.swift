import Foundation
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Meters in an app", .serialized, .timeLimit(.minutes(5)))
struct MeterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("an average meter gives the average of each frame")
    func average() async throws {
        // The codes 16 to 235 are the range from black to white.
        let source = RawSource(
            try folder.grayFile("steps.nv12", [16, 235, 125]), format: .nv12, size: smallSize, loops: true)
        let meter = AverageMeter(buffering: .oldest(8))
        source --> meter
        let session = try await Session(source, options: .offline)
        _ = try await running(session) {
            var values: [AverageMeasurement] = []
            for await value in meter.values {
                values.append(value)
                if values.count == 3 { break }
            }
            #expect(values.map(\.sequence) == [0, 1, 2])
            for (value, wanted) in zip(values, [0, 1, 109 / 219.0]) {
                #expect(abs(value.luma - wanted) < 0.001)
                #expect(abs(value.color.red - wanted) < 0.001 && value.color.alpha == 1)
            }
        }
    }

    @Test("a histogram counts every pixel after the effects")
    func histogram() async throws {
        let meter = HistogramMeter(buffering: .oldest(2))
        let inverted = try folder.gray(235) --> Invert()
        inverted --> meter
        let session = try await Session(inverted, options: .offline)
        _ = try await running(session) {
            var values = meter.values.makeAsyncIterator()
            let value = try #require(await values.next())
            #expect(value.pixelCount == 64 * 48)
            #expect(value.luma[0] == 64 * 48 && value.red[0] == 64 * 48)
            #expect(value.percentile(0.5) == 0)
        }
    }

    @Test("a large picture is counted exactly by each renderer")
    func large() async throws {
        let size = PixelSize(320, 240)
        // Two thirds of the pixels are black, and one third is white.
        let luma = (0..<size.area).map { $0 % 3 == 0 ? UInt8(235) : 16 }
        try folder.write(luma + [UInt8](repeating: 128, count: size.area / 2), to: "large.nv12")
        let source = RawSource(folder.path("large.nv12"), format: .nv12, size: size, loops: true)
        let meter = HistogramMeter(buffering: .oldest(1))
        source --> meter
        let session = try await Session(source, options: .offline)
        _ = try await running(session) {
            var values = meter.values.makeAsyncIterator()
            let value = try #require(await values.next())
            #expect(value.luma[0] == size.area * 2 / 3 && value.luma[255] == size.area / 3)
            #expect(value.green == value.luma && value.pixelCount == size.area)
        }
    }

    @Test("a measurement of a camera controls a later effect")
    func drivesExposure() async throws {
        let source = try folder.gray(50)
        let exposure = source --> Exposure(0)
        let meter = AverageMeter()
        let tap = FrameTap(.nv12)
        source --> meter
        exposure --> tap
        let session = try await Session(exposure, options: .offline)
        _ = try await running(session) {
            var values = meter.values.makeAsyncIterator()
            var frames = tap.frames.makeAsyncIterator()
            let before = await frames.next()
            #expect(before?.luma(5, 5) == 50)
            let average = try #require(await values.next())
            // Code 50 is 34 of 219 steps above black.
            #expect(abs(average.luma - 34 / 219.0) < 0.001)
            try exposure.update { $0.exposure = Float(log2(0.4 / average.luma)) }
            // A luma of 0.4 is the code 0.4 · 219 + 16.
            let after = await firstFrame(&frames) { abs(Int($0.luma(5, 5)) - 104) <= 1 }
            #expect(after != nil)
        }
    }

    @Test("a meter's values end with the session, read or not")
    func ends() async throws {
        let source = try folder.gray(50)
        let (read, unread) = (AverageMeter(), HistogramMeter())
        source --> read
        source --> unread
        let session = try await Session(source, options: .offline)
        try await session.run(frames: 3)
        var count = 0
        for await _ in read.values { count += 1 }
        #expect(count == 1)
        #expect(unread.values.drops[.late] == 2)
    }
}
