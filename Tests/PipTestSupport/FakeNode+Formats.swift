internal import CV4L2
internal import PipFrames
internal import SystemPackage

extension FakeNode {
    func enumerateFormats(_ entry: inout v4l2_fmtdesc) -> Errno? {
        let type = camera.isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
        guard entry.type == type.rawValue, entry.index < camera.formats.count else { return .invalidArgument }
        let format = camera.formats[Int(entry.index)]
        entry.pixelformat = format.fourCC.rawValue
        entry.flags = format.isEmulated ? UInt32(V4L2_FMT_FLAG_EMULATED) : 0
        if camera.convertsColors { entry.flags |= UInt32(V4L2_FMT_FLAG_CSC_COLORSPACE | V4L2_FMT_FLAG_CSC_XFER_FUNC) }
        return nil
    }

    func enumerateSizes(_ entry: inout v4l2_frmsizeenum) -> Errno? {
        guard let format = camera.formats.first(where: { $0.fourCC.rawValue == entry.pixel_format })
        else { return .invalidArgument }
        func range(_ low: PixelSize, _ high: PixelSize, _ step: PixelSize) -> v4l2_frmsize_stepwise {
            v4l2_frmsize_stepwise(
                min_width: UInt32(low.width), max_width: UInt32(high.width), step_width: UInt32(step.width),
                min_height: UInt32(low.height), max_height: UInt32(high.height), step_height: UInt32(step.height))
        }
        switch format.sizes {
        case .unlisted: return .inappropriateIOCTLForDevice
        case .discrete(let sizes):
            guard entry.index < sizes.count else { return .invalidArgument }
            entry.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            entry.discrete.width = UInt32(sizes[Int(entry.index)].width)
            entry.discrete.height = UInt32(sizes[Int(entry.index)].height)
        case .stepwise(let low, let high, let step):
            guard entry.index == 0 else { return .invalidArgument }
            entry.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
            entry.stepwise = range(low, high, step)
        case .continuous(let low, let high):
            guard entry.index == 0 else { return .invalidArgument }
            entry.type = V4L2_FRMSIZE_TYPE_CONTINUOUS.rawValue
            entry.stepwise = range(low, high, PixelSize(1, 1))
        }
        return nil
    }

    func enumerateIntervals(_ entry: inout v4l2_frmivalenum) -> Errno? {
        guard let format = camera.formats.first(where: { $0.fourCC.rawValue == entry.pixel_format })
        else { return .invalidArgument }
        let single = format.ratesBySize[PixelSize(Int(entry.width), Int(entry.height))]
        switch single.map({ .discrete($0) }) ?? format.rates {
        case .unlisted: return .inappropriateIOCTLForDevice
        case .discrete(let rates):
            guard entry.index < rates.count else { return .invalidArgument }
            entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            entry.discrete = rates[Int(entry.index)].asInterval
        case .continuous(let slowest, let fastest):
            guard entry.index == 0 else { return .invalidArgument }
            entry.type = V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
            entry.stepwise = v4l2_frmival_stepwise(
                min: fastest.asInterval, max: slowest.asInterval, step: v4l2_fract(numerator: 1, denominator: 1))
        }
        return nil
    }

    /// Answers like ``setFormat(_:)``, even while streaming, but changes nothing.
    @unsafe func tryFormat(_ argument: inout v4l2_format) -> Errno? {
        var node = self
        node.buffers = []
        return unsafe node.setFormat(&argument)
    }

    @unsafe mutating func setFormat(_ argument: inout v4l2_format) -> Errno? {
        guard buffers.isEmpty else { return .resourceBusy }
        if camera.forgetsControls {
            for index in camera.controls.indices { camera.controls[index].value = camera.controls[index].defaultValue }
        }
        // A width or height beyond 16384 pixels is reduced to 16384, as a real driver reduces sizes that are too large.
        let asked = unsafe PixelSize(
            max(1, min(Int(argument.fmt.pix.width), 16384)), max(1, min(Int(argument.fmt.pix.height), 16384)))
        let fourCC = unsafe FourCC(rawValue: argument.fmt.pix.pixelformat)
        size = PixelSize(
            Self.roundedUp(asked.width, camera.sizeStep.width), Self.roundedUp(asked.height, camera.sizeStep.height))
        let askedField = unsafe camera.isMultiPlanar ? argument.fmt.pix_mp.field : argument.fmt.pix.field
        field = askedField == V4L2_FIELD_NONE.rawValue ? camera.field : camera.weavesFields ?? camera.field
        colors = unsafe conversion(argument)
        let isOffered = camera.formats.contains { $0.fourCC == fourCC }
        format = camera.forcedFormat ?? (isOffered ? fourCC : camera.formats.first?.fourCC ?? fourCC)
        return unsafe describe(&argument)
    }

    /// The requested colour space; nil if the driver does not convert colours, or the program requests no colour space.
    @unsafe private func conversion(_ argument: v4l2_format) -> (colorspace: UInt32, transfer: UInt32)? {
        let flags = unsafe camera.isMultiPlanar ? UInt32(argument.fmt.pix_mp.flags) : argument.fmt.pix.flags
        guard camera.convertsColors, flags & UInt32(V4L2_PIX_FMT_FLAG_SET_CSC) != 0 else { return nil }
        return unsafe camera.isMultiPlanar
            ? (argument.fmt.pix_mp.colorspace, UInt32(argument.fmt.pix_mp.xfer_func))
            : (argument.fmt.pix.colorspace, argument.fmt.pix.xfer_func)
    }

    @unsafe func describe(_ argument: inout v4l2_format) -> Errno? {
        let planes = memoryPlanes
        if camera.isMultiPlanar {
            guard unsafe argument.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue else { return .invalidArgument }
            var pix = v4l2_pix_format_mplane()
            pix.width = UInt32(size.width)
            pix.height = UInt32(size.height)
            pix.pixelformat = format.rawValue
            pix.field = field.rawValue
            pix.num_planes = UInt8(planes.count)
            pix.colorspace = colors?.colorspace ?? camera.colorspace
            pix.ycbcr_enc = UInt8(camera.encoding)
            pix.quantization = UInt8(camera.quantization)
            pix.xfer_func = UInt8(colors?.transfer ?? camera.transfer)
            for (index, plane) in planes.enumerated() {
                let entry = v4l2_plane_pix_format(
                    sizeimage: UInt32(plane.length), bytesperline: UInt32(plane.stride), reserved: (0, 0, 0, 0, 0, 0))
                switch index {
                case 0: pix.plane_fmt.0 = entry
                case 1: pix.plane_fmt.1 = entry
                default: pix.plane_fmt.2 = entry
                }
            }
            unsafe argument.fmt.pix_mp = pix
            return nil
        }
        guard unsafe argument.type == V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue else { return .invalidArgument }
        var pix = v4l2_pix_format()
        pix.width = UInt32(size.width)
        pix.height = UInt32(size.height)
        pix.pixelformat = format.rawValue
        pix.field = field.rawValue
        pix.bytesperline = UInt32(planes[0].stride)
        pix.sizeimage = UInt32(planes[0].length)
        pix.colorspace = colors?.colorspace ?? camera.colorspace
        pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
        pix.ycbcr_enc = camera.encoding
        pix.quantization = camera.quantization
        pix.xfer_func = colors?.transfer ?? camera.transfer
        unsafe argument.fmt.pix = pix
        return nil
    }

    @unsafe func getParameters(_ parameters: inout v4l2_streamparm) -> Errno? {
        guard camera.canSetRate else { return .inappropriateIOCTLForDevice }
        unsafe parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        unsafe parameters.parm.capture.timeperframe = rate.asInterval
        return nil
    }

    @unsafe mutating func setParameters(_ parameters: inout v4l2_streamparm) -> Errno? {
        guard camera.canSetRate else { return .inappropriateIOCTLForDevice }
        let asked = unsafe parameters.parm.capture.timeperframe
        guard asked.numerator > 0, asked.denominator > 0 else { return .invalidArgument }
        let wish = FrameRate(Int(asked.denominator), per: Int(asked.numerator))
        rate =
            camera.trueRates.min {
                abs($0.framesPerSecond - wish.framesPerSecond) < abs($1.framesPerSecond - wish.framesPerSecond)
            } ?? wish
        return unsafe getParameters(&parameters)
    }

    /// The memory planes of the current format, not mapped yet.
    var memoryPlanes: [Plane] {
        let separate = ["NM12": PixelFormat.nv12, "NM21": .nv21, "NM16": .nv16, "YM12": .i420, "YM21": .yv12]
        let name = format.description
        let isSeparate = separate[name] != nil
        guard let pixelFormat = separate[name] ?? PixelFormat.allCases.first(where: { $0.fourCC == format }) else {
            // Two bytes a pixel suffice for compressed and raw formats; P010 has three.
            let bytes = format == FourCC("P010") ? 3 : 2
            return unsafe [Plane(length: max(0, size.area * bytes + camera.extraBytes), stride: 0)]
        }
        let row = FrameLayout(pixelFormat, size).planes[0].rowBytes
        let stride = Self.roundedUp(row, camera.strideStep)
        let layout = FrameLayout(pixelFormat, size, stride: stride)
        let lengths = layout.planes.map { $0.strideInBytes * $0.dimensions.height }
        let added = camera.extraBytes + (camera.isMultiPlanar ? camera.dataOffset : 0)
        guard isSeparate else { return unsafe [Plane(length: max(0, lengths.reduce(0, +) + added), stride: stride)] }
        return zip(lengths, layout.planes).map { unsafe Plane(length: max(0, $0 + added), stride: $1.strideInBytes) }
    }

    private static func roundedUp(_ value: Int, _ step: Int) -> Int { (value + step - 1) / step * step }
}

extension FrameRate {
    fileprivate var asInterval: v4l2_fract { v4l2_fract(numerator: UInt32(seconds), denominator: UInt32(frames)) }
}
