package import CV4L2
package import PipFrames
package import SystemPackage

/// A scripted camera: the driver's side of a test.
package struct FakeCamera: Sendable {
    /// A driver's way of listing its sizes.
    package enum Sizes: Sendable {
        case discrete([PixelSize])
        case stepwise(minimum: PixelSize, maximum: PixelSize, step: PixelSize)
        case continuous(minimum: PixelSize, maximum: PixelSize)
        /// The driver lists none, as for HDMI inputs.
        case unlisted
    }

    /// A driver's way of listing its rates.
    package enum Rates: Sendable {
        case discrete([FrameRate])
        case continuous(slowest: FrameRate, fastest: FrameRate)
        case unlisted
    }

    package struct Format: Sendable {
        package var fourCC: FourCC
        package var sizes: Sizes
        package var rates: Rates
        /// The rates of single sizes, in place of `rates`.
        package var ratesBySize: [PixelSize: [FrameRate]] = [:]
        package var isEmulated = false

        package init(_ fourCC: String, sizes: Sizes, rates: Rates = .discrete([FrameRate(30)])) {
            self.fourCC = FourCC(fourCC)
            self.sizes = sizes
            self.rates = rates
        }

        /// A format of one size, at 30 frames a second.
        package init(_ fourCC: String, _ width: Int, _ height: Int) {
            self.init(fourCC, sizes: .discrete([PixelSize(width, height)]))
        }
    }

    package struct Control: Sendable {
        package var id: UInt32
        package var name: String
        package var type: v4l2_ctrl_type
        package var minimum = 0
        package var maximum = 100
        package var step = 1
        package var defaultValue = 0
        package var value = 0
        package var flags: UInt32 = 0
        /// The menu entries, keyed by value: a name, or a number for an integer menu.
        package var menu: [Int: String] = [:]

        package init(
            _ id: UInt32, _ name: String, _ type: v4l2_ctrl_type = V4L2_CTRL_TYPE_INTEGER,
            _ range: ClosedRange<Int> = 0...100, value: Int = 0
        ) {
            self.id = id
            self.name = name
            self.type = type
            minimum = range.lowerBound
            maximum = range.upperBound
            self.value = value
        }
    }

    package struct USB: Sendable {
        package var vendor = "046d"
        package var product = "0825"
        package var serial: String?
        package var manufacturer: String?
        package var name: String?

        package init(serial: String?) { self.serial = serial }
    }

    package var card = "Fake Camera"
    package var driver = "uvcvideo"
    package var busInfo = "usb-0000:00:14.0-1"
    /// The capabilities of the node, `device_caps`.
    package var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    package var formats: [Format]
    package var controls: [Control] = []
    /// False for a driver that sets one control at a time.
    package var hasExtendedControls = true
    /// The control that the device itself refuses among others; nil for none.
    package var stalledControl: UInt32?
    /// True when another program has reserved the camera's settings, `V4L2_PRIORITY_RECORD`.
    package var isReserved = false
    /// True for a driver that reports controls that the camera changes.
    package var tellsControls = false
    /// True for a driver that resets its controls when its format is set.
    package var forgetsControls = false
    package var usb: USB?
    package var index = 0
    /// The target of the link `/sys/class/video4linux/videoN`.
    package var sysfsLink: String?

    /// The size of a sensor that can be cropped; nil for one that always reads all.
    package var sensor: PixelSize?
    /// The present crop; nil for the whole sensor.
    package var crop: v4l2_rect?
    /// False for a driver without a scaler, whose pictures are as large as the crop.
    package var scales = true

    /// True for a driver with `V4L2_CAP_TIMEPERFRAME`.
    package var canSetRate = true
    /// The only rates that `VIDIOC_S_PARM` really sets; empty takes any.
    package var trueRates: [FrameRate] = []
    /// The multiple to which sizes are rounded up.
    package var sizeStep = PixelSize(1, 1)
    /// The multiple to which strides are rounded up.
    package var strideStep = 1
    /// The bytes before the picture in multi-planar buffers.
    package var dataOffset = 0
    /// The pixel format that the driver sets for any request; nil sets the requested one.
    package var forcedFormat: FourCC?
    /// The bytes added to `sizeimage`; a negative number makes buffers too small.
    package var extraBytes = 0
    /// The most buffers that the driver provides.
    package var bufferLimit = 32
    /// The number of buffers that the driver exports as dma-bufs.
    package var exportLimit = 0
    /// The names and functions of a media device's parts.
    package var parts: [(name: String, function: UInt32)]?
    /// The field order in place of progressive pictures.
    package var field = V4L2_FIELD_NONE
    /// The field order when both fields are requested at once; nil for the same.
    package var weavesFields: v4l2_field?
    /// The standard of the signal; nil for a camera without one.
    package var standard: v4l2_std_id?
    /// True for a driver that converts colours on request.
    package var convertsColors = false
    package var colorspace = V4L2_COLORSPACE_SRGB.rawValue
    package var encoding: UInt32 = 0
    package var quantization: UInt32 = 0
    package var transfer: UInt32 = 0
    /// The clock of the timestamps.
    package var timestampFlags = UInt32(
        V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    /// The signal at a digital input.
    package var signal: (size: PixelSize, rate: FrameRate)?
    /// The error of a digital input without a signal; nil with one.
    package var signalError: Errno?
    /// The error of opening the node; nil for success.
    package var openError: Errno?
    /// The behaviour as a device of v4l2loopback; nil for a camera.
    package var loopback: FakeLoopback?
    package var groupID: UInt32 = 44
    package var mode: UInt32 = 0o660

    package init(formats: [Format] = [Format("YUYV", 640, 480)]) { self.formats = formats }

    package var isMultiPlanar: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }

    /// A camera behind the multi-planar interface.
    package static func multiPlanar(_ formats: [Format]) -> FakeCamera {
        var camera = FakeCamera(formats: formats)
        camera.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING)
        return camera
    }
}

/// One frame that a scripted camera delivers.
package struct FakeFrame: Sendable {
    /// The contents of every plane; short data leaves the rest as it was.
    package enum Content: Sendable {
        case fill(UInt8)
        case data([UInt8])
    }

    package var content: Content
    /// The value for `bytesused` of the first plane, in place of the right one.
    package var bytesUsed: Int?
    package var flags: UInt32 = 0
    /// The sequence number in place of the next one.
    package var sequence: UInt32?
    /// The timestamp in place of the fake clock's time.
    package var timestamp: Timestamp?
    /// The buffer's index in place of the right one.
    package var index: UInt32?

    package init(_ content: Content = .fill(0)) { self.content = content }

    /// A compressed frame of exactly these bytes.
    package static func compressed(_ bytes: [UInt8]) -> FakeFrame {
        var frame = FakeFrame(.data(bytes))
        frame.bytesUsed = bytes.count
        return frame
    }
}
