import Glibc
import PipCompose
import PipConcurrency
import PipSources
import Testing

@testable import PipText

/// The width and the height of the gauges, in pixels.
private let size = 120

@Suite("Gauges", .timeLimit(.minutes(2)))
struct GaugeTests {
    /// The pixels of a gauge's newest frame.
    private struct Pixels {
        private let bytes: [UInt8]

        init(_ frame: Frame?) throws {
            let frame = try #require(frame)
            let plane = frame.layout.planes[0]
            #expect(plane.strideInBytes == size * 4)
            bytes = unsafe frame.buffer.bytes(ofPlane: 0).dropFirst(plane.offset).prefix(size * size * 4).map { $0 }
        }

        /// True for the colour of what moves, which is red in these tests.
        func isRed(_ x: Double, _ y: Double) -> Bool {
            let index = (Int(y) * size + Int(x)) * 4
            return bytes[index] > 200 && bytes[index + 1] < 40 && bytes[index + 3] == 255
        }

        func alpha(_ x: Int, _ y: Int) -> UInt8 { bytes[(y * size + x) * 4 + 3] }

        /// True for a point of a circle around the middle, at an angle from the top.
        func isRed(share radius: Double, degrees: Double) -> Bool {
            let middle = Double(size) / 2
            let angle = degrees * .pi / 180
            return isRed(middle + (middle - 1) * radius * sin(angle), middle - (middle - 1) * radius * cos(angle))
        }

        var redCount: Int {
            (0..<size * size).count { isRed(Double($0 % size), Double($0 / size)) }
        }
    }

    private func picture(_ face: Gauge.Face, _ telemetry: Telemetry) throws -> GaugePicture {
        try GaugePicture(
            Gauge(face, size: size, color: Color(red: 1, green: 0, blue: 0)), label: "a gauge", warn: { _ in })
    }

    /// Draws the present values.
    @discardableResult
    private func drawn(_ picture: GaugePicture, _ telemetry: Telemetry) throws -> Pixels {
        _ = try picture.draw(telemetry.readings, at: telemetry.clock.now)
        return try Pixels(picture.frame(at: .zero, waitingUntil: nil).frame)
    }

    @Test("a dial's arc reaches from the left end of its scale to the value, and not beyond its ends")
    func dial() throws {
        let telemetry = Telemetry()
        let dial = try picture(.dial("v", in: 0...200, unit: "km/h"), telemetry)
        #expect(try drawn(dial, telemetry).redCount == 0)
        for (value, from, to) in [(100.0, -130.0, -5.0), (200, -130, 130), (900, -130, 130), (50, -130, -72)] {
            telemetry.set("v", to: value)
            let pixels = try drawn(dial, telemetry)
            for degrees in stride(from: from, through: to, by: 2) {
                #expect(pixels.isRed(share: 0.89, degrees: degrees), "\(value) at \(degrees)")
            }
            for degrees in stride(from: to + 15, through: 130, by: 2) {
                #expect(!pixels.isRed(share: 0.89, degrees: degrees), "\(value) at \(degrees)")
            }
        }
        telemetry.set("v", to: -50)
        #expect(try !drawn(dial, telemetry).isRed(share: 0.89, degrees: -120))
        // The corners are transparent, the disc is not.
        let pixels = try drawn(dial, telemetry)
        #expect(pixels.alpha(0, 0) == 0 && pixels.alpha(size / 2, 4) > 100)
    }

    @Test("a dial's scale has nine round numbers at most")
    func numbers() {
        for (range, expected) in [
            (0...240.0, [0, 50, 100, 150, 200]), (0...1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
            (-20...50, [-20, -10, 0, 10, 20, 30, 40, 50]),
            (0...8000, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]),
        ] {
            let found = DialFace("v", range, unit: "", color: .white).numbers
            #expect(
                zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == expected.count, "\(found)")
        }
    }

    @Test("a meter's point goes where the acceleration does, and stays on the largest circle")
    func meter() throws {
        let telemetry = Telemetry()
        let meter = try picture(.meter(right: "-g.y", up: "g.x", reach: 1), telemetry)
        let middle = Double(size) / 2
        for (x, y, right, up) in [(0.0, 0.0, 0.0, 0.0), (0.5, 0, 0, 0.5), (0, -0.5, 0.5, 0), (-3, 0, 0, -1)] {
            telemetry.take(["g.x": .number(x), "g.y": .number(y)])
            let pixels = try drawn(meter, telemetry)
            let reach = (middle - 1) * 0.9
            #expect(pixels.isRed(middle + right * reach, middle - up * reach), "\(x) \(y)")
        }
        telemetry.set("g.x", to: .nan)
        telemetry.set("g.x", to: 1, lasting: .nanoseconds(1))
        #expect(try drawn(meter, telemetry).redCount == 0)
    }

    @Test("the way is a line with north at the top, of places that are apart, bounded on a long drive")
    func way() throws {
        let telemetry = Telemetry()
        let way = try picture(.way(), telemetry)
        #expect(try drawn(way, telemetry).redCount == 0)
        func go(_ latitude: Double, _ longitude: Double) {
            telemetry.take(["latitude": .number(latitude), "longitude": .number(longitude)], lasting: .seconds(30))
        }
        // A kilometre to the north, then one to the east: the corner is at the top left.
        for step in 0...100 {
            go(52 + Double(step) * 9e-5, 13)
            try drawn(way, telemetry)
        }
        for step in 0...100 {
            go(52.009, 13 + Double(step) * 9e-5 / cos(52 * .pi / 180))
            try drawn(way, telemetry)
        }
        let pixels = try drawn(way, telemetry)
        let (near, far) = (Double(size) * 0.15, Double(size) * 0.85)
        let top = near + Double(size) * 0.03
        #expect(pixels.isRed(near, Double(size) / 2) && pixels.isRed(Double(size) / 2, top))
        #expect(pixels.isRed(far, top) && !pixels.isRed(far, far))
    }

    @Test("the way of a long drive has a bounded number of places, and is drawn in the largest size")
    func longWay() throws {
        var face = WayFace(latitude: "latitude", longitude: "longitude", color: Color(red: 1, green: 0, blue: 0))
        let (telemetry, largest) = (Telemetry(), Gauge.sizes.upperBound)
        let canvas = try GaugeCanvas(size: largest, label: "a gauge", warn: { _ in })
        for step in 0..<5000 {
            telemetry.take(["latitude": .number(Double(step) * 1e-4), "longitude": .number(0)])
            let changes = face.take(telemetry.readings, at: telemetry.clock.now)
            #expect(changes)
            #expect(face.places.count <= WayFace.mostPlaces)
            // The moments at which there are most places.
            guard face.places.count == WayFace.mostPlaces, step < 1000 else { continue }
            let frame = try canvas.picture { () throws(SourceError) in try face.draw(on: canvas) }
            let plane = frame.layout.planes[0]
            let middle = plane.offset + largest / 2 * plane.strideInBytes + largest / 2 * 4
            #expect(unsafe frame.buffer.bytes(ofPlane: 0)[middle] > 200)
        }
        #expect(face.places.first == .zero)
    }

    @Test("no number crashes a gauge")
    func extremes() throws {
        let telemetry = Telemetry()
        let numbers = [
            0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e300, -1e300, .greatestFiniteMagnitude, 90, -180,
            5e307, 1e-6,
        ]
        let gauges: [Gauge.Face] = [
            .dial("a", in: 0...1e-6), .dial("a", in: -1e9...1e9), .dial("a", in: 1e9...1e9 + 1e-6),
            .meter(right: "a", up: "-b", reach: 1e-6), .meter(right: "a", up: "b", reach: 1e9),
            .way(latitude: "a", longitude: "b"),
        ]
        for face in gauges where Gauge(face).mistake == nil {
            let gauge = try picture(face, telemetry)
            for first in numbers {
                for second in numbers {
                    telemetry.take(["a": .number(first), "b": .number(second)])
                    try drawn(gauge, telemetry)
                }
            }
        }
    }

    @Test("the way across the date line is as short as it is")
    func dateLine() throws {
        let telemetry = Telemetry()
        let way = try picture(.way(), telemetry)
        for longitude in [179.999, -179.999] {
            telemetry.take(["latitude": .number(0), "longitude": .number(longitude)])
            try drawn(way, telemetry)
        }
        let middle = Double(size) / 2
        #expect(try drawn(way, telemetry).isRed(middle, middle + Double(size) * 0.03))
    }

    @Test("a picture is drawn when its values change, and when one outlives its validity")
    func redrawn() async throws {
        try await VirtualTime.run { clock, _ in
            let telemetry = Telemetry(clock: clock)
            let told = Told()
            let gauge = try picture(.dial("v", in: 0...100), telemetry)
            let live = try TelemetryPicture(gauge, telemetry, told.reports)
            live.start()
            func sequence() -> UInt64? { live.frame(at: .zero, waitingUntil: nil).frame?.info.sequence }
            let first = sequence()
            telemetry.set("v", to: 50, lasting: .seconds(3))
            try await clock.sleep(for: .milliseconds(40))
            let second = sequence()
            #expect(second != first)
            telemetry.set("w", to: 1)
            telemetry.set("v", to: 50.00001, lasting: .seconds(3))
            try await clock.sleep(for: .milliseconds(40))
            #expect(sequence() == second)
            try await clock.sleep(for: .seconds(4))
            #expect(sequence() != second)
            #expect(try Pixels(live.frame(at: .zero, waitingUntil: nil).frame).redCount == 0)
            live.stop()
        }
    }

    @Test(
        "with a number out of range are refused",
        arguments: [
            (Gauge(.way(), size: 20), "48 to 1024"), (Gauge(.dial("v", in: 3...3)), "a millionth wide"),
            (Gauge(.meter(right: "a", up: "b", reach: .leastNonzeroMagnitude)), "a millionth at least"),
            (Gauge(.dial("v", in: 0...Double.leastNonzeroMagnitude)), "a millionth wide"),
        ])
    func refused(_ gauge: Gauge, _ part: String) {
        let error = #expect(throws: SourceError.self) { try GaugePicture(gauge, label: "a gauge", warn: { _ in }) }
        #expect(error?.description.contains(part) == true)
    }
}
