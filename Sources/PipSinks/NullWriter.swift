package import PipConcurrency
package import PipFrames

/// A writer that discards frames, for measuring the pipeline without the cost of an output.
package final class NullWriter: FrameWriter {
    package let name: String
    package let request: SinkRequest
    package let interruption = Interruption()

    package init(name: String = "null:", request: SinkRequest = SinkRequest(format: .i420)) {
        self.name = name
        self.request = request
    }

    package func open(_ info: FrameInfo, rate: FrameRate) throws(SinkError) { try check(info) }

    package func write(_ frame: Frame) {}

    package func finish() {}
}
