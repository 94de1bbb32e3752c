import Foundation
import PipTestSupport
import Testing

extension CameraLab {
    @Suite(
        "As a service of systemd",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/lib/systemd/systemd"), "needs systemd"))
    struct ServiceTests {
        private static let recordings = "/var/lib/pip-compose/lab"

        @Test(
            "row 66: is ready without a camera, loads again, is started again when stuck, not when mistaken, and ends well"
        )
        func lives() throws {
            try runProgram(["modprobe", "vivid", "n_devs=1", "node_types=0x1", "input_types=0x0"])
            defer { _ = try? runProgram(["modprobe", "--remove", "vivid"]) }
            // As udev would.
            try runProgram(["chgrp", "video", "/dev/video0"])
            try runProgram(["chmod", "660", "/dev/video0"])
            try Data("preset: balanced\n".utf8).write(to: URL(filePath: "/run/pip-policy.yaml"))
            // One manager for all: its start is the longest part.
            let manager = try ServiceManager()
            try expectNoSecondStart(manager)
            try manager.define(
                "lab",
                """
                compose --main /dev/video0?size=320x180 --inset /dev/video9 --output %%H%%M%%S.mkv \
                --pressure-policy /run/pip-policy.yaml --log-format json --verbose
                """, "TimeoutAbortSec=1s")

            try manager.control("start", "pip-compose@lab.service")
            #expect(try manager.property("ActiveState", of: "lab") == "active")
            #expect(try manager.property("StatusText", of: "lab").hasPrefix("320x180"))
            let first = try manager.property("MainPID", of: "lab")
            let status = try manager.enter(["cat", "/proc/\(first)/status"])
            #expect(status.contains("NoNewPrivs:\t1") && status.contains("CapEff:\t0000000000000000"))
            #expect(!status.contains("Uid:\t0"))

            try manager.control("reload", "pip-compose@lab.service")
            #expect(
                try manager.wait {
                    try String(contentsOfFile: ServiceManager.log, encoding: .utf8).contains("policy-reloaded")
                })
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

            // A second of the second recording.
            usleep(1_500_000)
            try manager.control("stop", "pip-compose@lab.service")
            #expect(try manager.property("Result", of: "lab") == "success")
            #expect(try manager.property("ExecMainStatus", of: "lab") == "0")
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.recordings)
                .filter { $0.hasSuffix(".mkv") }
            #expect(files.count == 2)
            for file in files {
                let packets = try runProgram([
                    "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries",
                    "stream=nb_read_packets", "-of", "csv=p=0", "\(Self.recordings)/\(file)",
                ])
                #expect(Int(packets.filter(\.isNumber)) ?? 0 > 10, "\(file): \(packets)")
            }
        }

        /// A service with a mistake on its command line.
        private func expectNoSecondStart(_ manager: ServiceManager) throws {
            try manager.define("broken", "compose --no-such-option", "RestartSec=100ms")
            #expect(throws: ProgramFailure.self) { try manager.control("start", "pip-compose@broken.service") }
            usleep(500_000)
            #expect(try manager.property("ActiveState", of: "broken") == "failed")
            #expect(try manager.property("ExecMainStatus", of: "broken") == "64")
            #expect(try manager.property("NRestarts", of: "broken") == "0")
        }
    }
}
