#if Media
internal import CGStreamer
internal import PipFrames

/// A camera as PipeWire describes the camera's node: names, serial number, priority and sizes.
struct PipeWireCamera: Sendable, Equatable {
    /// The camera's human-readable name: `Integrated Camera (V4L2)`.
    let name: String
    /// The name of the camera's node: `v4l2_input.pci-0000_00_14.0-usb-0_1_1.0`.
    let nodeName: String
    /// The node's serial number in PipeWire, by which `pipewiresrc` selects the camera.
    let serial: String
    /// The node's session priority; the desktop's default camera has the highest.
    let priority: Int
    /// The sizes that the camera is known to deliver, the smallest first; empty for a camera that lists none.
    let sizes: [PixelSize]

    /// The GStreamer element that reads the cameras of PipeWire.
    static let element = "pipewiresrc"

    /// Lists the cameras that a connection shows, the default camera first.
    ///
    /// The connection cannot be used after this call, because GStreamer's device provider closes the server's end.
    static func all(_ remote: PipeWireRemote) -> [PipeWireCamera] {
        guard let provider = unsafe pip_pipewire_provider(remote.descriptor) else { return [] }
        return unsafe DeviceList.devices(of: provider, starts: startsProvider) { unsafe PipeWireCamera($0) }.sorted {
            ($1.priority, Int($0.serial) ?? 0) < ($0.priority, Int($1.serial) ?? 0)
        }
    }

    /// True where PipeWire's provider must be started to list devices.
    ///
    /// PipeWire 1.4 releases devices that a provider lists without being started. PipeWire 0.3 releases objects twice
    /// when a provider stops, if a camera comes or goes meanwhile ("Assertion `proxy->refcount > 0' failed").
    private static var startsProvider: Bool {
        GStreamer.version(ofPlugin: "pipewire").map { !$0.hasPrefix("0.") } ?? true
    }

    init(name: String, nodeName: String, serial: String, priority: Int = 0, sizes: [PixelSize] = []) {
        (self.name, self.nodeName, self.serial) = (name, nodeName, serial)
        (self.priority, self.sizes) = (priority, sizes)
    }

    private init?(_ device: UnsafeMutablePointer<GstDevice>) {
        guard let properties = unsafe gst_device_get_properties(device) else { return nil }
        defer { unsafe gst_structure_free(properties) }
        func property(_ key: String) -> String? {
            unsafe gst_structure_get_string(properties, key).map { unsafe String(cString: $0) }
        }
        // Outside a sandbox, PipeWire also lists screen shares as video sources.
        guard property("media.class") == "Video/Source", property("media.role") == "Camera",
            let serial = property("object.serial")
        else { return nil }
        let nodeName = property("node.name") ?? ""
        self.init(
            name: property("node.description") ?? nodeName, nodeName: nodeName, serial: serial,
            priority: property("priority.session").flatMap { Int($0) } ?? 0, sizes: unsafe PixelSize.all(of: device))
    }

    /// Finds a camera by its name, its node's name or a part of either; finds the default camera for nil.
    ///
    /// A part may be in small or capital letters.
    ///
    /// - Throws: ``MediaError`` when no camera matches, or when several do.
    static func find(_ text: String?, among cameras: [PipeWireCamera]) throws(MediaError) -> PipeWireCamera {
        guard let text else {
            if let usual = cameras.first { return usual }
            throw MediaError(kind: .network, reason: "the camera portal shows no camera: plug one in")
        }
        if let exact = cameras.first(where: { $0.name == text || $0.nodeName == text }) { return exact }
        let part = text.lowercased()
        let fitting = cameras.filter { $0.name.lowercased().contains(part) || $0.nodeName.lowercased().contains(part) }
        return try DeviceList.only(
            fitting, among: cameras, name: \.name, absence: "the camera portal shows no camera: plug one in",
            owner: "the camera portal")
    }
}

extension PixelSize {
    /// The sizes that a GStreamer device is known to deliver, the smallest first.
    static func all(of device: UnsafeMutablePointer<GstDevice>) -> [PixelSize] {
        guard let caps = unsafe gst_device_get_caps(device) else { return [] }
        defer { unsafe gst_caps_unref(caps) }
        var sizes: Set<PixelSize> = []
        for index in 0..<(unsafe gst_caps_get_size(caps)) {
            var (width, height): (gint, gint) = (0, 0)
            guard let structure = unsafe gst_caps_get_structure(caps, index),
                unsafe gst_structure_get_int(structure, "width", &width) != 0,
                unsafe gst_structure_get_int(structure, "height", &height) != 0
            else { continue }
            sizes.insert(PixelSize(Int(width), Int(height)))
        }
        return sizes.sorted { ($0.area, $0.width) < ($1.area, $1.width) }
    }

    /// The camera's size that is nearest to the requested one; the requested size itself when `sizes` is empty.
    static func nearest(to size: PixelSize, among sizes: [PixelSize]) -> PixelSize {
        func distance(_ other: PixelSize) -> Int { abs(other.width - size.width) + abs(other.height - size.height) }
        return sizes.min { distance($0) < distance($1) } ?? size
    }
}
#endif
