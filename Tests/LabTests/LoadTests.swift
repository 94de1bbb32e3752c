import PipCompose
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipPressure

extension CameraLab {
    /// Tests that run in real time.
    ///
    /// Virtual time advances only while all programs wait, so no program would ever lack processor time.
    @Suite("The machine's load")
    struct LoadTests {
        @Test(
            "row 36: wakes the monitor by the kernel's trigger when programs wait for the processor, and is at least fair"
        )
        func stalls() async throws {
            let record = Monitor<[PressureState]>([])
            let monitor = PressureMonitor {
                LoadSample()
            } onState: { state, _, _ in
                record.update { $0.append(state) }
            }
            monitor.start()
            defer { monitor.stop() }
            let programs = try (0..<2).map { _ in try Background(["sh", "-c", "while :; do :; done"]) }
            defer { for program in programs { program.stop() } }
            let state = record.wait(until: MonotonicClock().now.advanced(by: .seconds(60))) { states in
                monitor.wakes.stall > 0 ? states.first { $0.factors[.cpuPressure] != nil } : nil
            }
            #expect(state?.level == .fair)
            #expect(state?.harm == .nominal)
            #expect(monitor.wakes.stall > 0)
        }

        @Test("row 36: a quarter of a processor builds up no latency, and every frame is accounted for")
        func littleTime() async throws {
            try await Vivid.withWebcams { _ in
                try await ControlGroup.with([("cpu.max", "25000 100000")]) { group in
                    let numbers = try ControlGroup.compose(
                        "--main /dev/video0?size=1280x720 --inset /dev/video1?size=640x360 --duration 5s --output null:",
                        in: group)
                    let output = try #require(numbers["output"] as? [String: Any])
                    let counts = ["frames", "missed", "thinned"].map { output[$0] as? Int ?? -1000 }
                    #expect((145...151).contains(counts.reduce(0, +)), "\(counts)")
                    #expect(try #require(try group.number("nr_throttled", in: "cpu.stat")) > 10)
                    let latency = try #require(numbers["latency_ms"] as? [String: Any])
                    let p99 = try #require(latency["p99"] as? Double)
                    // If queues grew, the latency would be seconds by now, however long a slow guest takes for a frame.
                    let limit = min(2500, max(1000, 4 * 5000 / Double(max(1, counts[0]))))
                    #expect(p99 < limit, "\(counts[0]) frames")
                    FaultReport.record(
                        row: 36, figures: "720p, 5 s: \(counts[0]) of 150 frames, latency p99 \(Int(p99)) ms")
                }
            }
        }
    }
}
