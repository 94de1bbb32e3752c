import PipFrames
import PipTestSupport

@testable import PipSinks

/// A frame whose samples count up from a value, and whose padding is 0xee.
func makeFrame(_ layout: FrameLayout, from first: UInt8 = 0, sequence: UInt64 = 0) -> Frame {
    countingFrame(FrameInfo(layout: layout, colorimetry: .bt709, sequence: sequence), from: first)
}

/// The contents of a frame of `makeFrame`, without padding.
func counted(_ layout: FrameLayout, from first: UInt8 = 0) -> [UInt8] {
    (0..<layout.payloadByteCount).map { first &+ UInt8(truncatingIfNeeded: $0) }
}
