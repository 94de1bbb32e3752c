import Foundation
import PipCompose
import PipConcurrency
import PipInputs
import PipTestSupport
import PipText
import Testing

@testable import PipRig

extension CameraLab {
    /// Tests with the kernel's vcan, and with its clock.
    @Suite("Values of a CAN bus and of a receiver", .inVirtualTime)
    struct BusTests {
        private static let database = """
            BO_ 416 Engine: 8 Vector__XXX
             SG_ EngineSpeed : 0|16@1+ (0.125,0) [0|8031.875] "rpm" Vector__XXX
            BO_ 2566844926 Wheels: 8 Vector__XXX
             SG_ WheelSpeed : 8|16@1+ (0.00390625,0) [0|250.996] "km/h" Vector__XXX
            """

        /// The message of the engine's speed.
        ///
        /// Units: rpm.
        private static func engine(_ speed: Int) -> [UInt8] { [UInt8(speed * 8 & 255), UInt8(speed * 8 / 256)] }

        /// Sends an engine's speed again and again until it has come.
        private func comes(_ speed: Int, from bus: VirtualBus, to live: LiveRig) async {
            #expect(
                await becomes {
                    try? bus.send(416, Self.engine(speed))
                    return live.telemetry.value(of: "EngineSpeed") == .number(Double(speed))
                })
        }

        @Test("the time of a receiver is shown on a machine whose clock is late")
        func clock() async throws {
            let (folder, late) = (try TemporaryFolder(), 500 * 86_400)
            let path = try folder.pipe("receiver")
            let text = """
                canvas: {size: 64x48, fps: 30}
                cameras: {road: {source: pattern:bars, size: 64x48, fps: 30}}
                outputs: ["null:"]
                telemetry: ["nmea:\(path)"]
                """
            let now = WallTime.now
            try WallClock.set(by: -late)
            defer {
                try? WallClock.set(by: late)
                _ = WallTime.followMachine(isSynchronized: true)
            }
            let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: .ungoverned)
            let told = Monitor<[TelemetryReport]>([])
            let watch = Task { await TelemetryWatch(live) { report in told.update { $0.append(report) } }.run() }
            defer { watch.cancel() }
            let body = now.text("GPRMC,%H%M%S,A,4807.038,N,01131.000,E,022.4,084.4,%d%m%y,,,A", isUniversal: true)
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            let line = "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\n"
            try await Task.detached {
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.write(contentsOf: Data(line.utf8))
                try file.close()
            }.value
            #expect(await becomes { told.read { $0.count == 1 } })
            let difference = WallTime.shown.sinceEpoch - now.sinceEpoch
            #expect(difference > .seconds(-2) && difference < .seconds(60), "\(difference)")
            #expect(
                told.read { $0 } == [
                    .clock(
                        "nmea:\(path): the machine's clock is not set, and the time of the receiver is shown: "
                            + now.text("%Y-%m-%d %H:%M:%S"))
                ])
        }

        @Test("values come within a frame, from a bus that is full, goes down and comes up")
        func values() async throws {
            let folder = try TemporaryFolder()
            try folder.write(Array(Self.database.utf8), to: "engine.dbc")
            let text = """
                canvas: {size: 64x48, fps: 30}
                cameras: {road: {source: pattern:bars, size: 64x48, fps: 30}}
                outputs: ["null:"]
                telemetry: [{from: can:vcan0, dbc: \(folder.path("engine.dbc"))}]
                """
            try await VirtualBus.with("vcan0") { bus in
                let buses = InputSurvey().buses
                #expect(buses.map(\.interface) == ["vcan0"] && buses.allSatisfy { $0.problem == nil })
                let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: .ungoverned)
                let told = Monitor<[TelemetryReport]>([])
                let watch = Task { await TelemetryWatch(live) { report in told.update { $0.append(report) } }.run() }
                defer { watch.cancel() }
                await comes(800, from: bus, to: live)
                let begun = MonotonicClock().now
                try bus.send(0x98fe_f100, [0, 0, 100])
                #expect(await becomes { live.telemetry.value(of: "WheelSpeed") == .number(100) })
                let delay = begun.duration(to: MonotonicClock().now)
                #expect(delay < FrameRate(30).interval, "\(delay)")
                // A second of a full bus of 1 Mbit/s, of which one message in eight is read.
                for number in 0..<8000 {
                    try bus.send(number % 8 == 0 ? 416 : 0x200, Self.engine(1000 + number / 8))
                    if number % 8 == 7 { usleep(1000) }
                }
                try bus.send(416, Self.engine(3000))
                #expect(await becomes { live.telemetry.value(of: "EngineSpeed") == .number(3000) })
                #expect(told.read { $0.isEmpty }, "\(told.read { $0 })")
                try bus.set(up: false)
                let problem =
                    "can:vcan0,dbc=\(folder.path("engine.dbc")): vcan0 is down: run `sudo ip link set vcan0 up type can "
                    + "bitrate 500000`; tried again every second"
                #expect(await becomes { told.read { $0 == [.missing(problem)] } }, "\(told.read { $0 })")
                try bus.set(up: true)
                await comes(900, from: bus, to: live)
                #expect(await becomes { told.read { $0.count == 2 } }, "\(told.read { $0 })")
            }
        }
    }
}
