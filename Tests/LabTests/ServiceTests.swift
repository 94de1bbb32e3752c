import Foundation
import PipPanelSupport
import PipRig
import PipTestSupport
import Testing

extension CameraLab {
    /// Tests the packaged `pip-compose@.service` with a configuration in `/etc/pip-compose`.
    @Suite(
        "As a service of systemd",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/lib/systemd/systemd"), "needs systemd"))
    struct ServiceTests {
        private static let recordings = "/var/lib/pip-compose/lab"
        private static let panel = PanelClient(.socket("/run/pip-compose/lab/panel.sock"))

        /// A configuration with one camera that exists, and one camera that does not exist.
        ///
        /// The panel listens on a Unix socket, so the test needs no port.
        private static func configuration(insetAt place: String) -> String {
            """
            canvas: {size: 320x180, fps: 30}
            cameras:
              road: {source: /dev/video0, size: 320x180}
              driver: {source: /dev/video9, when-missing: slate}
            scenes:
              drive: {main: road, insets: [{of: driver, at: \(place), width: 25%}]}
            outputs: ["%H%M%S.mkv"]
            panel: {listen: "unix:/run/pip-compose/lab/panel.sock"}
            # A busy machine is not to choose another encoder, which begins another file.
            pressure: off

            """
        }

        @Test(
            """
            row 66: is ready without a camera, follows its file, is started again when stuck, not when mistaken, and \
            ends well
            """)
        func lives() async throws {
            try runProgram(["modprobe", "vivid", "n_devs=1", "node_types=0x1", "input_types=0x0"])
            defer { _ = try? runProgram(["modprobe", "--remove", "vivid"]) }
            // udev, which does not run here, would set these permissions.
            try runProgram(["chgrp", "video", "/dev/video0"])
            try runProgram(["chmod", "660", "/dev/video0"])
            // Starting systemd takes the most time, so all checks of the test use the same systemd.
            let manager = try ServiceManager()
            try expectNoSecondStart(manager)
            try manager.define("lab", Self.configuration(insetAt: "top-right"), "TimeoutAbortSec=1s")

            try manager.control("start", "pip-compose@lab.service")
            #expect(try manager.property("ActiveState", of: "lab") == "active")
            #expect(try manager.wait { try manager.property("StatusText", of: "lab").hasPrefix("320x180") })
            let first = try manager.property("MainPID", of: "lab")
            let status = try manager.enter(["cat", "/proc/\(first)/status"])
            #expect(status.contains("NoNewPrivs:\t1") && status.contains("CapEff:\t0000000000000000"))
            #expect(!status.contains("Uid:\t0"))

            try await follow(manager)
            #expect(try manager.property("MainPID", of: "lab") == first)

            try manager.enter(["kill", "-STOP", first])
            let stopped = SuspendingClock.now
            #expect(try manager.wait { try manager.property("NRestarts", of: "lab") == "1" })
            let noticed = SuspendingClock.now
            #expect(try manager.wait { try manager.property("ActiveState", of: "lab") == "active" })
            let back = SuspendingClock.now
            FaultReport.record(
                row: 66,
                figures: """
                    under systemd: stopped, restarted after \((noticed - stopped).formatted(.units(allowed: [.seconds]))), \
                    ready \((back - noticed).formatted(.units(allowed: [.seconds]))) later
                    """)
            #expect(try manager.property("MainPID", of: "lab") != first)

            // The recording of the restarted service has begun.
            try await Self.panel.wait(for: "frames in the file") { $0.written >= 30 }
            // The watchdog has restarted the service once, or more often on an overloaded machine.
            let starts = 1 + (Int(try manager.property("NRestarts", of: "lab")) ?? 0)
            try manager.control("stop", "pip-compose@lab.service")
            #expect(try manager.property("Result", of: "lab") == "success")
            #expect(try manager.property("ExecMainStatus", of: "lab") == "0")
            #expect(!FileManager.default.fileExists(atPath: "/run/pip-compose/lab"))
            try expectRecordings(starts)
        }

        /// Expects that the service applies a changed configuration and refuses an invalid configuration, while the
        /// recording continues.
        private func follow(_ manager: ServiceManager) async throws {
            try await Self.panel.wait(for: "a recording") { $0.inset == .string("top-right") && $0.written > 0 }
            try manager.edit("lab", Self.configuration(insetAt: "bottom-left"))
            try manager.control("reload", "pip-compose@lab.service")
            try await Self.panel.wait(for: "the inset at the lower left") { $0.inset == .string("bottom-left") }
            let written = try await Self.panel.send("GET", "/api/v1/state").json.written
            try manager.edit(
                "lab", Self.configuration(insetAt: "top-left").replacing("road: {source:", with: "road: {sauce:"))
            try manager.control("reload", "pip-compose@lab.service")
            #expect(
                try manager.wait {
                    try String(contentsOfFile: ServiceManager.log, encoding: .utf8).contains("lab.yaml, line 3")
                }, "the mistake is told")
            try await Self.panel.wait(for: "the recording to go on") {
                $0.inset == .string("bottom-left") && $0.written > written
            }
            try manager.edit("lab", Self.configuration(insetAt: "bottom-left"))
        }

        /// Expects one recording for each start of the service, all of which can be played.
        private func expectRecordings(_ count: Int) throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.recordings)
                .filter { $0.hasSuffix(".mkv") }
            let log = try String(contentsOfFile: ServiceManager.log, encoding: .utf8)
            #expect(count >= 2 && files.count == count, "\(count), \(files), \(log)")
            for file in files {
                let packets = try runProgram([
                    "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
                    "stream=nb_read_packets", "-of", "csv=p=0", "\(Self.recordings)/\(file)",
                ])
                #expect(Int(packets.filter(\.isNumber)) ?? 0 > 10, "\(file): \(packets)")
            }
        }

        /// Expects that a service with a mistake in its configuration is not restarted.
        private func expectNoSecondStart(_ manager: ServiceManager) throws {
            try manager.define("broken", "cameras: {road: {sauce: /dev/video0}}\n", "RestartSec=100ms")
            #expect(throws: ProgramFailure.self) { try manager.control("start", "pip-compose@broken.service") }
            usleep(500_000)
            #expect(try manager.property("ActiveState", of: "broken") == "failed")
            #expect(try manager.property("ExecMainStatus", of: "broken") == "78")
            #expect(try manager.property("NRestarts", of: "broken") == "0")
        }
    }
}

extension JSON {
    /// The position of the second layer in a state document.
    fileprivate var inset: JSON? {
        if case .array(let layers)? = self["layers"], layers.count > 1 { layers[1]["at"] } else { nil }
    }

    /// The number of frames that the first output in a state document has written.
    fileprivate var written: Int {
        guard case .array(let outputs)? = self["outputs"], case .integer(let count)? = outputs.first?["written"] else {
            return 0
        }
        return count
    }
}
