extension AudioDevice {
    /// Finds the microphone in a camera: the capture device of the same USB device.
    ///
    /// - Parameters:
    ///   - usbPort: The camera's port, V4L2's `bus_info`: `usb-0000:00:14.0-2`.
    ///   - devices: The microphones of the machine.
    /// - Returns: The first capture device of the USB device; nil when it has none, or the camera is on another bus.
    public static func microphone(ofCameraAt usbPort: String, among devices: [AudioDevice]) -> AudioDevice? {
        devices.first { $0.usbPort == usbPort }
    }
}
