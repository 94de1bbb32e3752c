import CV4L2
import PipFrames
import PipTestSupport
import Synchronization

@testable import PipCapture

/// Records calls whose arguments the driver has excluded.
///
/// Source: Linux userspace API, the calls' own pages.
final class CallJudge: Sendable {
    private let camera: FakeCamera
    private let noted = Mutex<[String]>([])

    /// True if reading the driver's lists may fail at times.
    private let losesLists: Bool

    init(_ camera: FakeCamera, losesLists: Bool) { (self.camera, self.losesLists) = (camera, losesLists) }

    /// The forbidden calls recorded so far, each with the reason.
    var offences: [String] { noted.withLock { $0 } }

    @unsafe func judge(_ request: V4L2Request, _ argument: UnsafeMutableRawPointer) {
        guard let offence = unsafe offence(request, argument) else { return }
        noted.withLock { $0.append("\(request.name): \(offence)") }
    }

    @unsafe private func offence(_ request: V4L2Request, _ argument: UnsafeMutableRawPointer) -> String? {
        switch request {
        case .setFormat, .tryFormat:
            return unsafe offence(of: argument.assumingMemoryBound(to: v4l2_format.self).pointee)
        case .setParameters:
            let interval = unsafe argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee.parm.capture
                .timeperframe
            if !camera.canSetRate { return "without V4L2_CAP_TIMEPERFRAME" }
            return interval.numerator == 0 || interval.denominator == 0 ? "an interval of \(interval)" : nil
        case .requestBuffers, .queueBuffer, .dequeueBuffer, .streamOn:
            return camera.capabilities & UInt32(V4L2_CAP_STREAMING) == 0 ? "without V4L2_CAP_STREAMING" : nil
        case .getControl:
            let id = unsafe argument.assumingMemoryBound(to: v4l2_control.self).pointee.id
            guard let control = control(id) else { return "the control \(id) that it does not have" }
            if control.has(V4L2_CTRL_FLAG_WRITE_ONLY) { return "the write-only \(control)" }
            return control.isSimple ? nil : "\(control), which takes VIDIOC_G_EXT_CTRLS"
        case .queryMenu:
            let query = unsafe argument.assumingMemoryBound(to: v4l2_querymenu.self).pointee
            guard let control = control(query.id), control.isMenu else { return "of no menu" }
            return control.minimum...max(control.minimum, control.maximum) ~= Int(query.index)
                ? nil : "beyond the range"
        case .setControl:
            let wish = unsafe argument.assumingMemoryBound(to: v4l2_control.self).pointee
            return offence(wish.id, Int(wish.value))
        case .setControls, .tryControls:
            let batch = unsafe argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee
            let wishes = unsafe (0..<Int(batch.count)).map {
                unsafe (batch.controls[$0].id, Int(batch.controls[$0].value))
            }
            return wishes.compactMap { offence($0.0, $0.1) }.first
        default: return nil
        }
    }

    private func control(_ id: UInt32) -> FakeCamera.Control? {
        camera.controls.first { $0.id == id && !$0.has(V4L2_CTRL_FLAG_DISABLED) }
    }

    private func offence(_ id: UInt32, _ value: Int) -> String? {
        guard let control = control(id) else { return "the control \(id) that it does not have" }
        if control.has(V4L2_CTRL_FLAG_READ_ONLY) { return "the read-only \(control)" }
        guard control.isSimple else { return "\(control), which has no value of this kind" }
        // A control's present value may be set again, also outside the control's range.
        return value == control.value || control.takes(value) ? nil : "\(value) for \(control)"
    }

    @unsafe private func offence(of format: v4l2_format) -> String? {
        let type = camera.isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE
        guard unsafe format.type == type.rawValue else { return unsafe "buffers of type \(format.type)" }
        // Single-planar and multi-planar formats begin with the same three members.
        let pix = unsafe format.fmt.pix
        guard let offered = camera.formats.first(where: { $0.fourCC.rawValue == pix.pixelformat }) else {
            return "\(FourCC(rawValue: pix.pixelformat)), which is not offered"
        }
        let size = PixelSize(Int(pix.width), Int(pix.height))
        if size.width == 0 || size.height == 0 { return "\(size)" }
        // Without readable lists, a request repeats the size found at opening.
        if size == PixelSize(640, 480) { return nil }
        // Once the lists can no longer be read, a request repeats a size that the driver has set.
        if losesLists, camera.sizeStep != PixelSize(1, 1), isRounded(size),
            Self.offers(offered, near: size, camera.sizeStep)
        {
            return nil
        }
        return Self.offence(size, in: offered)
    }

    private func isRounded(_ size: PixelSize) -> Bool {
        size.width % camera.sizeStep.width == 0 && size.height % camera.sizeStep.height == 0
    }

    /// True if the driver rounds up an offered size to `size`.
    private static func offers(_ format: FakeCamera.Format, near size: PixelSize, _ step: PixelSize) -> Bool {
        (0..<step.width).contains { x in
            (0..<step.height).contains { y in
                offence(PixelSize(size.width - x, size.height - y), in: format) == nil
            }
        }
    }

    private static func offence(_ size: PixelSize, in offered: FakeCamera.Format) -> String? {
        switch offered.sizes {
        case .unlisted: return nil
        case .discrete(let sizes):
            // Inputs that take the signal's size do not list it.
            let isListed = sizes.contains(size) || !sizes.contains { $0.area > 0 }
            return isListed ? nil : "\(size) is not among \(sizes)"
        case .continuous(let low, let high): return offence(size, low, high, PixelSize(1, 1))
        case .stepwise(let low, let high, let step): return offence(size, low, high, step)
        }
    }

    private static func offence(_ size: PixelSize, _ low: PixelSize, _ high: PixelSize, _ step: PixelSize) -> String? {
        func fits(_ value: Int, _ low: Int, _ high: Int, _ step: Int) -> Bool {
            // An invalid range allows only its lower bound.
            guard low <= high else { return value == low }
            return (low...high).contains(value) && (value - low) % max(1, step) == 0
        }
        let isFit =
            fits(size.width, low.width, high.width, step.width)
            && fits(size.height, low.height, high.height, step.height)
        return isFit ? nil : "\(size) is not within \(low) to \(high) by \(step)"
    }
}

extension FakeCamera.Control {
    fileprivate func has(_ flag: Int32) -> Bool { flags & UInt32(flag) != 0 }

    fileprivate var isMenu: Bool { type == V4L2_CTRL_TYPE_MENU || type == V4L2_CTRL_TYPE_INTEGER_MENU }

    /// True if the control's value is a 32-bit integer.
    fileprivate var isSimple: Bool {
        let simple = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            V4L2_CTRL_TYPE_BUTTON, V4L2_CTRL_TYPE_BITMASK,
        ]
        return simple.contains(type) && !has(V4L2_CTRL_FLAG_HAS_PAYLOAD)
    }

    fileprivate func takes(_ value: Int) -> Bool {
        switch type {
        case V4L2_CTRL_TYPE_BUTTON: true
        case V4L2_CTRL_TYPE_BOOLEAN: value == 0 || value == 1
        case V4L2_CTRL_TYPE_BITMASK: UInt32(truncatingIfNeeded: value) & ~UInt32(truncatingIfNeeded: maximum) == 0
        case V4L2_CTRL_TYPE_INTEGER:
            minimum <= value && value <= max(minimum, maximum)
                && (Double(value) - Double(minimum)).truncatingRemainder(dividingBy: Double(max(1, step))) == 0
        default: menu[value] != nil
        }
    }
}
