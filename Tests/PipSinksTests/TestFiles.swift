import PipFrames
import PipTestSupport

@testable import PipSinks

/// A frame whose samples count up from `first`, and whose padding bytes are 0xee.
func makeFrame(_ layout: FrameLayout, from first: UInt8 = 0, sequence: UInt64 = 0) -> Frame {
    countingFrame(FrameInfo(layout: layout, colorimetry: .bt709, sequence: sequence), from: first)
}

/// The contents of a frame that `makeFrame` makes, without padding.
func counted(_ layout: FrameLayout, from first: UInt8 = 0) -> [UInt8] {
    (0..<layout.payloadByteCount).map { first &+ UInt8(truncatingIfNeeded: $0) }
}
