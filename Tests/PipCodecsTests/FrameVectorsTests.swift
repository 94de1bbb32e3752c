import Glibc
import PipCodecs
import PipFrames
import PipTestSupport
import Testing

@Suite struct FrameVectorsTests {
    /// Transfers all bytes, at most `step` at once, as a pipe would.
    private func drain(_ vectors: inout FrameVectors, step: Int) -> [UInt8] {
        var all: [UInt8] = []
        while vectors.remaining > 0 {
            _ = unsafe vectors.transfer { entries, count in
                guard count > 0, let entry = unsafe entries?.pointee else { return -1 }
                let bytes = unsafe UnsafeRawBufferPointer(start: entry.iov_base, count: min(step, entry.iov_len))
                unsafe all.append(contentsOf: bytes)
                return bytes.count
            }
        }
        return all
    }

    @Test("planes are written without padding, however few bytes each call takes", arguments: [1, 5, 1000])
    func planes(step: Int) {
        let frame = makeFrame(FrameLayout(.i420, PixelSize(7, 5), stride: 32)) { plane, byte, row in
            UInt8(100 * plane + 10 * row + byte)
        }
        var vectors = FrameVectors()
        vectors.append(frame.buffer, frame.layout)
        #expect(vectors.remaining == frame.layout.payloadByteCount)
        #expect(drain(&vectors, step: step) == (0..<3).flatMap { samples(frame, plane: $0) })
    }

    @Test("a frame without padding is one entry; one with padding has an entry a row, 1024 at most in a call")
    func entries() {
        var counts: [Int32] = []
        for stride in [nil, 8] {
            let layout = FrameLayout(.gray, PixelSize(4, 3000), stride: stride)
            let buffer = FrameBuffer(layout)
            var vectors = FrameVectors()
            vectors.append(buffer, layout)
            _ = unsafe vectors.transfer { _, count in
                counts.append(count)
                return 0
            }
        }
        #expect(counts == [1, 1024])
    }
}
