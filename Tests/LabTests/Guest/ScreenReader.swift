import CDisplay
import Glibc
import PipFrames
import PipTestSupport
import SystemPackage

@testable import PipDisplay

/// Reads the contents of a screen from the kernel, which only root may do.
enum ScreenReader {
    /// The picture that the first controller (CRTC) of the first device shows.
    ///
    /// - Throws: `Errno`, for example if the controller shows no picture.
    static func read() throws -> ShownPicture {
        guard let path = ScreenDirectory().devices.first else { throw Errno.noSuchFileOrDirectory }
        let device = try ScreenDevice(path)
        var controller = drm_mode_crtc()
        controller.crtc_id = try device.resources().controllers[0]
        try device.perform(PIP_DRM_GET_CRTC, &controller)
        var picture = drm_mode_fb_cmd()
        picture.fb_id = controller.fb_id
        try device.perform(PIP_DRM_GET_FRAMEBUFFER, &picture)
        var map = drm_mode_map_dumb()
        map.handle = picture.handle
        try device.perform(PIP_DRM_MAP_DUMB, &map)
        let size = PixelSize(Int(picture.width), Int(picture.height))
        let count = Int(picture.pitch) * size.height
        var start: UnsafeMutableRawPointer?
        let result = unsafe pip_display_map(device.descriptor, count, Int64(map.offset), &start)
        guard result == 0, let start = unsafe start else { throw Errno(rawValue: -result) }
        defer { unsafe munmap(start, count) }
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let word = unsafe start.load(fromByteOffset: y * Int(picture.pitch) + 4 * x, as: UInt32.self)
                for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(word >> shift & 255)) }
            }
        }
        return ShownPicture(size: size, bytes: bytes)
    }
}
