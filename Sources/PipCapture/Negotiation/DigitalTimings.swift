internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// The signal at a digital input such as HDMI.
///
/// Source: Linux userspace API, "Digital Video (DV) Timings".
struct DigitalTimings {
    let size: PixelSize
    let frameRate: FrameRate?

    /// Reads the timings that the device is set to; returns nil when the device has no digital input.
    init?(_ device: V4L2Device) {
        var timings = v4l2_dv_timings()
        guard device.perform(.getTimings, &timings) == nil else { return nil }
        self.init(timings)
    }

    init?(_ timings: v4l2_dv_timings) {
        let bt = timings.bt
        guard timings.type == UInt32(V4L2_DV_BT_656_1120), bt.width > 0, bt.height > 0 else { return nil }
        size = PixelSize(Int(bt.width), Int(bt.height))
        // The sum of invalid values may exceed 32 bits.
        func sum(_ parts: UInt32...) -> Double { parts.reduce(0) { $0 + Double($1) } }
        let columns = sum(bt.width, bt.hfrontporch, bt.hsync, bt.hbackporch)
        var rows = sum(bt.height, bt.vfrontporch, bt.vsync, bt.vbackporch)
        if bt.interlaced != 0 { rows += sum(bt.il_vfrontporch, bt.il_vsync, bt.il_vbackporch) }
        let hertz = Double(bt.pixelclock) / (columns * rows)
        let isReduced = bt.flags & UInt32(V4L2_DV_FL_REDUCED_FPS) != 0
        frameRate = FrameRate(isReduced ? hertz * 1000 / 1001 : hertz)
    }

    /// Sets the device to the timings of the present signal, if the signal has another size than the present timings.
    ///
    /// - Throws: ``CaptureError``, kind `noSignal`, when the input has no signal, or no stable signal.
    static func follow(_ device: V4L2Device) throws(CaptureError) {
        var found = v4l2_dv_timings()
        if let errno = device.perform(.queryTimings, &found) {
            guard errno == .noLink || errno == .noLocks else { return }
            throw CaptureError(
                .noSignal, device: device.path, operation: "find a signal at its input",
                reason: errno == .noLink ? "nothing is connected" : "the connected device sends no stable signal")
        }
        guard let found = DigitalTimings(found).map({ _ in found })
        else { return }
        var timings = found
        if DigitalTimings(device)?.size != DigitalTimings(found)?.size {
            // A device that refuses the timings keeps its size, and still delivers pictures.
            _ = device.perform(.setTimings, &timings)
        }
    }
}
