import PipCompose
import Testing

@testable import PipRig

@Suite("When a condition fires a trigger")
struct TriggerGateTests {
    /// The tenths of a second at which a trigger fires while its condition holds in some ranges of them.
    private func firings(_ gate: TriggerGate, while ranges: Range<Int>..., until end: Int) -> [Int] {
        var gate = gate
        return (0..<end).filter { tenth in
            let time = Timestamp.zero.advanced(by: .milliseconds(100 * tenth))
            return gate.fires(ranges.contains { $0.contains(tenth) }, at: time)
        }
    }

    @Test("a condition fires once each time that it begins")
    func edges() {
        let gate = TriggerGate(hold: .zero, distance: .zero)
        #expect(firings(gate, while: 3..<9, 12..<13, until: 20) == [3, 12])
    }

    @Test("a condition that is too short does not fire, and one that never ends fires once")
    func holding() {
        let gate = TriggerGate(hold: .seconds(1), distance: .zero)
        #expect(firings(gate, while: 0..<9, 20..<900, until: 900) == [30])
    }

    @Test("a condition that comes again too soon fires when the distance is over, if it still holds")
    func distance() {
        let gate = TriggerGate(hold: .zero, distance: .seconds(2))
        #expect(firings(gate, while: 0..<2, 4..<6, 10..<50, until: 60) == [0, 20])
    }
}
