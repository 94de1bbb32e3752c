import Testing

@testable import PipFrames

struct FrameInputsTests {
    @Test("all inputs are kept, and found by their source", arguments: [0, 1, 4, 5, 9])
    func all(count: Int) {
        var inputs = FrameInputs()
        let sources = (0..<count).map { _ in NodeID() }
        for (index, source) in sources.enumerated() {
            let time = Timestamp(nanoseconds: Int64(index) * 1000)
            inputs.append(FrameInput(source: source, timestamp: time, sequence: UInt64(index)))
        }
        #expect(inputs.map(\.source) == sources)
        #expect(inputs.map(\.sequence) == (0..<count).map(UInt64.init))
        for source in sources { #expect(inputs[source]?.source == source) }
        #expect(inputs[NodeID()] == nil)
        #expect(inputs.skew == (count < 2 ? nil : .microseconds(count - 1)))
        #expect(inputs.of(sources.suffix(1)).map(\.source) == sources.suffix(1))
    }
}
