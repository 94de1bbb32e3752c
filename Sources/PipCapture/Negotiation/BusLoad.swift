internal import PipFrames

/// The isochronous bandwidth that cameras demand of one bus controller.
public struct BusLoad: Hashable, Sendable, CustomStringConvertible {
    /// The controller in the driver's words: `usb-0000:00:14.0`.
    public let controller: String
    /// The sum of the cameras' data rates.
    public let bytesPerSecond: Double
    /// The bus's limit for periodic transfers.
    ///
    /// Units: bytes a second.
    public let budget: Double

    /// The demanded share of the budget; above 1 the streams do not fit.
    public var cost: Double { bytesPerSecond / budget }

    public var description: String {
        func megabytes(_ bytes: Double) -> String { String(Double((bytes / 1e5).rounded()) / 10) }
        return "\(controller): \(megabytes(bytesPerSecond)) of \(megabytes(budget)) MB/s"
    }

    /// The bandwidth of a USB bus for periodic transfers.
    ///
    /// - Parameter speed: The link's speed in megabits a second, as sysfs has it: 12, 480, 5000.
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
    /// The mode's data rate on a bus.
    ///
    /// Units: bytes a second.
    ///
    /// The estimate for JPEG is two bits a pixel, and for video a quarter of one, as cameras need for a detailed scene.
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
