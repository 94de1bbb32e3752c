internal import CDisplay
internal import Glibc
internal import PipConcurrency
package import PipFrames
internal import SystemPackage

/// A whole screen without a desktop, driven by the kernel's mode setting (KMS).
///
/// Two pictures are shown in turn, each from the beginning of a refresh. The device's descriptor does not report that a
/// screen was unplugged, so ``work()`` checks the connector once a second.
package final class ScreenSurface: DisplaySurface {
    package let size: PixelSize
    private let device: ScreenDevice
    private let connector: ScreenDevice.Connector
    private let controller: UInt32
    private let pictures: [ScreenPicture]
    /// The shortest interval between two checks of the connector.
    private static let checkInterval = Duration.seconds(1)
    /// The state of the controller before this program used the screen.
    private var previousState: drm_mode_crtc
    /// The index of the picture that was shown last; nil before the first picture.
    private var shown: Int?
    private var isFlipping = false
    private let clock = MonotonicClock()
    private var checkTime = Timestamp.zero
    private var events = [UInt8](repeating: 0, count: 1024)
    package private(set) var needsPicture = true

    /// Takes control of a screen.
    ///
    /// Blocks for some milliseconds, and while the driver probes its connectors.
    ///
    /// - Throws: ``DisplayError`` when no screen fits the name, another program controls the screen, or the screen
    ///   cannot show a picture.
    package init(_ name: ScreenName, _ directory: ScreenDirectory = ScreenDirectory()) throws(DisplayError) {
        (device, connector) = try ScreenChoice(name, directory).choose()
        let path = device.path
        do throws(Errno) {
            try device.perform(PIP_DRM_SET_MASTER)
        } catch {
            throw DisplayError(
                "\(path) is held by another program, usually a desktop: end that program (sudo systemctl stop "
                    + "display-manager), go to a text console (Ctrl-Alt-F3), or show a window: instead (\(error))")
        }
        guard let mode = connector.modes.first else {
            throw DisplayError("\(path): the screen at \(connector.name) reports no video mode")
        }
        size = PixelSize(Int(mode.hdisplay), Int(mode.vdisplay))
        do throws(Errno) {
            let all = try device.resources().controllers
            guard let controller = device.controllers(of: connector, among: all).first else {
                throw .noSuchAddressOrDevice
            }
            self.controller = controller
            previousState = drm_mode_crtc()
            previousState.crtc_id = controller
            try device.perform(PIP_DRM_GET_CRTC, &previousState)
            pictures = [try ScreenPicture(size, on: device), try ScreenPicture(size, on: device)]
        } catch {
            throw DisplayError("\(path): no picture can be shown at \(connector.name): \(error)")
        }
    }

    deinit {
        // The screen shows its earlier picture again, if that still exists. Otherwise the console redraws the screen.
        var crtc = previousState
        if crtc.fb_id != 0, crtc.mode_valid != 0 { try? set(&crtc) }
        try? device.perform(PIP_DRM_DROP_MASTER)
    }

    package var descriptor: Int32 { device.descriptor }

    package var hasOutput: Bool { false }

    package var isReady: Bool { !isFlipping }

    package var nextCheck: Timestamp? { checkTime }

    package func work() throws(DisplayLoss) {
        try check()
        while true {
            let count = unsafe read(device.descriptor, &events, events.count)
            guard count > 0 else { return }
            var place = 0
            while place + 8 <= count {
                let length = Int(events.number32(at: place + 4))
                if events.number32(at: place) == UInt32(DRM_EVENT_FLIP_COMPLETE) { isFlipping = false }
                place += max(8, length)
            }
        }
    }

    private func check() throws(DisplayLoss) {
        guard clock.now >= checkTime else { return }
        checkTime = clock.now.advanced(by: Self.checkInterval)
        do throws(Errno) {
            if try device.isConnected(connector) { return }
        } catch {
            throw .lost("\(device.path) is gone: \(error)")
        }
        throw .lost("\(device.path) \(connector.name): the screen was unplugged, or switched off")
    }

    package func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {
        let next = shown == 0 ? 1 : 0
        unsafe pictures[next].paint(paint)
        do throws(Errno) {
            if shown == nil { try setMode(pictures[next].identifier) } else { try flip(to: pictures[next].identifier) }
        } catch {
            let reason =
                [.permissionDenied, .notPermitted].contains(error)
                ? "another program has taken the screen" : "the screen does not take a picture: \(error)"
            throw .lost("\(device.path) \(connector.name): \(reason)")
        }
        shown = next
        needsPicture = false
    }

    private func setMode(_ picture: UInt32) throws(Errno) {
        var crtc = drm_mode_crtc()
        (crtc.crtc_id, crtc.fb_id, crtc.mode_valid) = (controller, picture, 1)
        crtc.mode = connector.modes[0]
        try set(&crtc)
    }

    private func set(_ crtc: inout drm_mode_crtc) throws(Errno) {
        var connectors = [connector.identifier]
        crtc.count_connectors = 1
        try device.withAddress(of: &connectors) { connectors throws(Errno) in
            crtc.set_connectors_ptr = connectors
            try device.perform(PIP_DRM_SET_CRTC, &crtc)
        }
    }

    private func flip(to picture: UInt32) throws(Errno) {
        var request = drm_mode_crtc_page_flip()
        (request.crtc_id, request.fb_id) = (controller, picture)
        request.flags = UInt32(DRM_MODE_PAGE_FLIP_EVENT)
        try device.perform(PIP_DRM_PAGE_FLIP, &request)
        isFlipping = true
    }
}
