package import CV4L2
package import PipFrames
package import SystemPackage

/// The properties of a fake camera, which determine the answers of its fake driver.
package struct FakeCamera: Sendable {
    /// The way in which a driver lists its frame sizes.
    package enum Sizes: Sendable {
        case discrete([PixelSize])
        case stepwise(minimum: PixelSize, maximum: PixelSize, step: PixelSize)
        case continuous(minimum: PixelSize, maximum: PixelSize)
        /// The driver lists no sizes, as is usual for HDMI inputs.
        case unlisted
    }

    /// The way in which a driver lists its frame rates.
    package enum Rates: Sendable {
        case discrete([FrameRate])
        case continuous(slowest: FrameRate, fastest: FrameRate)
        case unlisted
    }

    package struct Format: Sendable {
        package var fourCC: FourCC
        package var sizes: Sizes
        package var rates: Rates
        /// The frame rates of some sizes, keyed by size, which override `rates`.
        package var ratesBySize: [PixelSize: [FrameRate]] = [:]
        package var isEmulated = false

        package init(_ fourCC: String, sizes: Sizes, rates: Rates = .discrete([FrameRate(30)])) {
            self.fourCC = FourCC(fourCC)
            self.sizes = sizes
            self.rates = rates
        }

        /// A format with one size and the rate of 30 frames a second.
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
        /// The entries of a menu, keyed by value.
        ///
        /// The text of an entry of an integer menu is a number.
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
    /// The capabilities of the node, `device_caps` of `v4l2_capability`.
    package var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
    package var formats: [Format]
    package var controls: [Control] = []
    /// False for a driver that can set only one control with each call.
    package var hasExtendedControls = true
    /// The control that the device refuses although the driver accepts it; nil for none.
    package var stalledControl: UInt32?
    /// True when another program has the priority `V4L2_PRIORITY_RECORD`, so that settings are refused.
    package var isReserved = false
    /// True for a driver that sends events about controls that the camera changes itself.
    package var tellsControls = false
    /// True for a driver that resets its controls when a format is set.
    package var forgetsControls = false
    package var usb: USB?
    package var index = 0
    /// The target of the link `/sys/class/video4linux/videoN`; nil for no link.
    package var sysfsLink: String?

    /// The size of a sensor that can be cropped, in pixels; nil for a sensor that always reads all pixels.
    package var sensor: PixelSize?
    /// The current crop; nil for the whole sensor.
    package var crop: v4l2_rect?
    /// False for a driver that cannot scale, so that pictures have the size of the crop.
    package var scales = true

    /// False for a driver that fails `VIDIOC_G_PARM` and `VIDIOC_S_PARM` with `ENOTTY`.
    package var canSetRate = true
    /// The frame rates from which `VIDIOC_S_PARM` chooses the nearest; an empty list means any rate.
    package var trueRates: [FrameRate] = []
    /// The step to which the driver rounds sizes up.
    package var sizeStep = PixelSize(1, 1)
    /// The step to which the driver rounds strides up, in bytes.
    package var strideStep = 1
    /// The number of bytes before the picture in multi-planar buffers, `data_offset`.
    package var dataOffset = 0
    /// The pixel format that the driver always sets; nil for the requested format, or the first one if `formats` lacks
    /// the requested format.
    package var forcedFormat: FourCC?
    /// The number of bytes added to `sizeimage`.
    ///
    /// A negative number makes buffers too small.
    package var extraBytes = 0
    /// The largest number of buffers that the driver provides.
    package var bufferLimit = 32
    /// The number of buffers that the driver can export as dma-bufs.
    package var exportLimit = 0
    /// The names and functions of the media device's entities; nil for a camera without a media device.
    package var parts: [(name: String, function: UInt32)]?
    /// The field order of the pictures.
    package var field = V4L2_FIELD_NONE
    /// The field order when a program requests another order than `V4L2_FIELD_NONE`; nil for `field`.
    package var weavesFields: v4l2_field?
    /// The video standard of the signal, such as PAL; nil for a camera without a video standard.
    package var standard: v4l2_std_id?
    /// True for a driver that converts to a requested colour space.
    package var convertsColors = false
    package var colorspace = V4L2_COLORSPACE_SRGB.rawValue
    package var encoding: UInt32 = 0
    package var quantization: UInt32 = 0
    package var transfer: UInt32 = 0
    /// The buffer flags that tell the clock and the moment of the timestamps.
    package var timestampFlags = UInt32(
        V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    /// The signal at a digital input; nil for a camera without a digital input.
    package var signal: (size: PixelSize, rate: FrameRate)?
    /// The error of a digital input without a valid signal; nil for a valid signal.
    package var signalError: Errno?
    /// The error with which opening the node fails; nil for success.
    package var openError: Errno?
    /// The state of a v4l2loopback device; nil for a camera.
    package var loopback: FakeLoopback?
    package var groupID: UInt32 = 44
    package var mode: UInt32 = 0o660

    package init(formats: [Format] = [Format("YUYV", 640, 480)]) { self.formats = formats }

    package var isMultiPlanar: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }

    /// A camera with the multi-planar interface.
    package static func multiPlanar(_ formats: [Format]) -> FakeCamera {
        var camera = FakeCamera(formats: formats)
        camera.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING)
        return camera
    }
}

/// A frame that a fake camera delivers, with its deviations from a correct frame.
package struct FakeFrame: Sendable {
    /// The contents of every plane.
    ///
    /// The bytes after short data are unchanged.
    package enum Content: Sendable {
        case fill(UInt8)
        case data([UInt8])
    }

    package var content: Content
    /// The value of `bytesused` of the first plane; nil for the plane's whole length.
    package var bytesUsed: Int?
    package var flags: UInt32 = 0
    /// The sequence number; nil for the next number.
    package var sequence: UInt32?
    /// The timestamp; nil for the fake kernel's time.
    package var timestamp: Timestamp?
    /// The index of the buffer that the driver reports; nil for the correct index.
    package var index: UInt32?

    package init(_ content: Content = .fill(0)) { self.content = content }

    /// A compressed frame of exactly these bytes.
    package static func compressed(_ bytes: [UInt8]) -> FakeFrame {
        var frame = FakeFrame(.data(bytes))
        frame.bytesUsed = bytes.count
        return frame
    }
}
