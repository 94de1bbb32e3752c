internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// The memory for one picture, from which a device can feed a screen.
@safe final class ScreenPicture {
    /// The kernel's identifier of the picture (framebuffer).
    private(set) var identifier: UInt32 = 0
    private(set) var stride = 0
    private let device: ScreenDevice
    private var handle: UInt32 = 0
    private var byteCount = 0
    private var memory: UnsafeMutableRawPointer?

    /// - Throws: `Errno` when the memory of the picture cannot be allocated or mapped.
    init(_ size: PixelSize, on device: ScreenDevice) throws(Errno) {
        self.device = device
        var buffer = drm_mode_create_dumb()
        (buffer.width, buffer.height, buffer.bpp) = (UInt32(size.width), UInt32(size.height), 32)
        try device.perform(PIP_DRM_CREATE_DUMB, &buffer)
        handle = buffer.handle
        (stride, byteCount) = (Int(buffer.pitch), Int(buffer.size))
        var picture = drm_mode_fb_cmd()
        (picture.width, picture.height, picture.pitch) = (buffer.width, buffer.height, buffer.pitch)
        (picture.bpp, picture.depth, picture.handle) = (32, 24, handle)
        try device.perform(PIP_DRM_ADD_FRAMEBUFFER, &picture)
        identifier = picture.fb_id
        var map = drm_mode_map_dumb()
        map.handle = handle
        try device.perform(PIP_DRM_MAP_DUMB, &map)
        var start: UnsafeMutableRawPointer?
        let result = unsafe pip_display_map(device.descriptor, byteCount, Int64(map.offset), &start)
        if result < 0 { throw Errno(rawValue: -result) }
        unsafe memory = unsafe start
    }

    deinit {
        if let memory = unsafe memory { unsafe munmap(memory, byteCount) }
        if identifier != 0 { try? device.perform(PIP_DRM_REMOVE_FRAMEBUFFER, &identifier) }
        var buffer = drm_mode_destroy_dumb()
        buffer.handle = handle
        if handle != 0 { try? device.perform(PIP_DRM_DESTROY_DUMB, &buffer) }
    }

    func paint(_ paint: (UnsafeMutableRawPointer, Int) -> Void) {
        if let memory = unsafe memory { unsafe paint(memory, stride) }
    }
}
