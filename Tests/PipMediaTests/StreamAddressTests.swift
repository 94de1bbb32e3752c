#if Media
import PipFrames
import PipSinks
import Testing

@testable import PipMedia

@Suite("Addresses of streams")
struct StreamAddressTests {
    @Test("an address is split into its parts, and its display name shows no secret")
    func parts() throws {
        let rtmp = try StreamAddress("rtmp://user:pass%21@live.example.org/app/key-1234?token=abcd")
        #expect(rtmp.host == "live.example.org" && rtmp.port == 1935)
        #expect(rtmp.user == "user" && rtmp.password == "pass!")
        #expect(rtmp.description == "rtmp://live.example.org/app/…")
        #expect(Set(rtmp.secrets) == ["pass!", "user", "abcd", "key-1234"])
        #expect("cannot open key-1234 with pass!".hiding(rtmp.secrets) == "cannot open … with …")
        let srt = try StreamAddress("srt://[::1]:9000?mode=caller&passphrase=0123456789&latency=200")
        #expect(srt.host == "::1" && srt.port == 9000 && srt["latency"] == "200")
        #expect(srt.description == "srt://[::1]:9000" && srt.secrets == ["0123456789"])
        let listener = try StreamAddress("srt://:9000?mode=listener")
        #expect(listener.host.isEmpty && listener.port == 9000)
    }

    @Test(
        "an invalid address is refused with the reason",
        arguments: [
            ("rtmp://host/app", "no key"), ("rtmp:///app/key", "no host"), ("srt://host", "no port"),
            ("udp://host:99999", "65535"), ("udp://host:x", "65535"), ("gopher://host", "rtmp://"),
            ("nothing", "rtmp://"), ("srt://:9000", "no host"),
        ])
    func mistakes(text: String, reason: String) {
        let error = #expect(throws: SinkError.self) { try StreamAddress(text) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test(
        "an error in an address shows no key",
        arguments: [
            "rtmp://me:hidden@host:0/app/hidden?x=hidden", "rtsp://me:hidden", "rtsp://me:hidden/live",
            "rtsp://me:hidden@", "rtmp://me:hidden@/app/key",
        ])
    func secretsInMistakes(_ text: String) {
        let error = #expect(throws: SinkError.self) { try StreamAddress(text) }
        #expect(error?.description.contains("hidden") == false)
    }

    @Test("an error of a port shows the address of its server")
    func portInMistakes() {
        let error = #expect(throws: SinkError.self) { try StreamAddress("udp://host:0") }
        #expect(error?.description.hasPrefix("udp://host:0: ") == true, "\(String(describing: error))")
    }
}

@Suite("Lists of live streams")
struct HLSPlaylistTests {
    @Test("a playlist holds the newest files, and files that no player requests any more are deleted")
    func rolling() {
        var list = HLSPlaylist(path: "live.m3u8", length: 3)
        var gone: [String] = []
        for number in 1...8 { gone += list.add(.init(name: "\(number).ts", duration: .milliseconds(1999 + number))) }
        #expect(gone == ["1.ts", "2.ts"])
        let lines = list.text(isComplete: false).split(separator: "\n").map(String.init)
        #expect(lines.contains("#EXT-X-MEDIA-SEQUENCE:5"))
        #expect(lines.contains("#EXT-X-TARGETDURATION:3"))
        #expect(lines.filter { $0.hasSuffix(".ts") } == ["6.ts", "7.ts", "8.ts"])
        #expect(lines.contains("#EXTINF:2.007,"))
        #expect(!lines.contains("#EXT-X-ENDLIST"))
        #expect(list.text(isComplete: true).hasSuffix("#EXT-X-ENDLIST\n"))
    }
}

@Suite("The bit rate of a stream")
struct StreamAdaptationTests {
    @Test("the bit rate falls within three seconds when the bandwidth halves, and rises slowly")
    func adapts() {
        var adaptation = StreamAdaptation()
        var now = Timestamp.zero
        var shares: [(Double, Double)] = []
        func run(_ seconds: Double, _ backlog: Duration) {
            let end = now.advanced(by: .seconds(seconds))
            while now < end {
                now = now.advanced(by: .milliseconds(50))
                guard let share = adaptation.step(backlog, at: now) else { continue }
                shares.append((Double(now.nanoseconds) / 1e9, share))
            }
        }
        run(5, .milliseconds(20))
        #expect(shares.isEmpty)
        run(3, .milliseconds(400))
        #expect(shares.count == 3 && adaptation.share < 0.25)
        #expect(shares[0].0 < 5.1)
        shares = []
        run(60, .milliseconds(20))
        #expect(adaptation.share == 1 && shares.count == 7)
        #expect(zip(shares.dropFirst(), shares).allSatisfy { $0.0 - $1.0 >= 4 && $0.1 <= $1.1 * 1.26 })
        shares = []
        run(30, .seconds(3))
        #expect(adaptation.share == StreamAdaptation.leastShare)
    }
}

@Suite("The network path of an SRT stream")
struct SRTPathTests {
    private var path = SRTPath()
    private var counts = SRTCounts()
    private var now = Timestamp.zero

    /// Simulates two equal seconds, and returns the longest delay among ten measurements in the second one.
    private mutating func second(sent: Int, lost: Int = 0, dropped: Int = 0, roundTrip: Duration) -> Duration {
        var longest = Duration.zero
        for look in 0..<20 {
            now = now.advanced(by: .milliseconds(100))
            counts.packetsSent += sent / 10
            counts.packetsLost += lost / 10
            counts.packetsDropped += dropped / 10
            counts.roundTripTime = roundTrip
            let wait = path.delay(counts, at: now)
            if look >= 10 { longest = max(longest, wait) }
        }
        return longest
    }

    @Test("a long round trip alone is no queue, but a growing one is")
    mutating func queue() {
        #expect(second(sent: 200, roundTrip: .milliseconds(180)) == .zero)
        #expect(second(sent: 200, roundTrip: .milliseconds(480)) == .milliseconds(300))
        #expect(second(sent: 200, roundTrip: .milliseconds(180)) == .zero)
    }

    @Test("few lost packets are repaired and ignored; many losses, and packets that come too late, are not")
    mutating func losses() {
        let roundTrip = Duration.milliseconds(20)
        #expect(second(sent: 200, lost: 10, roundTrip: roundTrip) == .zero)
        #expect(second(sent: 200, lost: 60, roundTrip: roundTrip) > StreamAdaptation.congestion)
        #expect(second(sent: 200, roundTrip: roundTrip) == .zero)
        #expect(second(sent: 200, dropped: 10, roundTrip: roundTrip) >= .seconds(1))
        #expect(second(sent: 200, roundTrip: roundTrip) == .zero)
    }

    @Test("a new and longer path does not count as a queue for ever")
    mutating func longerWay() {
        _ = second(sent: 200, roundTrip: .milliseconds(40))
        #expect(second(sent: 200, roundTrip: .milliseconds(600)) > StreamAdaptation.congestion)
        for _ in 0..<15 { _ = second(sent: 200, roundTrip: .milliseconds(600)) }
        #expect(second(sent: 200, roundTrip: .milliseconds(600)) == .zero)
    }

    @Test("SRT's assumption before the first response does not count as the round trip")
    mutating func beginning() {
        #expect(second(sent: 0, roundTrip: .milliseconds(100)) == .zero)
        #expect(second(sent: 200, roundTrip: .milliseconds(1)) == .zero)
    }
}
#endif
