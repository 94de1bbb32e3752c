#if Media
internal import CGStreamer
public import PipFrames

/// A camera that libcamera drives: a sensor behind an image signal processor, as on a Raspberry Pi, or a USB camera.
///
/// List the cameras with ``all()``, to let a user choose one. ``LibcameraSource`` shows a camera.
public struct LibcameraCamera: Sendable, Hashable, CustomStringConvertible {
    /// The camera's name in libcamera, which stays the same after a restart: `/base/soc/i2c0mux/i2c@1/imx219@10`.
    public let name: String
    /// The sizes that the camera is known to deliver, the smallest first; empty for a camera that lists none, such as
    /// one that scales to any size within a range.
    public let sizes: [PixelSize]

    public var description: String { "camera:libcamera:\(name)" }

    /// The GStreamer element that reads the cameras of libcamera.
    static let element = "libcamerasrc"

    /// True where GStreamer's libcamera plugin is installed.
    public static var isInstalled: Bool { GStreamer.has(element) }

    /// Lists the cameras that libcamera finds, sorted by name; empty where GStreamer's libcamera plugin is missing.
    ///
    /// Thread: any. Blocks for some tenths of a second, because libcamera opens the devices of the cameras.
    public static func all() -> [LibcameraCamera] {
        guard isInstalled, let provider = unsafe gst_device_provider_factory_get_by_name("libcameraprovider") else {
            return []
        }
        return unsafe DeviceList.devices(of: provider) { unsafe LibcameraCamera($0) }.sorted { $0.name < $1.name }
    }

    private init?(_ device: UnsafeMutablePointer<GstDevice>) {
        guard let text = unsafe gst_device_get_display_name(device) else { return nil }
        defer { unsafe g_free(text) }
        name = unsafe String(cString: text)
        sizes = unsafe PixelSize.all(of: device)
    }

    /// Finds a camera by its name or a part of its name, in small or capital letters.
    ///
    /// The text `first` finds the camera whose name comes first in alphabetical order.
    ///
    /// - Throws: ``MediaError`` when libcamera is missing, when no camera matches, or when several do.
    static func find(_ text: String, among cameras: [LibcameraCamera]) throws(MediaError) -> LibcameraCamera {
        guard isInstalled || !cameras.isEmpty else { throw GStreamer.missing([element]) }
        if let exact = cameras.first(where: { $0.name == text }) { return exact }
        let fitting = text == "first" ? Array(cameras.prefix(1)) : cameras.filter { $0.hasInName(text) }
        return try DeviceList.only(
            fitting, among: cameras, name: \.name, absence: "libcamera finds no camera", owner: "libcamera")
    }

    private func hasInName(_ text: String) -> Bool { name.lowercased().contains(text.lowercased()) }
}

#endif
