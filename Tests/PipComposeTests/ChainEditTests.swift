import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Chains that are edited while they run", .serialized, .timeLimit(.minutes(10)))
struct ChainEditTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The filters of a chain, random edits of the chain, and the expected luma after each edit.
    private struct Edits {
        enum Kind: CaseIterable { case insert, remove, mute, update }

        let source: any FrameProducer
        /// Six filters with the same effect, each of which darkens or brightens by another amount.
        let filters = [0.03, 0.06, -0.05, 0.09, -0.08, 0.14].map { Filter(Brightness(Float($0))) }
        var order: [Int] = []

        /// Makes one random edit of the chain.
        mutating func edit(_ dice: inout Dice) throws {
            let chosen = Int.random(in: filters.indices, using: &dice)
            let filter = filters[chosen]
            let rest = order.filter { $0 != chosen }
            switch Kind.allCases.randomElement(using: &dice) {
            case .insert:
                let place = Int.random(in: 0...rest.count, using: &dice)
                if place == rest.count, let last = rest.last {
                    try filter.insert(after: filters[last])
                } else if place < rest.count {
                    try filter.insert(before: filters[rest[place]])
                } else {
                    try filter.insert(after: source)
                }
                order = rest
                order.insert(chosen, at: place)
            case .remove:
                filter.remove()
                order = rest
            case .mute: filter.isMuted.toggle()
            default: try filter.update { $0.brightness = .random(in: -0.04...0.1, using: &dice) }
            }
        }

        /// Reduces the chain to one filter, which makes the picture brighter than any earlier edit.
        mutating func end() throws {
            for filter in filters { filter.remove() }
            try filters[0].insert(after: source)
            filters[0].isMuted = false
            try filters[0].update { $0.brightness = 0.65 }
            order = [0]
        }

        /// The luma of the grey source, code 100, after the chain.
        var luma: Double {
            let shown = order.map { filters[$0] }.filter { !$0.isMuted }
            return 100 + 219 * shown.reduce(0) { $0 + Double($1.effect.brightness) }
        }
    }

    @Test("each of a thousand random edits shows the picture before or after it: no frame is black, torn or stale")
    func thousandEdits() async throws {
        let seed = 5
        print("a thousand edits of seed \(seed)")
        var dice = Dice(seed)
        let source = try folder.gray(100)
        var edits = Edits(source: source)
        let tap = FrameTap(.nv12, buffering: .newest(4096))
        source --> tap
        let session = try await Session(source, options: .live(250))
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            // The expected luma of each state so far, and the index of the state that was seen last.
            var states = [edits.luma]
            var seen = 0
            for number in 0..<1000 {
                try edits.edit(&dice)
                states.append(edits.luma)
                // The first of every three edits is followed by the next one without a wait for a frame.
                let wait = number % 3 == 0 ? 0 : 1
                for _ in 0..<wait {
                    guard let frame = await frames.next() else { throw SessionEnded() }
                    check(frame, states, &seen)
                }
            }
            // The final state is brighter than all earlier ones, so its frame is recognizable.
            try edits.end()
            states.append(edits.luma)
            let last = await firstFrame(&frames) { frame in
                check(frame, states, &seen)
                return isAbout(frame.luma(0, 0), edits.luma)
            }
            #expect(last != nil)
        }
    }

    private struct SessionEnded: Error {}

    private func isAbout(_ code: UInt8, _ luma: Double) -> Bool { abs(Double(code) - luma) <= 1 }

    /// Expects a frame of one luma: that of the state seen last, or of a later state.
    private func check(_ frame: Frame, _ states: [Double], _ seen: inout Int) {
        let code = frame.luma(0, 0)
        let isWhole = [(63, 0), (0, 47), (63, 47), (31, 23)].allSatisfy { frame.luma($0.0, $0.1) == code }
        #expect(isWhole, "torn at \(code)")
        guard let next = states[seen...].firstIndex(where: { isAbout(code, $0) }) else {
            Issue.record("\(code) after \(states[seen...].prefix(20))")
            return
        }
        seen = next
    }
}
