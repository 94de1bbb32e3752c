import Foundation
import PipFrames

@testable import PipSinks

/// A folder that goes with the test.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("pip-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func contents(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appendingPathComponent(name))) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: url.appendingPathComponent(name)) }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    func pipe(_ name: String) throws -> String {
        let path = path(name)
        guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        return path
    }
}

/// A frame whose samples count up from a value, and whose padding is 0xee.
func makeFrame(_ layout: FrameLayout, from first: UInt8 = 0, sequence: UInt64 = 0) -> Frame {
    let buffer = FrameBuffer(layout)
    var value = first
    for (index, plane) in layout.planes.enumerated() {
        let bytes = unsafe buffer.mutableBytes(ofPlane: index)
        for row in 0..<plane.dimensions.height {
            for byte in 0..<plane.strideInBytes {
                unsafe bytes[plane.offset + row * plane.strideInBytes + byte] = byte < plane.rowBytes ? value : 0xee
                if byte < plane.rowBytes { value &+= 1 }
            }
        }
    }
    return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709, sequence: sequence), buffer: buffer)
}

/// What a frame of `makeFrame` holds, without padding.
func counted(_ layout: FrameLayout, from first: UInt8 = 0) -> [UInt8] {
    (0..<layout.payloadByteCount).map { first &+ UInt8(truncatingIfNeeded: $0) }
}
