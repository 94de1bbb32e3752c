internal import PipFrames

/// The bandwidth that cameras need on one bus controller, and the bandwidth that the bus has.
public struct BusLoad: Hashable, Sendable, CustomStringConvertible {
    /// The controller's name, from V4L2's `bus_info`: `usb-0000:00:14.0`.
    public let controller: String
    /// The sum of the cameras' estimated data rates.
    ///
    /// Units: bytes a second.
    public let bytesPerSecond: Double
    /// The bandwidth of the bus for periodic transfers.
    ///
    /// Units: bytes a second.
    public let budget: Double

    /// The share of ``budget`` that the cameras need; above 1, the streams are not expected to fit.
    public var cost: Double { bytesPerSecond / budget }

    public var description: String {
        func megabytes(_ bytes: Double) -> String { String(Double((bytes / 1e5).rounded()) / 10) }
        return "\(controller): \(megabytes(bytesPerSecond)) of \(megabytes(budget)) MB/s"
    }

    /// The bandwidth of a USB bus for periodic transfers.
    ///
    /// - Parameter speed: The link's speed in megabits a second, as in sysfs: 12, 480, 5000.
    /// - Returns: The bandwidth. Units: bytes a second.
    ///
    /// Source: USB 2.0, 5.6.4: at most 90 % of full speed and 80 % of high speed are for periodic transfers; USB 3.2,
    /// 4.4.8: 90 %, of which 8b/10b coding leaves four fifths.
    static func budget(ofSpeed speed: Int) -> Double {
        let bytes = Double(speed) * 1e6 / 8
        if speed >= 5000 { return bytes * 0.8 * 0.9 }
        return speed >= 480 ? bytes * 0.8 : bytes * 0.9
    }
}

extension CameraMode {
    /// The estimated data rate of the mode on a bus.
    ///
    /// Units: bytes a second.
    ///
    /// An uncompressed format counts with all bits of its pixels. H.264 and H.265 count with a quarter of a bit a
    /// pixel, and all other formats with two bits: detailed scenes need that much. An unknown frame rate counts as 30.
    var bytesPerSecond: Double {
        let bits: Double =
            switch DeviceFormat(format) {
            case .native(let pixelFormat, _)?: Double(FrameLayout(pixelFormat, PixelSize(16, 16)).payloadByteCount) / 32
            case .video: 0.25
            case let format: format?.raw.map { Double($0.total) } ?? 2
            }
        return Double(size.area) * bits / 8 * (frameRate ?? CameraWish.defaultFrameRate).framesPerSecond
    }
}
