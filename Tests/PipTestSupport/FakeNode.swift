internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import SystemPackage

/// A fake device node, which answers requests as a driver would.
struct FakeNode {
    @safe struct Plane {
        var length: Int
        var stride: Int
        /// The memory of the plane; nil while it is not mapped.
        var memory: UnsafeMutableRawBufferPointer?
    }

    struct Buffer {
        var planes: [Plane]
        var isQueued = false
    }

    /// A filled buffer that was not dequeued yet.
    struct Done {
        var buffer: Int
        var frame: FakeFrame
        var sequence: UInt32
        var timestamp: Timestamp
    }

    var camera: FakeCamera
    /// The number that distinguishes successive nodes at the same path.
    var generation = 0
    var isGone = false
    /// True while an event of a source change is pending.
    var hasSourceChange = false
    /// The controls for whose changes the program has subscribed to events.
    var subscribed: Set<UInt32> = []
    /// The pending events of changed controls, oldest first.
    var controlChanges: [(id: UInt32, value: Int)] = []
    var isBroken = false
    var isStreaming = false
    /// The descriptor that owns the buffers; nil while no buffers are requested.
    var owner: CInt?
    var format: FourCC
    /// The requested colour space; nil for the camera's own colour space.
    var colors: (colorspace: UInt32, transfer: UInt32)?
    var size: PixelSize
    /// The field order of the current format.
    var field = V4L2_FIELD_NONE
    var rate = FrameRate(30)
    var buffers: [Buffer] = []
    /// The indices of the queued buffers, oldest first.
    var queue: [Int] = []
    var done: [Done] = []
    var sequence: UInt32 = 0

    init(_ camera: FakeCamera) {
        self.camera = camera
        format = camera.formats.first?.fourCC ?? FourCC("YUYV")
        size = camera.signal?.size ?? PixelSize(640, 480)
    }

    @unsafe mutating func answer(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        if let result = unsafe answerWriter(descriptor, request, argument) { return result }
        let result: Errno? =
            switch request {
            case V4L2Request.queryCapabilities.number:
                unsafe queryCapabilities(&argument.as(v4l2_capability.self).pointee)
            case V4L2Request.enumerateFormats.number: unsafe enumerateFormats(&argument.as(v4l2_fmtdesc.self).pointee)
            case V4L2Request.enumerateSizes.number: unsafe enumerateSizes(&argument.as(v4l2_frmsizeenum.self).pointee)
            case V4L2Request.enumerateIntervals.number:
                unsafe enumerateIntervals(&argument.as(v4l2_frmivalenum.self).pointee)
            case V4L2Request.getFormat.number: unsafe describe(&argument.as(v4l2_format.self).pointee)
            case V4L2Request.setFormat.number: unsafe setFormat(&argument.as(v4l2_format.self).pointee)
            case V4L2Request.tryFormat.number: unsafe tryFormat(&argument.as(v4l2_format.self).pointee)
            case V4L2Request.setPriority.number: camera.isReserved ? .resourceBusy : nil
            case V4L2Request.getParameters.number: unsafe getParameters(&argument.as(v4l2_streamparm.self).pointee)
            case V4L2Request.setParameters.number: unsafe setParameters(&argument.as(v4l2_streamparm.self).pointee)
            case V4L2Request.queryTimings.number where camera.signalError != nil: camera.signalError
            case V4L2Request.subscribeEvent.number:
                unsafe subscribe(argument.as(v4l2_event_subscription.self).pointee)
            case V4L2Request.dequeueEvent.number: unsafe dequeueEvent(&argument.as(v4l2_event.self).pointee)
            case V4L2Request.getSelection.number:
                unsafe getSelection(&argument.as(v4l2_selection.self).pointee)
            case V4L2Request.setSelection.number:
                unsafe setSelection(&argument.as(v4l2_selection.self).pointee)
            case V4L2Request.getTimings.number, V4L2Request.queryTimings.number:
                unsafe getTimings(&argument.as(v4l2_dv_timings.self).pointee)
            case V4L2Request.mediaInformation.number:
                unsafe describeMedia(&argument.as(media_device_info.self).pointee)
            case V4L2Request.mediaTopology.number:
                unsafe listParts(&argument.as(media_v2_topology.self).pointee)
            case V4L2Request.getStandard.number: unsafe getStandard(&argument.as(v4l2_std_id.self).pointee)
            case V4L2Request.setTimings.number: camera.signal == nil ? .inappropriateIOCTLForDevice : nil
            case V4L2Request.requestBuffers.number:
                unsafe requestBuffers(descriptor, &argument.as(v4l2_requestbuffers.self).pointee)
            case V4L2Request.queryBuffer.number: unsafe queryBuffer(&argument.as(v4l2_buffer.self).pointee)
            case V4L2Request.queueBuffer.number: unsafe queueBuffer(&argument.as(v4l2_buffer.self).pointee)
            case V4L2Request.dequeueBuffer.number: unsafe dequeueBuffer(&argument.as(v4l2_buffer.self).pointee)
            case V4L2Request.streamOn.number: streamOn()
            case V4L2Request.streamOff.number: streamOff()
            case V4L2Request.queryControl.number: unsafe queryControl(&argument.as(v4l2_query_ext_ctrl.self).pointee)
            case V4L2Request.queryMenu.number: unsafe queryMenu(&argument.as(v4l2_querymenu.self).pointee)
            case V4L2Request.getControl.number: unsafe getControl(&argument.as(v4l2_control.self).pointee)
            case V4L2Request.setControl.number: unsafe setControl(&argument.as(v4l2_control.self).pointee)
            case V4L2Request.tryControls.number:
                unsafe tryControls(&argument.as(v4l2_ext_controls.self).pointee)
            case V4L2Request.setControls.number:
                unsafe setControls(&argument.as(v4l2_ext_controls.self).pointee)
            default: .inappropriateIOCTLForDevice
            }
        return result.map { -$0.rawValue } ?? 0
    }

    private func queryCapabilities(_ capability: inout v4l2_capability) -> Errno? {
        write(camera.card, to: &capability.card)
        write(camera.driver, to: &capability.driver)
        write(camera.busInfo, to: &capability.bus_info)
        capability.device_caps = camera.loopback?.capabilities ?? camera.capabilities
        // The whole device always announces capture and streaming, so that only `device_caps` describes this node.
        capability.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING) | V4L2_CAP_DEVICE_CAPS
        return nil
    }

    private mutating func subscribe(_ subscription: v4l2_event_subscription) -> Errno? {
        guard subscription.type == UInt32(V4L2_EVENT_CTRL) else {
            return camera.signal == nil ? .inappropriateIOCTLForDevice : nil
        }
        guard camera.tellsControls else { return .inappropriateIOCTLForDevice }
        guard camera.controls.contains(where: { $0.id == subscription.id }) else { return .invalidArgument }
        subscribed.insert(subscription.id)
        return nil
    }

    private mutating func dequeueEvent(_ event: inout v4l2_event) -> Errno? {
        if !controlChanges.isEmpty {
            let (id, value) = controlChanges.removeFirst()
            (event.type, event.id) = (UInt32(V4L2_EVENT_CTRL), id)
            unsafe event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
            unsafe event.u.ctrl.value = Int32(value)
            return nil
        }
        guard hasSourceChange else { return .noSuchFileOrDirectory }
        hasSourceChange = false
        event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        return nil
    }

    private func describeMedia(_ information: inout media_device_info) -> Errno? {
        guard camera.parts != nil else { return .inappropriateIOCTLForDevice }
        unsafe withUnsafeMutableBytes(of: &information.driver) { unsafe $0.copyBytes(from: Array(camera.driver.utf8)) }
        unsafe withUnsafeMutableBytes(of: &information.model) { unsafe $0.copyBytes(from: Array(camera.card.utf8)) }
        return nil
    }

    @unsafe private func listParts(_ topology: inout media_v2_topology) -> Errno? {
        guard let parts = camera.parts else { return .inappropriateIOCTLForDevice }
        let room = Int(topology.num_entities)
        topology.num_entities = UInt32(parts.count)
        guard let target = unsafe UnsafeMutablePointer<media_v2_entity>(bitPattern: UInt(topology.ptr_entities)) else {
            return nil
        }
        guard room >= parts.count else { return .noSpace }
        for (index, part) in parts.enumerated() {
            var entity = media_v2_entity()
            entity.function = part.function
            unsafe withUnsafeMutableBytes(of: &entity.name) { unsafe $0.copyBytes(from: Array(part.name.utf8)) }
            unsafe target[index] = entity
        }
        return nil
    }

    private func getStandard(_ standard: inout v4l2_std_id) -> Errno? {
        guard let signal = camera.standard else { return .inappropriateIOCTLForDevice }
        standard = signal
        return nil
    }

    private func getTimings(_ timings: inout v4l2_dv_timings) -> Errno? {
        guard let signal = camera.signal else { return .inappropriateIOCTLForDevice }
        timings.type = UInt32(V4L2_DV_BT_656_1120)
        timings.bt.width = UInt32(signal.size.width)
        timings.bt.height = UInt32(signal.size.height)
        timings.bt.hsync = 100
        timings.bt.vsync = 20
        let total = (signal.size.width + 100) * (signal.size.height + 20)
        timings.bt.pixelclock = UInt64(total * signal.rate.frames / signal.rate.seconds)
        return nil
    }
}

/// Writes a text to a character array of a kernel structure, and leaves the last byte as the terminating zero.
func write<Characters>(_ text: String, to characters: inout Characters) {
    unsafe withUnsafeMutableBytes(of: &characters) { bytes in
        for (index, byte) in text.utf8.prefix(bytes.count - 1).enumerated() { unsafe bytes[index] = byte }
    }
}

extension UnsafeMutableRawPointer {
    @unsafe fileprivate func `as`<T>(_ type: T.Type) -> UnsafeMutablePointer<T> {
        unsafe assumingMemoryBound(to: type)
    }
}
