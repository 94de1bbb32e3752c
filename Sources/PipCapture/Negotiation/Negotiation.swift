internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// The settings of a device after negotiation, as the driver reports them.
struct NegotiatedFormat {
    let format: CameraFormat
    /// The device's modes, as ``ModeEnumeration`` lists them.
    let modes: [CameraMode]
    let deviceFormat: DeviceFormat
    /// The driver's format structure, for libv4lconvert.
    let pixelFormat: v4l2_pix_format
    /// The stride and the size of each memory plane.
    let memory: [MemoryPlane]
    let bufferType: v4l2_buf_type
    /// The assumed time from the beginning of a frame's exposure to the end of its readout.
    ///
    /// The exposure time is included only when the request sets it. Zero for a virtual camera, and for an unknown rate.
    let span: Duration
    /// The zoom factor of the sensor crop that was set; 1 without a crop.
    let sensorZoom: Double
    /// Advice for a camera that delivers below its rate, worded to stand in parentheses.
    let rateHint: String
}

/// Sets a device to the mode nearest to a request, and reads back the result.
struct Negotiation {
    let device: V4L2Device
    let bufferType: v4l2_buf_type
    /// True when another program writes the frames.
    var isVirtual = false

    /// The longest assumed time of a frame's readout, whatever the exposure time.
    private static let longestReadout = Duration.milliseconds(40)

    /// Chooses and sets size, pixel format, rate and controls.
    ///
    /// - Parameters:
    ///   - wish: The requested settings.
    ///   - onRefusedControl: Receives the errors of refused adjustments and controls; nil throws the first error.
    /// - Returns: The settings, as the driver has made them.
    /// - Throws: ``CaptureError`` when the camera is gone or in use, the input has no signal, or the driver offers no
    ///   usable format or refuses the mode or the colour space. Refused controls throw only without `onRefusedControl`.
    func run(
        _ wish: CameraWish, onRefusedControl: ((CaptureError) -> Void)? = nil
    ) throws(CaptureError) -> NegotiatedFormat {
        DeviceEvents.subscribeSignal(device)
        try DigitalTimings.follow(device)
        let modes = ModeEnumeration(device: device, bufferType: bufferType).modes(near: wish)
        let keeps = wish.decidingPreset == .inputPriority
        guard let mode = keeps ? presentMode() : chooseMode(modes, wish) else { throw refusal(of: wish, modes) }
        let color = try keeps ? nil : colorRequest(wish, mode)
        var settings = try keeps ? presentSettings(mode) : setFormat(mode, color)
        if keeps, let space = wish.colorSpace { try ColorRequest.check(space, settings.colorimetry, device) }
        var sensorZoom = 1.0
        if let zoom = wish.adjustments.zoom {
            sensorZoom = ControlAccess(device: device).zoomSensor(zoom, bufferType)
            // Without a scaler, the driver may still have the picture size of an earlier sensor crop.
            if !keeps, let present = presentFormat(), present.size != settings.size {
                settings = try setFormat(mode, color)
            }
        }
        let deviceFormat = try deviceFormat(settings, requested: keeps ? nil : mode.format)
        if let raw = deviceFormat.raw { settings.completeStride(raw) }
        let layout = try layout(settings, deviceFormat)
        let rate =
            keeps && wish.frameRate == nil
            ? mode.frameRate : setFrameRate(wish.frameRate ?? mode.frameRate ?? wish.aimedFrameRate, mode)
        let controls = ControlAccess(device: device)
        if !keeps, wish.adjustments.powerLine == nil { controls.followMains() }
        try controls.adjust(wish.adjustments, leavesZoom: true, onRefused: onRefusedControl)
        try controls.apply(wish.controls, onRefused: onRefusedControl)
        let actual = CameraMode(
            format: FourCC(rawValue: settings.fourCC), size: settings.size, frameRate: rate, isEmulated: mode.isEmulated
        )
        let format = CameraFormat(
            mode: actual, layout: layout,
            colorimetry: colorimetry(of: deviceFormat, settings), frameRate: rate)
        return NegotiatedFormat(
            format: format, modes: modes, deviceFormat: deviceFormat, pixelFormat: settings.pixelFormat,
            memory: settings.planes, bufferType: bufferType, span: span(of: rate, wish),
            sensorZoom: sensorZoom, rateHint: controls.rateHint)
    }

    private func deviceFormat(_ settings: DriverSettings, requested: FourCC?) throws(CaptureError) -> DeviceFormat {
        let fourCC = FourCC(rawValue: settings.fourCC)
        let interlacing = Interlacing(settings.field, has525Lines: Interlacing.has525Lines(device))
        if let format = DeviceFormat(fourCC)?.with(interlacing) { return format }
        let origin = requested.map { "the driver chose it in place of \($0)" } ?? "the camera is set to it"
        throw CaptureError(
            .unsupported, device: device.path, operation: "use the format \(fourCC)",
            reason: "\(origin), and this program cannot read the format", hint: "request another format")
    }

    private func colorimetry(of format: DeviceFormat, _ settings: DriverSettings) -> Colorimetry {
        // Each decoded picture carries its own colour encoding. Until the first picture, the usual encoding is assumed.
        if format == .video { return settings.size.height > 576 ? .bt709 : .bt601 }
        return resolveColorimetry(settings.colorimetry, for: format)
    }

    private func span(of rate: FrameRate?, _ wish: CameraWish) -> Duration {
        // Frames from other programs have no exposure, and get their timestamps when they are written.
        guard !isVirtual, let period = rate?.interval else { return .zero }
        let readout = min(period, Self.longestReadout)
        guard case .time(let exposure) = wish.adjustments.exposure else { return readout }
        return readout + min(exposure, period)
    }

    private func refusal(of wish: CameraWish, _ modes: [CameraMode]) -> CaptureError {
        var formats: [FourCC] = []
        for mode in modes where !formats.contains(mode.format) { formats.append(mode.format) }
        let offered = formats.isEmpty ? "nothing" : formats.map(\.description).joined(separator: ", ")
        let isNamed = modes.contains { $0.isUsable && (wish.format == nil || $0.format == wish.format) }
        if isNamed, let size = wish.decidingPreset?.exactSize {
            var sizes: [PixelSize] = []
            for mode in modes where mode.isUsable && !sizes.contains(mode.size) { sizes.append(mode.size) }
            return CaptureError(
                .unsupported, device: device.path, operation: "use the preset \(size)",
                reason: "the camera offers \(sizes.map(\.description).joined(separator: ", "))",
                hint: "size=\(size) takes the nearest size")
        }
        guard let format = wish.format else {
            let isKept = wish.decidingPreset == .inputPriority
            return CaptureError(
                .unsupported, device: device.path, operation: isKept ? "keep the present format" : "choose a format",
                reason: isKept
                    ? "the driver does not report this format"
                    : "the camera offers \(offered): no format that this program can read")
        }
        let isKnown = DeviceFormat(format) != nil
        return CaptureError(
            .unsupported, device: device.path, operation: "use the format \(format)",
            reason: isKnown ? "the camera offers \(offered)" : "the format is unknown; the camera offers \(offered)")
    }

    /// Checks that the device would accept the mode nearest to `wish`, and sets nothing.
    ///
    /// The device may stream meanwhile.
    ///
    /// - Parameters:
    ///   - wish: The requested settings.
    ///   - known: The device's known modes.
    /// - Returns: The mode that the device would be set to; with ``CameraPreset/inputPriority``, the present mode.
    /// - Throws: ``CaptureError`` when the driver offers no usable format, or refuses the mode or the colour space.
    func check(_ wish: CameraWish, known: [CameraMode]) throws(CaptureError) -> CameraMode {
        if wish.decidingPreset == .inputPriority, let mode = presentMode() { return mode }
        // The known modes of a driver with ranges of sizes may lack the requested size.
        let isKnown = known.contains { $0.size == wish.aimedSize }
        let modes = isKnown ? known : ModeEnumeration(device: device, bufferType: bufferType).modes(near: wish)
        guard let mode = chooseMode(modes, wish) else { throw refusal(of: wish, modes) }
        let color = try colorRequest(wish, mode)
        var format = unsafe argument(mode, color)
        // Some drivers lack `VIDIOC_TRY_FMT`.
        if let errno = unsafe device.perform(.tryFormat, &format) {
            guard errno == .inappropriateIOCTLForDevice else {
                throw device.error(.tryFormat, errno, "set the format \(mode)")
            }
        } else {
            try unsafe color?.check(answer(format).colorimetry)
        }
        return mode
    }

    /// The mode that the device is set to; nil when unknown.
    private func presentMode() -> CameraMode? {
        guard let settings = presentFormat() else { return nil }
        var parameters = v4l2_streamparm()
        parameters.type = bufferType.rawValue
        var rate: FrameRate?
        if device.perform(.getParameters, &parameters) == nil {
            rate = unsafe FrameRate(interval: parameters.parm.capture.timeperframe)
        }
        return CameraMode(format: FourCC(rawValue: settings.fourCC), size: settings.size, frameRate: rate)
    }

    private func presentFormat() -> DriverSettings? {
        unsafe device.presentFormat(bufferType).map { unsafe answer($0) }
    }

    private func presentSettings(_ mode: CameraMode) throws(CaptureError) -> DriverSettings {
        if let settings = presentFormat() { return settings }
        throw CaptureError(
            .failed, device: device.path, operation: "read its format", reason: "the driver no longer reports \(mode)")
    }

    private func colorRequest(_ wish: CameraWish, _ mode: CameraMode) throws(CaptureError) -> ColorRequest? {
        guard let space = wish.colorSpace else { return nil }
        return try ColorRequest(space, of: mode.format, device, bufferType)
    }

    private func setFormat(_ mode: CameraMode, _ color: ColorRequest?) throws(CaptureError) -> DriverSettings {
        var settings = try setFormat(mode, color, V4L2_FIELD_NONE)
        // Both fields in one buffer are better than alternating buffers, each with half of the rows.
        if settings.field == V4L2_FIELD_ALTERNATE.rawValue,
            let both = try? setFormat(mode, color, V4L2_FIELD_INTERLACED)
        {
            settings = both
        }
        try color?.check(settings.colorimetry)
        return settings
    }

    private func setFormat(
        _ mode: CameraMode, _ color: ColorRequest?, _ field: v4l2_field
    ) throws(CaptureError) -> DriverSettings {
        var format = unsafe argument(mode, color, field)
        try unsafe device.require(.setFormat, &format, to: "set the format \(mode)")
        // The driver may change the size and other fields of the request.
        return unsafe answer(format)
    }

    @unsafe private func answer(_ format: v4l2_format) -> DriverSettings {
        unsafe bufferType.isMultiPlanar ? DriverSettings(format.fmt.pix_mp) : DriverSettings(format.fmt.pix)
    }

    @unsafe private func argument(
        _ mode: CameraMode, _ color: ColorRequest?, _ field: v4l2_field = V4L2_FIELD_NONE
    ) -> v4l2_format {
        var format = unsafe v4l2_format()
        unsafe format.type = bufferType.rawValue
        let (width, height) = (UInt32(mode.size.width), UInt32(mode.size.height))
        if bufferType.isMultiPlanar {
            unsafe format.fmt.pix_mp.width = width
            unsafe format.fmt.pix_mp.height = height
            unsafe format.fmt.pix_mp.pixelformat = mode.format.rawValue
            unsafe format.fmt.pix_mp.field = field.rawValue
            unsafe color?.apply(to: &format.fmt.pix_mp)
        } else {
            unsafe format.fmt.pix.width = width
            unsafe format.fmt.pix.height = height
            unsafe format.fmt.pix.pixelformat = mode.format.rawValue
            unsafe format.fmt.pix.field = field.rawValue
            unsafe color?.apply(to: &format.fmt.pix)
        }
        return unsafe format
    }

    /// The layout of the frames' planes in the driver's memory, or after decoding in the program's memory.
    private func layout(_ settings: DriverSettings, _ format: DeviceFormat) throws(CaptureError) -> FrameLayout {
        guard settings.size.area > 0, settings.size.width <= 32768, settings.size.height <= 32768 else {
            throw unusable(settings, "the driver reports the size \(settings.size)")
        }
        guard case .native(let pixelFormat, let memoryPlanes) = format else {
            return try decodedLayout(settings, format)
        }
        guard settings.planes.count >= memoryPlanes else {
            throw unusable(settings, "the driver reports \(settings.planes.count) planes, not \(memoryPlanes)")
        }
        let layout = NativeLayout.layout(pixelFormat, settings.size, settings.planes, memoryPlanes: memoryPlanes)
        for plane in 0..<memoryPlanes {
            let needed = NativeLayout.bytesNeeded(layout, ofMemoryPlane: plane, of: memoryPlanes)
            guard settings.planes[plane].sizeInBytes >= needed else {
                throw unusable(
                    settings, "the driver's buffers have \(settings.planes[plane].sizeInBytes) bytes, not \(needed)")
            }
        }
        return layout
    }

    private func decodedLayout(_ settings: DriverSettings, _ format: DeviceFormat) throws(CaptureError) -> FrameLayout {
        if format == .jpeg || format == .video { return DecodedLayout.layout(for: settings.size) }
        if case .interlaced = format { return FrameLayout(format.delivered, settings.size) }
        // libv4lconvert writes without padding, and rounds the chroma planes of odd sizes down.
        guard format.delivered == .gray || settings.size.width % 2 == 0 && settings.size.height % 2 == 0 else {
            throw unusable(settings, "this format can only be converted at even sizes")
        }
        if let raw = format.raw {
            let needed = settings.rawByteCount(raw)
            guard settings.planes[0].sizeInBytes >= needed else {
                throw unusable(
                    settings, "the driver's buffers have \(settings.planes[0].sizeInBytes) bytes, not \(needed)")
            }
        }
        return FrameLayout(format.delivered, settings.size)
    }

    private func unusable(_ settings: DriverSettings, _ reason: String) -> CaptureError {
        CaptureError(
            .failed, device: device.path, operation: "use \(FourCC(rawValue: settings.fourCC)) \(settings.size)",
            reason: reason)
    }

    /// Requests a frame rate from the driver.
    ///
    /// - Returns: The rate that the driver has set; the present rate if the driver lacks `V4L2_CAP_TIMEPERFRAME`. If
    ///   the driver refuses the rate or reports none, the rate of `mode`, or of the digital signal; nil without either.
    private func setFrameRate(_ rate: FrameRate, _ mode: CameraMode) -> FrameRate? {
        let fallback = mode.frameRate ?? DigitalTimings(device)?.frameRate
        var parameters = v4l2_streamparm()
        parameters.type = bufferType.rawValue
        guard device.perform(.getParameters, &parameters) == nil else { return fallback }
        if unsafe parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0 {
            parameters = v4l2_streamparm()
            parameters.type = bufferType.rawValue
            unsafe parameters.parm.capture.timeperframe = (mode.frameRate ?? rate).v4l2Interval
            guard device.perform(.setParameters, &parameters) == nil else { return fallback }
        }
        return unsafe FrameRate(interval: parameters.parm.capture.timeperframe) ?? fallback
    }
}
