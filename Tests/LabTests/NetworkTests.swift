#if Media
import Foundation
import PipCompose
import PipMedia
import PipPatterns
import PipTestSupport
import Testing

extension CameraLab {
    /// Tests streams to servers behind the guest's loopback interface, which drops packets or has little bandwidth.
    @Suite(
        "Networks that fail", .inVirtualTime,
        .enabled(if: Network.isThere, "needs nginx with RTMP, srt-live-transmit and tc"))
    struct NetworkTests {
        /// The statistics of a stream at one moment.
        private struct Sample {
            /// The time since the first frame of the session, in seconds.
            let time: Double
            /// The share of the full bit rate that the stream uses.
            let share: Double
            let isFailing: Bool
            let connections: Int
        }

        /// The observations of a session that streamed and recorded at the same time.
        private struct Run {
            /// The samples of the stream, one for each change.
            var samples: [Sample] = []
            /// The number of composed frames.
            var composed = 0
            /// The number of frames in the recording.
            var recorded = 0

            /// The times at which the network was changed, and the time of the run's end.
            ///
            /// Units: seconds since the first frame of the session.
            var changes: [Double] = []

            /// The time of the first sample from `first` on that meets a condition; nil if no sample does.
            func moment(from first: Double, _ holds: (Sample) -> Bool) -> Double? {
                samples.first { $0.time >= first && holds($0) }?.time
            }
        }

        /// Streams and records noise, which is hard to compress.
        ///
        /// - Parameters:
        ///   - address: The address of the streaming server.
        ///   - bitRate: The full bit rate, in bits a second.
        ///   - folder: The folder for the recording.
        ///   - changes: The states of the network, each with its start in seconds. The last entry ends the run.
        /// - Returns: The observations.
        /// - Throws: The error of the session, or of a tool that changes the network.
        private func run(
            _ address: String, bitRate: Int, in folder: TemporaryFolder, _ changes: [(time: Double, network: String?)]
        ) async throws -> Run {
            let picture = PatternSource(.noise, size: PixelSize(320, 180), frameRate: FrameRate(30))
            let encoding = VideoEncoding(.h264, rate: .bits(bitRate), keyFrameInterval: .seconds(1), speed: .fastest)
            let stream = picture --> LiveStream(try StreamAddress(address), encoding: encoding)
            picture --> MovieFile(folder.path("beside.mp4"), encoding: encoding)
            let session = try await Session(picture, options: .ungoverned)
            async let running: Void = session.run()
            defer { try? Network.set(nil) }
            try Network.set(nil)
            var run = Run()
            var waiting = changes[...]
            while session.statistics.output.frames == 0 { try await Task.sleep(for: .milliseconds(20)) }
            let (clock, start) = (MonotonicClock(), MonotonicClock().now)
            while let next = waiting.first {
                let time = start.duration(to: clock.now).inSeconds
                if time >= next.time {
                    waiting = waiting.dropFirst()
                    if !waiting.isEmpty { try Network.set(next.network) }
                    // The tools take time, so the time is read after the change.
                    run.changes.append(start.duration(to: clock.now).inSeconds)
                }
                let now = stream.statistics
                let sample = Sample(
                    time: time, share: now.bitRateShare, isFailing: now.error != nil, connections: now.connections)
                let last = run.samples.last
                if last?.share != sample.share || last?.isFailing != sample.isFailing
                    || last?.connections != sample.connections
                {
                    run.samples.append(sample)
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            session.stop()
            try await running
            run.composed = session.statistics.output.frames
            run.recorded = try Network.packets(in: folder.path("beside.mp4")).count
            return run
        }

        private func text(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10) s" }

        @Test("row 56: a way that swallows everything is noticed within 5 s, and the recording has every frame")
        func swallowed() async throws {
            let folder = try TemporaryFolder()
            let server = try RTMPServer.start(in: folder, keepsStreams: true)
            defer { server.stop() }
            let run = try await run(
                "rtmp://127.0.0.1:1935/live/drive", bitRate: 500_000, in: folder,
                [(3, "netem loss 100%"), (9, nil), (21, nil)])
            let (lost, found) = (run.changes[0], run.changes[1])
            let noticed = try #require(run.moment(from: lost) { $0.isFailing }, "\(run.samples)")
            #expect(noticed <= lost + 5, "\(run.samples)")
            // The stream connects again after 1, 2, 4, 8 s and so on, and an attempt without a route takes time, too.
            let back = try #require(run.moment(from: found) { !$0.isFailing && $0.connections >= 2 }, "\(run.samples)")
            #expect(run.recorded == run.composed, "\(run)")
            let files = try Network.kept(in: folder)
            #expect(files.count >= 2 && files.allSatisfy(\.beginsWithKey), "\(files)")
            FaultReport.record(
                row: 56,
                figures: "all packets lost: noticed after \(text(noticed - lost)), connected again "
                    + "\(text(back - found)) after the end of it, from a key frame; the recording is whole")
        }

        @Test("row 58: a way that gets narrow lowers the bit rate within 3 s, without another connection")
        func narrow() async throws {
            let folder = try TemporaryFolder()
            let server = try RTMPServer.start(in: folder, keepsStreams: true)
            defer { server.stop() }
            try await adapt("rtmp://127.0.0.1:1935/live/drive", name: "RTMP", kilobits: 3000, in: folder)
        }

        @Test("row 58: so does that of SRT")
        func narrowSRT() async throws {
            let folder = try TemporaryFolder()
            let server = try Background([
                "sh", "-c", "exec srt-live-transmit -q 'srt://127.0.0.1:9000?mode=listener' file://con >/dev/null",
            ])
            defer { server.stop() }
            try await adapt("srt://127.0.0.1:9000?latency=400", name: "SRT", kilobits: 3000, in: folder)
        }

        /// Limits the bandwidth to half of the bit rate after three seconds, and ends the limit seven seconds later.
        private func adapt(
            _ address: String, name: String, kilobits: Int, in folder: TemporaryFolder
        ) async throws {
            let run = try await run(
                address, bitRate: kilobits * 1000, in: folder,
                [(3, "tbf rate \(kilobits / 2)kbit burst 8kb limit 64kb"), (10, nil), (24, nil)])
            let narrowed = run.changes[0]
            let lowered = try #require(run.moment(from: narrowed) { $0.share < 1 }, "\(run.samples)")
            #expect(lowered <= narrowed + 3, "\(run.samples)")
            let least = run.samples.map(\.share).min() ?? 1
            #expect(least <= 0.6, "\(run.samples)")
            // The bit rate rises once the limit has ended, and successive changes are at least 4 s apart.
            let steps = run.samples.filter { $0.time > run.changes[1] }
            #expect(steps.contains { $0.share > least }, "\(run.samples)")
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $1.time - $0.time >= 4 }, "\(run.samples)")
            #expect(run.samples.last?.connections == 1, "\(run.samples)")
            #expect(run.recorded == run.composed, "\(run)")
            FaultReport.record(
                row: 58,
                figures: "\(name), half of \(kilobits) kbit/s: lowered after \(text(lowered - narrowed)), to "
                    + "\(Int((least * 100).rounded())) %; one connection, the recording is whole")
        }
    }
}

/// Changes the guest's loopback interface, to simulate faults of a network.
private enum Network {
    static var isThere: Bool {
        RTMPServer.isInstalled
            && ["/usr/bin/srt-live-transmit", "/usr/sbin/tc"].allSatisfy(FileManager.default.fileExists)
    }

    /// Sets a queueing discipline that delays or drops packets; nil removes the discipline.
    static func set(_ discipline: String?) throws {
        // Loopback's default packets are larger than the simulated queues, which would drop every packet.
        try runProgram(["ip", "link", "set", "lo", "mtu", "1500"])
        guard let discipline else {
            _ = try? runProgram(["tc", "qdisc", "del", "dev", "lo", "root"])
            return
        }
        try runProgram(
            ["tc", "qdisc", "replace", "dev", "lo", "root"] + discipline.split(separator: " ").map(String.init))
    }

    /// The flags of the video packets of a movie, in which `K` marks a key frame.
    static func packets(in path: String) throws -> [Substring] {
        try runProgram([
            "ffprobe", "-v", "quiet", "-select_streams", "v:0", "-show_entries", "packet=flags", "-of", "csv=p=0", path,
        ]).split(separator: "\n")
    }

    /// The server's recordings that contain frames.
    static func kept(in folder: TemporaryFolder) throws -> [(name: String, beginsWithKey: Bool)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")).sorted().compactMap { name in
            // The recording of a connection that sent no data is empty.
            let flags = (try? packets(in: folder.path("kept/\(name)"))) ?? []
            return flags.first.map { (name, $0.hasPrefix("K")) }
        }
    }
}
#endif
