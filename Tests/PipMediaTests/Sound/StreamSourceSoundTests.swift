#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Sound of incoming streams", .serialized, .timeLimit(.minutes(2)))
struct StreamSourceSoundTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    @Test(
        "a stream's sound is heard with its pictures",
        arguments: [
            ("udp://127.0.0.1:PORT", ["mpegts", "udp://127.0.0.1:PORT?pkt_size=1316"]),
            ("srt://127.0.0.1:PORT", ["mpegts", "srt://127.0.0.1:PORT?mode=listener"]),
        ])
    func together(_ address: String, _ output: [String]) async throws {
        let clip = files.folder.path("clip.ts")
        let port = "\(try FreePort.udp())"
        try files.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=black:s=64x48:r=30:d=40,geq=lum='if(gt(N,0)*not(mod(N,30)),235,16)':cb=128:cr=128",
                "-f", "lavfi", "-i", "aevalsrc='0.5*cos(2*PI*1000*mod(t,1))*lt(mod(t,1),0.1)*gte(t,1)':s=48000:d=40",
                "-c:v", "libx264", "-tune", "zerolatency", "-g", "15", "-crf", "12", "-c:a", "aac", clip,
            ])
        // The stream is endless, because the session may start late on a busy machine.
        let sender = Process()
        sender.executableURL = URL(filePath: "/usr/bin/env")
        sender.arguments =
            ["ffmpeg", "-nostdin", "-v", "quiet", "-re", "-stream_loop", "-1", "-i", clip, "-c", "copy", "-f"]
            + output.map { $0.replacing("PORT", with: port) }
        sender.standardInput = FileHandle.nullDevice
        try sender.run()
        defer {
            kill(sender.processIdentifier, SIGKILL)
            sender.waitUntilExit()
        }
        let stream = StreamSource(address.replacing("PORT", with: port))
        let sound = AudioMixer()
        let input = sound.add(StreamSound(stream))
        let path = files.folder.path("out.mkv")
        stream --> MovieFile(path, sound: [sound])
        var options = SessionOptions()
        options.clock = .rate(FrameRate(60))
        options.pressure.policy = .off
        let session = try await Session(stream, options: options)
        try await session.run(for: .seconds(10))
        #expect(input.status.problem == nil)
        // The stream's first packets arrive all at once, so timestamps are right only after two seconds.
        //
        // A flash lasts two pictures.
        let flashes = try FlashProvider.flashes(in: path).filter { $0 > 2 }
        let end = try #require(flashes.last) + 0.5
        let beeps = try HeardFile(path).beeps
        for window in [2.2..<6, 6..<max(end, 6)] {
            func errors(of times: [Double], from others: [Double]) throws -> [Double] {
                try times.filter { window.contains($0) }.map { time in
                    abs(try #require(others.map { time - $0 }.min { abs($0) < abs($1) }))
                }.sorted()
            }
            let (heard, seen) = (try errors(of: beeps, from: flashes), try errors(of: flashes, from: beeps))
            try #require(heard.count >= 3 && seen.count >= 3, "\(beeps) \(flashes)")
            // A busy machine may draw a few pictures late or not at all. A beep then has no flash, but each flash that
            // is seen has its beep.
            #expect(heard[heard.count / 2] < 0.04 && seen.allSatisfy { $0 < 0.1 }, "\(beeps) \(flashes)")
        }
    }

    @Test("pictures wait for late sound, and wait less and less once the sound is early again")
    func times() throws {
        var playout = PlayoutClock()
        let start = Timestamp(nanoseconds: 5_000_000_000)
        #expect(playout.heard(.zero, now: start) == nil)
        #expect(playout.due(.zero, now: start) == start)
        // The first sound is early enough to be mixed in time, the second is not.
        let early = start.advanced(by: .milliseconds(30))
        #expect(playout.heard(.zero, now: early) == start)
        let late = start.advanced(by: .milliseconds(340))
        #expect(playout.heard(.zero, now: late) == start.advanced(by: .milliseconds(360)))
        let next = start.advanced(by: .milliseconds(40))
        let due = playout.due(.milliseconds(40), now: next)
        #expect(due == start.advanced(by: .milliseconds(400)))
        // The latest sound was late, so the delay stays.
        playout.recover(due, now: next)
        #expect(playout.due(.milliseconds(40), now: next) == due)
        _ = playout.heard(.milliseconds(40), now: next)
        playout.recover(due, now: next)
        #expect(playout.due(.milliseconds(40), now: next) == due.advanced(by: .microseconds(-30)))
    }
}
#endif
