internal import CV4L2
public import PipFrames

/// The part of its sensor of which a camera makes its pictures.
///
/// A zoom that takes nothing from them, as long as the part has as many pixels as they.
///
/// Source: Linux userspace API, "Cropping, composing and scaling: the SELECTION API".
struct SensorCrop {
    private let device: V4L2Device
    private let bufferType: v4l2_buf_type
    private let whole: v4l2_rect

    /// Nil for a camera that reads all of its sensor, or does not say what it reads.
    init?(_ device: V4L2Device, _ bufferType: v4l2_buf_type) {
        guard let whole = Self.rectangle(UInt32(V4L2_SEL_TGT_CROP_DEFAULT), of: device), whole.width > 0,
            whole.height > 0, Self.rectangle(UInt32(V4L2_SEL_TGT_CROP), of: device) != nil
        else { return nil }
        self.device = device
        self.bufferType = bufferType
        self.whole = whole
    }

    /// The size of all of it.
    var size: PixelSize { PixelSize(Int(whole.width), Int(whole.height)) }

    /// The factor of the part that is read now.
    var factor: Double {
        guard let part = Self.rectangle(UInt32(V4L2_SEL_TGT_CROP), of: device), part.width > 0, part.height > 0 else {
            return 1
        }
        return min(Double(whole.width) / Double(part.width), Double(whole.height) / Double(part.height))
    }

    /// Reads the middle only, as large as a factor leaves it; a driver without a scaler, whose pictures would become
    /// smaller, reads all of it.
    ///
    /// - Parameter factor: 1 for all of it.
    func zoom(_ factor: Double) {
        let (width, height) = (Double(whole.width) / factor, Double(whole.height) / factor)
        // Even, for the chroma of formats that have half of it.
        let part = v4l2_rect(
            left: whole.left + Int32((Double(whole.width) - width) / 4) * 2,
            top: whole.top + Int32((Double(whole.height) - height) / 4) * 2,
            width: UInt32(max(2, width / 2)) * 2, height: UInt32(max(2, height / 2)) * 2)
        guard let before = pictureSize, set(factor > 1 ? part : whole) else { return }
        if pictureSize != before { _ = set(whole) }
    }

    private func set(_ rectangle: v4l2_rect) -> Bool {
        var selection = Self.selection(UInt32(V4L2_SEL_TGT_CROP))
        selection.r = rectangle
        return device.perform(.setSelection, &selection) == nil
    }

    /// The size of the pictures; nil when the driver does not say.
    private var pictureSize: PixelSize? {
        var format = unsafe v4l2_format()
        unsafe format.type = bufferType.rawValue
        guard unsafe device.perform(.getFormat, &format) == nil else { return nil }
        // The single- and the multi-planar structure both begin with width and height.
        return unsafe PixelSize(Int(format.fmt.pix.width), Int(format.fmt.pix.height))
    }

    private static func rectangle(_ target: UInt32, of device: V4L2Device) -> v4l2_rect? {
        var selection = selection(target)
        return device.perform(.getSelection, &selection) == nil ? selection.r : nil
    }

    /// Of the type for one plane, which drivers with several take for this call, too.
    private static func selection(_ target: UInt32) -> v4l2_selection {
        var selection = v4l2_selection()
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = target
        return selection
    }
}

/// How far a camera zooms by itself, and from where on a picture is enlarged.
public struct CameraZoom: Sendable, Hashable {
    /// The largest factor of its lens, or of what its driver calls so; 1 for none.
    public let lens: Double
    /// The pixels of the sensor of which it can read a part; nil where it always reads all.
    public let sensor: PixelSize?

    /// The factor from which pictures of a size are enlarged: they have more pixels then than what is read of the
    /// sensor.
    ///
    /// - Parameter pictures: The size that the camera delivers, or for a crop of its pictures the size that is drawn.
    /// - Returns: The factor; 1 where every zoom enlarges.
    public func enlarges(_ pictures: PixelSize) -> Double {
        guard let sensor, pictures.area > 0 else { return lens }
        let spare = min(
            Double(sensor.width) / Double(pictures.width), Double(sensor.height) / Double(pictures.height))
        return lens * max(1, spare)
    }
}

extension ControlAccess {
    /// What the camera can zoom by itself.
    func zoom(_ bufferType: v4l2_buf_type) -> CameraZoom {
        CameraZoom(lens: lensZoom, sensor: SensorCrop(device, bufferType)?.size)
    }

    /// Reads as much of the sensor as a zoom leaves to it beyond the lens.
    ///
    /// - Returns: The factor that comes of it; 1 for a camera that always reads all.
    func zoomSensor(_ factor: Double, _ bufferType: v4l2_buf_type) -> Double {
        guard let crop = SensorCrop(device, bufferType) else { return 1 }
        crop.zoom(max(1, factor / lensZoom))
        return crop.factor
    }

    /// The largest factor of the lens; 1 where it has none.
    var lensZoom: Double { control(UInt32(V4L2_CID_ZOOM_ABSOLUTE))?.zoomFactors?.upperBound ?? 1 }
}
