import CPlatform
import CV4L2
import Foundation
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("A machine that gives little, or interferes", .inVirtualTime)
    struct StarvationTests {
        private static let size = PixelSize(320, 180)
        private static let frameBytes = 320 * 180 * 3 / 2

        @Test(
            "row 15: system calls that are interrupted a thousand times a second cost no frame, and the file is whole")
        func storm() async throws {
            try await Vivid.withWebcams { nodes in
                let path = "/run/pip-storm.i420"
                let storm = SignalStorm()
                let run = try await watch(nodes, file: path, frames: 150) { _ in }
                let signals = storm.stop()
                expectUntroubled(run, path)
                #expect(signals > 10_000)
                FaultReport.record(
                    row: 15, figures: "\(signals) signals in 5 s: \(run.statistics.output.missed) of 150 moments missed"
                )
            }
        }

        @Test("row 26: the wall clock jumps an hour ahead and back, and nothing happens")
        func clockStep() async throws {
            try await Vivid.withWebcams { nodes in
                let path = "/run/pip-clock.i420"
                let run = try await watch(nodes, file: path, frames: 120) { number in
                    if number == 40 { try WallClock.set(by: 3600) }
                    if number == 80 { try WallClock.set(by: -3600) }
                }
                expectUntroubled(run, path)
                FaultReport.record(row: 26, figures: "±1 h: \(run.statistics.output.missed) of 120 moments missed")
            }
        }

        @Test("row 37: a fifth more memory than it was seen to use is enough")
        func littleMemory() async throws {
            try await Vivid.withWebcams { _ in
                let arguments =
                    "--main /dev/video0?size=640x360 --inset /dev/video1?size=320x180 --output null: --duration"
                let free = try ControlGroup.compose("\(arguments) 3s", in: nil)
                let peak = try #require(free["peak_rss_mib"] as? Double)
                let limit = Int(peak * 1.2) << 20
                try await ControlGroup.with([("memory.max", "\(limit)")]) { group in
                    let numbers = try ControlGroup.compose("\(arguments) 8s", in: group)
                    #expect(try group.number("oom_kill", in: "memory.events") == 0)
                    let output = try #require(numbers["output"] as? [String: Any])
                    #expect((output["frames"] as? Int ?? 0) > 160)
                    FaultReport.record(
                        row: 37, figures: "\(Int(peak)) MiB alone, limited to \(limit >> 20): 8 s, none killed")
                }
            }
        }

        /// Composes two cameras into a file, and calls `act` at each frame.
        private func watch(
            _ nodes: [VideoNode], file: String, frames: Int, act: (Int) throws -> Void
        ) async throws -> SessionRun {
            let (main, inset) = (nodes[0].source(Self.size), nodes[1].source(Self.size))
            let picture = Compositor {
                Layer(main)
                Layer(inset).placed(.topRight, width: 0.25, margin: 8)
            }
            picture --> RawFile(file, format: .i420)
            let tap = FrameTap(.i420, buffering: .newest(4))
            picture --> tap
            return try await SessionRun.watching(picture, tap, frames: frames) { number, _, _ in try act(number) }
        }

        /// Expects that the cameras, the output and the file continued without disturbance.
        private func expectUntroubled(_ run: SessionRun, _ file: String) {
            #expect(run.cameraEvents.isEmpty, "\(run.cameraEvents)")
            #expect(run.statistics.output.missed <= 4 + Int(run.stalled.inSeconds * 30), "\(run.statistics.output)")
            for source in run.statistics.sources {
                run.expectAccounted(source)
                #expect(source.drops[.corrupted] == 0 && source.drops[.short] == 0)
            }
            let bytes = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? -1
            #expect(bytes == run.statistics.sinks[0].written * Self.frameBytes)
        }
    }
}
