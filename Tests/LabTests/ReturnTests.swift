import Foundation
import Glibc
import PipCompose
import PipTestSupport
import Testing

@testable import PipCapture

extension CameraLab {
    @Suite("A camera that comes back")
    struct ReturnTests {
        /// One of two USB cameras, with the colour of its pictures and a pixel in its area.
        private struct Place {
            let serial: String
            let pictures: String
            let colour: Colour
            let x: Int
            let y: Int
            var camera: USBCamera?

            mutating func plug() throws { camera = try USBCamera(serial: serial, pictures: pictures) }
            mutating func unplug() {
                camera?.unplug()
                camera = nil
            }
            func source(_ size: PixelSize, namedByUdev: Bool) -> CameraSource? {
                guard namedByUdev else { return camera?.source(size) }
                let name = "usb-Camera_Lab_Lab_Camera_\(serial)-video-index0"
                return CameraSource(.path("/dev/v4l/by-id/\(name)"), wish: CameraWish(size: size))
            }

            /// True if the camera's pixel in a frame has the camera's colour.
            ///
            /// The colour differences have wide tolerances, so the result does not depend on the matrix.
            func isShown(in frame: Frame) -> Bool {
                let samples = frame.samples(x: x, y: y)
                return colour == .red ? samples[2] > 200 && samples[1] < 128 : samples[1] > 200 && samples[2] < 128
            }
        }

        @Test(
            "row 2: each of two USB cameras, unplugged and replugged 20 times in random order, is back in its own place"
        )
        func replugged() async throws {
            #expect(KernelCalls().watchDevices() is FolderWatch)
            try await replug(namedByUdev: false)
        }

        @Test(
            "row 2: under udev, too, which names them and says when they may be opened",
            .enabled(if: Udev.isInstalled, "needs Debian's package udev"))
        func repluggedUnderUdev() async throws {
            try await Udev.running {
                #expect(KernelCalls().watchDevices() is UdevWatch)
                try await replug(namedByUdev: true)
            }
        }

        private func replug(namedByUdev: Bool) async throws {
            let size = PixelSize(640, 360)
            let pictures = try Pictures()
            let red = try pictures.file("red.mjpeg", try await pictures.plain(.red, size: size))
            let blue = try pictures.file("blue.mjpeg", try await pictures.plain(.blue, size: size))
            let seed = time(nil) % 100_000
            print("the seed is \(seed)")
            var dice = Dice(seed)
            try await withModule("vhci-hcd") {
                try await withModule("uvcvideo") {
                    var places = [
                        Place(serial: "LAB0", pictures: red, colour: .red, x: 100, y: 300),
                        Place(serial: "LAB1", pictures: blue, colour: .blue, x: 560, y: 60),
                    ]
                    defer { for index in places.indices { places[index].unplug() } }
                    for index in places.indices { try places[index].plug() }
                    if namedByUdev { try Udev.settle() }
                    let sources = places.compactMap { $0.source(size, namedByUdev: namedByUdev) }
                    let output = try await watch(&places, sources, rounds: 20, &dice)
                    #expect(output.returns.count == 20, "seed \(seed): \(output.run.cameraEvents)")
                    let slowest = output.returns.max() ?? .zero
                    #expect(slowest <= .seconds(2), "seed \(seed)")
                    for source in output.run.statistics.sources { output.run.expectAccounted(source) }
                    FaultReport.record(
                        row: 2,
                        figures: "20 replugs\(namedByUdev ? " under udev" : ""), seed \(seed): "
                            + "back after \(output.returns.median.inMilliseconds) ms (half of them), "
                            + "\(slowest.inMilliseconds) ms (the slowest)")
                }
            }
        }

        private struct Output {
            /// The time from the appearance of a camera's node to its picture, for each return.
            ///
            /// The time in which the host did not run the guest does not count.
            var returns: [Duration]
            var run: SessionRun
        }

        /// Composes the cameras and unplugs a random one again and again, until cameras have returned `rounds` times.
        private func watch(
            _ places: inout [Place], _ sources: [CameraSource], rounds: Int, _ dice: inout Dice
        ) async throws -> Output {
            let picture = Compositor {
                Layer(sources[0]).whenMissing(.hide)
                Layer(sources[1]).placed(.topRight, width: 0.25, margin: 24).whenMissing(.hide)
            }
            let tap = FrameTap(.nv12, buffering: .newest(2))
            picture --> tap
            let clock = MonotonicClock()
            var returns: [Duration] = []
            var away: Int?
            var usable: Timestamp?
            var next = 30
            let session = try await Session(picture, options: .ungoverned)
            let stalls = HostStalls()
            async let running: Void = session.run()
            var number = 0
            for await frame in tap.frames {
                number += 1
                // The number of frames ends the run if a camera never returns.
                if returns.count == rounds || number > 4000 { session.stop() }
                if let index = away {
                    if let since = usable, places[index].isShown(in: frame) {
                        returns.append(since.duration(to: clock.now) - stalls.total(from: since, to: clock.now))
                        (away, usable, next) = (nil, nil, number + Int.random(in: 5...25, using: &dice))
                    } else if usable == nil, number >= next {
                        try places[index].plug()
                        usable = clock.now
                    }
                } else if number >= next, returns.count < rounds {
                    let index = Int.random(in: places.indices, using: &dice)
                    places[index].unplug()
                    (away, next) = (index, number + Int.random(in: 3...33, using: &dice))
                }
            }
            try await running
            return Output(returns: returns, run: await SessionRun(over: session, stalls, since: clock.now))
        }

        @Test("row 1: is lost when its driver goes, closed at once, and shows again when the driver is back")
        func rebound() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let driver = "/sys/bus/platform/drivers/vivid"
                let picture = nodes[0].source(PixelSize(320, 180))
                let tap = FrameTap(.nv12, buffering: .newest(2))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 150) { number, _, _ in
                    if number == 30 { try runProgram(["sh", "-c", "echo vivid.0 > \(driver)/unbind"]) }
                    if number == 60 { try runProgram(["sh", "-c", "echo vivid.0 > \(driver)/bind"]) }
                }
                // The bound driver has its default settings again, with which timestamps are in the future.
                let words = run.cameraEvents.map(\.event.word).filter { $0 != "timestamps-estimated" }
                #expect(words == ["lost", "reopened"], "\(run.cameraEvents)")
                #expect(run.statistics.output.missed <= 2 + Int(run.stalled.inSeconds * 30))
                run.expectAccounted(run.statistics.sources[0])
            }
        }

        @Test("row 5: after many losses no descriptor and no thread is left over")
        func manyTimes() async throws {
            try await Vivid.withWebcams(1) { nodes in
                let picture = nodes[0].source(PixelSize(320, 180))
                let tap = FrameTap(.nv12, buffering: .newest(2))
                picture --> tap
                var before = (descriptors: 0, threads: 0)
                var after = before
                let run = try await SessionRun.watching(picture, tap, frames: 400) { number, _, session in
                    // The driver plugs the camera in again as soon as the session has closed its node.
                    if number >= 30, number < 330, number % 15 == 0, session.statistics.sources[0].state == .streaming {
                        try nodes[0].set("disconnect")
                    }
                    if number == 29 { before = try Self.resources() }
                    if number == 399, session.statistics.sources[0].state == .streaming { after = try Self.resources() }
                }
                #expect(after.descriptors == before.descriptors, "\(before) \(after)")
                // Threads of Swift's thread pool may end at any time.
                #expect(after.threads > 0 && after.threads <= before.threads, "\(before) \(after)")
                #expect(run.cameraEvents.filter { $0.event.word == "lost" }.count >= 5, "\(run.cameraEvents)")
                run.expectAccounted(run.statistics.sources[0])
            }
        }

        private static func resources() throws -> (descriptors: Int, threads: Int) {
            func count(_ folder: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
            }
            return (try count("fd"), try count("task"))
        }

        @Test("row 33: busy at the start is waited for and its holder named; it shows when it is free")
        func busy() async throws {
            try await Vivid.withWebcams(2) { nodes in
                let other = try Background(["cat", nodes[1].path])
                _ = other.read()
                let run = try await startWithout(nodes) { other.stop() }
                let errors = run.cameraEvents.compactMap {
                    if case .waiting(let error) = $0.event { error } else { nil }
                }
                #expect(errors.first?.kind == .busy && "\(errors)".contains("cat (process "), "\(run.cameraEvents)")
            }
        }

        @Test("row 34: not permitted at the start is waited for; it shows when it is permitted")
        func permitted() async throws {
            try await Vivid.withWebcams(2) { nodes in
                try runProgram(["chmod", "666", nodes[0].path])
                let helper = try Background(["sh", "-c", "read line; chmod 666 \(nodes[1].path)"])
                defer { helper.stop() }
                try #require(setegid(65534) == 0 && seteuid(65534) == 0)
                defer { _ = (seteuid(0), setegid(0)) }
                let run = try await startWithout(nodes) { try helper.write("now\n") }
                let errors = run.cameraEvents.compactMap {
                    if case .waiting(let error) = $0.event { error } else { nil }
                }
                #expect(errors.map(\.kind) == [.notPermitted], "\(run.cameraEvents)")
            }
        }

        /// Composes two cameras, of which the second is unavailable until `remedy` is called.
        ///
        /// Expects the second camera to deliver frames within two seconds after the remedy.
        private func startWithout(_ nodes: [VideoNode], remedy: () throws -> Void) async throws -> SessionRun {
            let sources = nodes.map { $0.source(PixelSize(320, 180)) }
            let picture = Compositor {
                Layer(sources[0])
                Layer(sources[1]).placed(.topRight, width: 0.25, margin: 8).whenMissing(.slate)
            }
            let tap = FrameTap(.nv12, buffering: .newest(2))
            picture --> tap
            var options = SessionOptions.ungoverned
            options.startsWithoutCameras = true
            let clock = MonotonicClock()
            var free: Timestamp?
            var back: Timestamp?
            let run = try await SessionRun.watching(picture, tap, frames: 150, options: options) { number, _, session in
                let source = session.statistics.sources[1]
                if number == 45 {
                    #expect(source.state == .lost && source.delivered == 0)
                    try remedy()
                    free = clock.now
                }
                if back == nil, source.delivered > 0 { back = clock.now }
            }
            let took = try #require(free.flatMap { free in back.map { free.duration(to: $0) } })
            #expect(took - run.stalled <= .seconds(2))
            return run
        }
    }
}

extension [Duration] {
    /// The middle of the sorted durations; zero for an empty array.
    fileprivate var median: Duration { isEmpty ? .zero : sorted()[count / 2] }
}

extension Duration {
    fileprivate var inMilliseconds: Int { Int((inSeconds * 1000).rounded()) }
}
