#if Media
import PipFrames
import PipSinks
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("The memory of a recording of clips")
struct ClipMemoryTests {
    // The formats of packets are GStreamer's.
    init() throws { try GStreamer.start() }

    private static let format = PacketFormat(jpeg: PixelSize(64, 48), FrameRate(30))
    private static let interval = Duration.seconds(1) / 30

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    private func seconds(_ time: Timestamp) -> Double { Double(time.nanoseconds) / 1e9 }

    /// The picture with a number, 30 a second; every 15th is a key frame.
    private static func picture(_ number: Int, bytes: Int = 100) throws -> Interleaver.Item {
        let time = Self.time(Double(number) / 30)
        let packet = Packet(
            Array(repeating: 0, count: bytes), format, at: time, duration: interval, isKey: number.isMultiple(of: 15))
        return .picture(PacketFeed.Delivery(packet: try #require(packet), beginsPart: false))
    }

    /// The clips that a memory has written: the first shown time, the times of the packets, and the names.
    private struct Written {
        var clips: [(start: Timestamp, times: [Timestamp], moments: [String])] = []
        var isOpen = false

        mutating func take(_ steps: [ClipMemory.Step]) {
            for step in steps {
                switch step {
                case .begin(let clip):
                    #expect(!isOpen)
                    clips.append((clip.start, [], []))
                    isOpen = true
                case .write(let item): clips[clips.count - 1].times.append(item.packet.time)
                case .end(let moments):
                    clips[clips.count - 1].moments = moments.map(\.name)
                    isOpen = false
                }
            }
        }
    }

    @Test("each moment of an hour lies in a clip of the asked length, and the memory stays small")
    func hour() throws {
        var random = Dice(40)
        let window = ClipWindow(before: .seconds(15), after: .seconds(10))
        var memory = ClipMemory(window)
        var written = Written()
        let marks = (0..<1000).map { _ in Double.random(in: 20..<3580, using: &random) }.sorted()
        var next = 0
        var mostBytes = 0
        for number in 0..<3600 * 30 {
            written.take(memory.add(try Self.picture(number)))
            mostBytes = max(mostBytes, memory.bytes)
            while next < marks.count, marks[next] <= Double(number) / 30 {
                written.take(memory.mark(Moment("\(next)", at: Self.time(marks[next]))))
                next += 1
            }
        }
        written.take(memory.finish())
        #expect(next == marks.count && !written.isOpen)
        // The window, a group of half a second and the margin of a second, with 3000 bytes a second.
        #expect(mostBytes <= Int(3000 * (15 + 0.5 + 1.1)))
        var clips = written.clips[...]
        for (index, mark) in marks.enumerated() {
            while let clip = clips.first, try #require(clip.times.last) < Self.time(mark) { clips.removeFirst() }
            let clip = try #require(clips.first)
            // A clip that begins at a moment begins within a frame of the requested time.
            #expect(clip.start <= Self.time(mark - 15 + 0.034), "\(index)")
            #expect(try #require(clip.times.last) >= Self.time(mark + 10 - 0.067), "\(index)")
            #expect(zip(clip.times, clip.times.dropFirst()).allSatisfy { $0.duration(to: $1) < .milliseconds(34) })
        }
    }

    @Test("overlapping moments make one clip, and later ones a second that may repeat pictures")
    func overlapping() throws {
        var memory = ClipMemory(ClipWindow(before: .seconds(2), after: .seconds(1)))
        var written = Written()
        for number in 0..<600 {
            written.take(memory.add(try Self.picture(number)))
            for (frame, name) in [(150, "a"), (165, "b"), (240, "c"), (420, "d")] where frame == number {
                written.take(memory.mark(Moment(name, at: Self.time(Double(number) / 30))))
            }
        }
        #expect(written.clips.map(\.moments) == [["a", "b"], ["c"], ["d"]])
        #expect(written.clips.map { Int((seconds($0.start) * 30).rounded()) } == [90, 180, 360])
        #expect(written.clips.map { Int((seconds($0.times[$0.times.count - 1]) * 30).rounded()) } == [194, 269, 449])
    }

    @Test("a clip begins with what there is, and a moment before the first picture waits for it")
    func early() throws {
        var memory = ClipMemory(ClipWindow(before: .seconds(2), after: .seconds(1)))
        var written = Written()
        written.take(memory.mark(Moment("before", at: .zero)))
        #expect(written.clips.isEmpty)
        for number in 30..<90 { written.take(memory.add(try Self.picture(number))) }
        #expect(written.clips.map(\.start) == [Self.time(1)])
    }

    @Test("a memory that is too small keeps the latest pictures, and says so")
    func small() throws {
        var memory = ClipMemory(ClipWindow(before: .seconds(10), after: .seconds(1), memory: 1_000_000))
        var written = Written()
        for number in 0..<300 { written.take(memory.add(try Self.picture(number, bytes: 10_000))) }
        #expect(memory.isShort && memory.bytes <= 1_000_000)
        written.take(memory.mark(Moment("late", at: Self.time(10))))
        let start = try #require(written.clips.first?.start)
        #expect(start > Self.time(6) && start < Self.time(7.2))
    }

    @Test("a clip ends without pictures, and none of the old pictures begins a clip after a pause")
    func silence() throws {
        var memory = ClipMemory(ClipWindow(before: .seconds(2), after: .seconds(1)))
        var written = Written()
        for number in 0..<90 { written.take(memory.add(try Self.picture(number))) }
        written.take(memory.mark(Moment("unplugged", at: Self.time(3))))
        #expect(written.isOpen)
        written.take(memory.pass(Self.time(3.9)))
        #expect(written.isOpen)
        written.take(memory.pass(Self.time(4.1)))
        #expect(!written.isOpen && written.clips.map(\.moments) == [["unplugged"]])
        written.take(memory.mark(Moment("away", at: Self.time(30))))
        #expect(written.clips.count == 1)
        for number in 990..<1050 { written.take(memory.add(try Self.picture(number))) }
        #expect(written.clips.map(\.start).last == Self.time(33))
    }

    @Test("lengths without sense are refused")
    func windows() {
        #expect(ClipWindow(before: .zero, after: .seconds(1)).mistake == nil)
        for window in [
            ClipWindow(before: .zero, after: .zero), ClipWindow(before: .seconds(-1), after: .seconds(2)),
            ClipWindow(before: .seconds(3601), after: .zero), ClipWindow(before: .seconds(1), after: .zero, memory: 10),
        ] {
            #expect(window.mistake != nil, "\(window)")
        }
    }

    @Test("moments have one line of text, whatever they are made of")
    func moments() {
        let moment = Moment(" br\n\u{7}ake ", reason: String(repeating: "x", count: 500), at: .zero)
        #expect(moment.name == "br ake" && moment.reason?.count == 200)
        #expect(Moment("\n", reason: " ", at: .zero).description == "moment")
        #expect(Moment("brake", reason: "0.6 g", at: .zero).description == "brake (0.6 g)")
    }
}
#endif
