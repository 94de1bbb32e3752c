#if Media
import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Repair of timestamps")
struct TimeRepairTests {
    private static let step = Duration.milliseconds(40)

    /// The repaired times of one track's packets with the given decoding times, in milliseconds, and the faults found.
    private func mend(
        _ milliseconds: [Int], leavesOutGaps: Bool = false
    ) -> (times: [Int], faults: [TimeRepair.Fault]) {
        var repair = TimeRepair(leavesOutGaps: leavesOutGaps)
        let results = milliseconds.map {
            repair.repair(.init(decoding: .milliseconds($0), presentation: .milliseconds($0 + 80)), of: 0)
        }
        let times = results.map(\.times)
        #expect(times.allSatisfy { ($0.presentation ?? .zero) - ($0.decoding ?? .zero) >= .zero })
        return (
            times.compactMap { $0.decoding.map { Int($0.nanoseconds / 1_000_000) } },
            results.compactMap(\.repair?.fault)
        )
    }

    @Test(
        "rising timestamps are not changed, and neither are gaps where the container has none",
        arguments: [false, true])
    func untouched(leavesOutGaps: Bool) {
        let times: [Int] = [0, 40, 80, 120, 160, 5000, 5040, 14_000] + (leavesOutGaps ? [] : [60_000])
        let mended = mend(times, leavesOutGaps: leavesOutGaps)
        #expect(mended.times == times && mended.faults.isEmpty)
    }

    @Test(
        "a counter that wraps around continues, whatever its length",
        arguments: [(33, 95_443_717), (32, 47_721_858)])
    func wraps(bits: Int, end: Int) {
        let period = Double(1 << bits) / 90
        let times = (-2..<3).map { Int((Double($0) * 40 + 15 + ($0 < 0 ? period : 0)).rounded()) }
        let mended = mend(times)
        #expect(mended.faults == [.wrap])
        #expect(zip(mended.times, mended.times.dropFirst()).allSatisfy { (39...41).contains($1 - $0) })
        #expect(abs(mended.times[2] - end) < 16)
    }

    @Test("timestamps that start over continue after the earlier ones")
    func restarts() {
        #expect(mend([1000, 1040, 1080, 700, 740]).times == [1000, 1040, 1080, 1120, 1160])
        let twice = mend([9000, 9040, 0, 40, 80, 120, 160, 200, 240, 280, 0, 40])
        #expect(twice.times == Array(stride(from: 9000, through: 9440, by: 40)))
        #expect(twice.faults == [.restart, .restart])
    }

    @Test("sound with few packets follows pictures whose timestamps went back a little", arguments: [false, true])
    func follows(isSoundFirst: Bool) {
        // Pictures come every 40 ms, sound every 300 ms. Timestamps step back by 400 ms: those of sound at 1045 ms,
        // those of pictures at 1100 ms.
        var repair = TimeRepair(leavesOutGaps: true)
        var packets: [(track: Int, raw: Int, real: Int)] = []
        for real in stride(from: 700, to: 4000, by: 40) { packets.append((0, real < 1100 ? real : real - 400, real)) }
        for real in stride(from: 745, to: 4000, by: 300) { packets.append((1, real < 1040 ? real : real - 400, real)) }
        packets.sort {
            ($0.real + ($0.track == 1 && !isSoundFirst ? 300 : 0))
                < ($1.real + ($1.track == 1 && !isSoundFirst ? 300 : 0))
        }
        var drift: [Int: Int] = [:]
        for packet in packets {
            let time = TimeRepair.Times(decoding: .milliseconds(packet.raw), presentation: .milliseconds(packet.raw))
            let mended = repair.repair(time, of: packet.track).times.decoding ?? .zero
            drift[packet.track] = Int(mended.nanoseconds / 1_000_000) - packet.real
        }
        #expect(drift == [0: 0, 1: 0])
    }

    @Test("a gap that the container permits is removed, also after a single wrong timestamp")
    func gaps() {
        #expect(mend([0, 40, 90_000, 90_040], leavesOutGaps: true).times == [0, 40, 80, 120])
        let single = mend([0, 40, 90_000, 120, 160], leavesOutGaps: true)
        #expect(single.times == [0, 40, 80, 120, 160] && single.faults == [.gap, .restart])
    }

    @Test("a gap in only one track stays")
    func pause() {
        var repair = TimeRepair(leavesOutGaps: true)
        var mended: [Duration] = []
        for second in 0..<60 {
            let sound = TimeRepair.Times(decoding: .seconds(second), presentation: .seconds(second))
            #expect(repair.repair(sound, of: 1).times == sound)
            guard second < 2 || second > 40 else { continue }
            mended.append(repair.repair(sound, of: 0).times.decoding ?? .zero)
        }
        #expect(mended.last == .seconds(59))
    }

    @Test("packets that are not in decoding order keep their presentation times")
    func disorder() {
        var repair = TimeRepair(leavesOutGaps: false)
        let times = [0, 40, 30, 80].map {
            repair.repair(.init(decoding: .milliseconds($0), presentation: .milliseconds($0 + 100)), of: 0)
        }
        #expect(times.map(\.times.decoding) == [0, 40, 40, 80].map { .milliseconds($0) })
        #expect(times.map(\.times.presentation) == [100, 140, 130, 180].map { .milliseconds($0) })
        #expect(times.compactMap(\.repair?.fault) == [.disorder])
    }

    @Test("without decoding times, pictures may arrive in another order than the presentation order")
    func reordered() {
        var repair = TimeRepair(leavesOutGaps: true)
        for time in [0, 120, 40, 80, 240, 160, 200] {
            let times = TimeRepair.Times(presentation: .milliseconds(time))
            #expect(repair.repair(times, of: 0).times == times)
        }
        let next = repair.repair(.init(presentation: .zero), of: 0)
        #expect(next.times.presentation.map { $0 >= .milliseconds(240) } == false, "too little to be told from order")
        #expect(repair.repair(TimeRepair.Times(), of: 0).times == TimeRepair.Times())
    }

    @Test("a seek begins with the file's own timestamps again, and the container's edit list is no fault")
    func interruptions() {
        var repair = TimeRepair(leavesOutGaps: false)
        func times(_ milliseconds: Int) -> TimeRepair.Times { .init(decoding: .milliseconds(milliseconds)) }
        for time in [5000, 5040, 0] { _ = repair.repair(times(time), of: 0) }
        repair.interrupt(0, isSearch: true)
        #expect(repair.repair(times(40), of: 0).times == times(40))
        repair.interrupt(0, isSearch: false)
        #expect(repair.repair(times(0), of: 0) == (times(0), nil))
    }

    @Test(
        "a track of the next program continues where the previous program's track has ended",
        arguments: [700, 0, 90_000, 1000], [[2], [3, 2], [2, 3]])
    func programs(start: Int, order: [Int]) {
        var repair = TimeRepair(leavesOutGaps: true)
        func mend(_ milliseconds: Int, of track: Int) -> Int? {
            let time = Duration.milliseconds(milliseconds)
            let mended = repair.repair(.init(decoding: time, presentation: time), of: track).times.decoding
            return mended.map { Int($0.nanoseconds / 1_000_000) }
        }
        for time in stride(from: 0, to: 1000, by: 40) { #expect(mend(time, of: 0) == time) }
        // The next program may have a second track, such as sound, which the first program lacks.
        for track in order { repair.follow(0, by: track) }
        repair.forget(0)
        for time in stride(from: 0, to: 400, by: 40) {
            for track in order { #expect(mend(start + time, of: track) == 1000 + time) }
        }
    }

    /// The packets of a simulated demuxer, with the real time of each packet.
    private struct Sequence {
        var packets: [(track: Int, part: Int, raw: Duration, real: Duration)] = []

        init(using dice: inout Dice) {
            var shift = Duration.seconds(Int.random(in: 0...20_000, using: &dice))
            var (real, last) = ([Duration.zero, .milliseconds(7)], shift)
            let steps = [Duration.milliseconds([17, 33, 40].randomElement(using: &dice) ?? 40), .milliseconds(21)]
            let period = Duration.nanoseconds(Int64((Int128(1) << 33) * 100_000 / 9))
            // Timestamps jump at the same real time in both tracks.
            var jumps: [(from: Duration, shift: Duration)] = [(.zero, shift)]
            var next = Duration.seconds(2)
            while next < .seconds(12) {
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: shift -= .seconds(Int.random(in: 2...500, using: &dice))
                case 1: shift += .seconds(Int.random(in: 12...9000, using: &dice))
                case 2: shift = .zero - next
                default: shift -= period
                }
                while next + shift < .zero { shift += shift + next < .zero - .seconds(50_000) ? period : .seconds(100) }
                if abs((shift - last).inSeconds) > 1.9 { jumps.append((next, shift)) }
                last = jumps[jumps.count - 1].shift
                shift = last
                next += .milliseconds(Int.random(in: 1500...8000, using: &dice))
            }
            while real.contains(where: { $0 < .seconds(12) }) {
                // One track is ahead of the other by at most a fifth of a second.
                let ahead = real[0] < real[1] ? 0 : 1
                let canLead = real[1 - ahead] + .milliseconds(200) > real[ahead]
                let track = canLead && Bool.random(using: &dice) ? 1 - ahead : ahead
                guard real[track] - real[1 - track] < .milliseconds(200) else { continue }
                let time = real[track]
                let part = jumps.lastIndex { $0.from <= time } ?? 0
                // Drop some packets at random.
                if Int.random(in: 0..<50, using: &dice) > 0 {
                    packets.append((track, part, time + jumps[part].shift, time))
                }
                real[track] += steps[track]
            }
        }
    }

    @Test("random timestamps are repaired to rise, without losses, and tracks stay together: 10,000 times")
    func random() {
        for seed in 0..<10_000 {
            var dice = Dice(seed)
            let sequence = Sequence(using: &dice)
            var repair = TimeRepair(leavesOutGaps: true)
            var last: [Int: Duration] = [:]
            // The drifts of both tracks, keyed by part and track: a part lies between two jumps.
            var drifts: [Int: [Int: Double]] = [:]
            for packet in sequence.packets {
                let mended = repair.repair(.init(decoding: packet.raw, presentation: packet.raw), of: packet.track)
                guard let time = mended.times.decoding, time >= last[packet.track] ?? .zero else {
                    Issue.record("seed \(seed): \(mended) after \(String(describing: last[packet.track]))")
                    return
                }
                last[packet.track] = time
                drifts[packet.part, default: [:]][packet.track] = (time - packet.real).inSeconds
            }
            for (part, drift) in drifts {
                guard let pictures = drift[0], let sound = drift[1], abs(pictures - sound) >= 0.02 else { continue }
                Issue.record("seed \(seed): in part \(part), the tracks are \(pictures - sound) s apart")
                return
            }
        }
    }
}
#endif
