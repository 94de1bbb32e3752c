internal import CV4L2
public import PipFrames

/// The crop rectangle of a camera's sensor.
///
/// Cropping the sensor zooms without loss while the rectangle has at least as many pixels as the pictures.
///
/// Source: Linux userspace API, "Cropping, composing and scaling: the SELECTION API".
struct SensorCrop {
    private let device: V4L2Device
    private let bufferType: v4l2_buf_type
    private let whole: v4l2_rect

    /// Queries the sensor's crop; returns nil for a camera that always reads the whole sensor, or does not report its
    /// crop.
    init?(_ device: V4L2Device, _ bufferType: v4l2_buf_type) {
        guard let whole = Self.rectangle(UInt32(V4L2_SEL_TGT_CROP_DEFAULT), of: device), whole.width > 0,
            whole.height > 0, Self.rectangle(UInt32(V4L2_SEL_TGT_CROP), of: device) != nil
        else { return nil }
        self.device = device
        self.bufferType = bufferType
        self.whole = whole
    }

    /// The size of the whole sensor, in pixels.
    var size: PixelSize { PixelSize(Int(whole.width), Int(whole.height)) }

    /// The present zoom factor: the ratio of the whole sensor's width to the crop's, or of their heights if that ratio
    /// is lower.
    ///
    /// 1 when the driver does not report the crop.
    var factor: Double {
        guard let part = Self.rectangle(UInt32(V4L2_SEL_TGT_CROP), of: device), part.width > 0, part.height > 0 else {
            return 1
        }
        return min(Double(whole.width) / Double(part.width), Double(whole.height) / Double(part.height))
    }

    /// Crops the sensor around its centre.
    ///
    /// A driver without a scaler would deliver smaller pictures. Such a driver gets the whole sensor back.
    ///
    /// - Parameter factor: The zoom factor; 1 reads the whole sensor.
    func zoom(_ factor: Double) {
        let (width, height) = (Double(whole.width) / factor, Double(whole.height) / factor)
        // Formats with subsampled chroma need even positions and sizes.
        let part = v4l2_rect(
            left: whole.left + Int32((Double(whole.width) - width) / 4) * 2,
            top: whole.top + Int32((Double(whole.height) - height) / 4) * 2,
            width: UInt32(max(2, width / 2)) * 2, height: UInt32(max(2, height / 2)) * 2)
        guard let before = device.pictureSize(bufferType), set(factor > 1 ? part : whole) else { return }
        if device.pictureSize(bufferType) != before { _ = set(whole) }
    }

    private func set(_ rectangle: v4l2_rect) -> Bool {
        var selection = Self.selection(UInt32(V4L2_SEL_TGT_CROP))
        selection.r = rectangle
        return device.perform(.setSelection, &selection) == nil
    }

    private static func rectangle(_ target: UInt32, of device: V4L2Device) -> v4l2_rect? {
        var selection = selection(target)
        return device.perform(.getSelection, &selection) == nil ? selection.r : nil
    }

    /// A request for one of the driver's selection rectangles.
    ///
    /// Multi-planar drivers accept the single-planar buffer type for this call, too.
    private static func selection(_ target: UInt32) -> v4l2_selection {
        var selection = v4l2_selection()
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = target
        return selection
    }
}

/// The zoom range of a camera's own lens and sensor.
public struct CameraZoom: Sendable, Hashable {
    /// The zoom control's largest factor; 1 when the camera has no zoom control, or one that cannot be set or has no
    /// unit.
    public let lens: Double
    /// The size of a sensor that the camera can crop; nil for a camera that always reads the whole sensor.
    public let sensor: PixelSize?

    /// The largest zoom factor without upscaling: beyond it, a crop of the sensor or of the pictures has fewer pixels
    /// than the pictures.
    ///
    /// - Parameter pictures: The size of the camera's pictures, or the drawn size for a crop of the pictures.
    /// - Returns: The factor; 1 when every zoom upscales.
    public func enlarges(_ pictures: PixelSize) -> Double {
        guard let sensor, pictures.area > 0 else { return lens }
        let spare = min(
            Double(sensor.width) / Double(pictures.width), Double(sensor.height) / Double(pictures.height))
        return lens * max(1, spare)
    }
}

extension ControlAccess {
    /// The camera's own zoom range.
    func zoom(_ bufferType: v4l2_buf_type) -> CameraZoom {
        CameraZoom(lens: lensZoom, sensor: SensorCrop(device, bufferType)?.size)
    }

    /// Crops the sensor by the part of a zoom factor that exceeds the zoom control's range.
    ///
    /// - Returns: The sensor's zoom factor; 1 for a camera that always reads the whole sensor.
    func zoomSensor(_ factor: Double, _ bufferType: v4l2_buf_type) -> Double {
        guard let crop = SensorCrop(device, bufferType) else { return 1 }
        crop.zoom(max(1, factor / lensZoom))
        return crop.factor
    }

    /// The zoom control's largest factor; 1 when the camera has no zoom control, or one that cannot be set or has no
    /// unit.
    var lensZoom: Double { control(UInt32(V4L2_CID_ZOOM_ABSOLUTE))?.zoomFactors?.upperBound ?? 1 }
}
