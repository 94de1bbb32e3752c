internal import PipFrames

/// The isochronous bandwidth that cameras demand of one bus controller.
public struct BusLoad: Hashable, Sendable, CustomStringConvertible {
    /// The controller, in the driver's words: `usb-0000:00:14.0`.
    public let controller: String
    /// The sum of the cameras' data rates.
    public let bytesPerSecond: Double
    /// The most that the bus reserves for periodic transfers, in bytes a second.
    public let budget: Double

    /// The share of the budget that is asked for; above 1 it will not fit.
    public var cost: Double { bytesPerSecond / budget }

    public var description: String {
        func megabytes(_ bytes: Double) -> String { String(Double((bytes / 1e5).rounded()) / 10) }
        return "\(controller): \(megabytes(bytesPerSecond)) of \(megabytes(budget)) MB/s"
    }

    /// The periodic bandwidth of a USB bus.
    ///
    /// - Parameter speed: The link's speed in megabits a second, as sysfs has it: 12, 480, 5000.
    /// - Returns: Bytes a second.
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
    /// Bytes that a second of it takes on a bus.
    ///
    /// JPEG pictures are taken for two bits a pixel, and those of video for a quarter of one: what cameras make of a
    /// detailed scene.
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
