import PipCapture
import PipConcurrency
import PipFrames
import PipSinks
import PipTestSupport
import SystemPackage
import Testing

@testable import PipVirtualCamera

/// A scripted kernel, and writers to its virtual cameras.
struct LoopbackRig {
    static let path = "/dev/video10"
    static let size = PixelSize(6, 4)
    var kernel = FakeKernel()

    func writer(
        _ format: PixelFormat = .i420, _ target: VirtualCameraName = .path(path)
    ) throws -> VirtualCameraWriter {
        try VirtualCameraWriter("out", target, format: format, calls: kernel)
    }

    /// A frame whose samples count up, with padding after each row.
    func frame(_ format: PixelFormat, _ timestamp: Timestamp? = nil, size: PixelSize = size) -> Frame {
        let layout = FrameLayout(format, size, stride: size.width + 10)
        return countingFrame(
            FrameInfo(layout: layout, colorimetry: .bt601, timestamp: timestamp ?? kernel.now))
    }

    func open(
        _ writer: VirtualCameraWriter, size: PixelSize = size, rate: FrameRate = FrameRate(25)
    ) throws {
        try writer.open(frame(writer.request.format, size: size).info, rate: rate)
    }

    func refusal(_ format: PixelFormat = .i420, _ target: VirtualCameraName = .path(path)) throws -> String {
        let error = try #require(throws: SinkError.self) { try open(try writer(format, target)) }
        #expect(kernel.openDescriptorCount == 0 && kernel.mappingCount == 0)
        return error.description
    }

    func holds(_ path: String, _ name: String, process: Int = 4711) {
        kernel.setText(name, of: "/proc/\(process)/comm")
        kernel.setFolder("/proc", ["\(process)", "self"])
        kernel.setFolder("/proc/\(process)/fd", ["9"])
        kernel.setLink("/proc/\(process)/fd/9", to: path)
    }
}
