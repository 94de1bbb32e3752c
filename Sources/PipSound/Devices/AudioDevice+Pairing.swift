extension AudioDevice {
    /// The microphone in the same housing as a camera: that of the same USB device.
    ///
    /// - Parameters:
    ///   - usbPort: The camera's port, V4L2's `bus_info`: `usb-0000:00:14.0-2`.
    ///   - devices: The microphones of the machine.
    /// - Returns: Its first capture device; nil when the camera has no microphone, or is on another bus.
    public static func microphone(ofCameraAt usbPort: String, among devices: [AudioDevice]) -> AudioDevice? {
        devices.first { $0.usbPort == usbPort }
    }
}
