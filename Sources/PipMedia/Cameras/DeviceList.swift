#if Media
internal import CGStreamer
internal import PipFrames

/// Functions that list and find cameras among the devices of GStreamer's device providers.
enum DeviceList {
    /// Reads the devices that a provider lists.
    ///
    /// Takes over the provider's reference, and skips devices for which `read` returns nil.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - starts: True to start the provider for the time of the reading.
    ///   - read: Makes a camera of a device.
    /// - Returns: The cameras, in the provider's order.
    @unsafe static func devices<Camera>(
        of provider: UnsafeMutablePointer<GstDeviceProvider>, starts: Bool = false,
        _ read: (UnsafeMutablePointer<GstDevice>) -> Camera?
    ) -> [Camera] {
        defer { unsafe gst_object_unref(provider) }
        let isStarted = unsafe starts && gst_device_provider_start(provider) != 0
        defer { if isStarted { unsafe gst_device_provider_stop(provider) } }
        let devices = unsafe gst_device_provider_get_devices(provider)
        defer { unsafe g_list_free_full(devices) { unsafe gst_object_unref($0) } }
        var cameras: [Camera] = []
        var entry = unsafe devices
        while let found = unsafe entry {
            if let data = unsafe found.pointee.data {
                let device = unsafe data.assumingMemoryBound(to: GstDevice.self)
                if let camera = unsafe read(device) { cameras.append(camera) }
            }
            unsafe entry = unsafe found.pointee.next
        }
        return cameras
    }

    /// Returns the only camera whose name matches, or says why there is not exactly one.
    ///
    /// - Parameters:
    ///   - fitting: The cameras that match.
    ///   - cameras: All cameras, for the message when no camera matches.
    ///   - name: The property with a camera's name.
    ///   - absence: The message when `cameras` is empty.
    ///   - owner: The name of the cameras' owner in messages, such as "libcamera".
    /// - Returns: The only element of `fitting`.
    /// - Throws: ``MediaError`` when no camera matches, or when several do.
    static func only<Camera>(
        _ fitting: [Camera], among cameras: [Camera], name: KeyPath<Camera, String>, absence: String, owner: String
    ) throws(MediaError) -> Camera {
        if fitting.count == 1 { return fitting[0] }
        let names = (fitting.isEmpty ? cameras : fitting).map { $0[keyPath: name] }.joined(separator: ", ")
        guard fitting.isEmpty else {
            throw MediaError(
                kind: .failed,
                reason: "\(fitting.count) cameras have this text in their names; write more of one name: \(names)")
        }
        throw MediaError(kind: .network, reason: cameras.isEmpty ? absence : "\(owner) has only \(names)")
    }
}
#endif
