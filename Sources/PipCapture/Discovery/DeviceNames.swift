/// The names that udev's rules give to video nodes, for machines where udev does not run.
///
/// Source: systemd, `rules.d/60-persistent-v4l.rules`, `udev-builtin-usb_id.c` and `udev-builtin-path_id.c`.
enum DeviceNames {
    /// The name in `/dev/v4l/by-id`: `usb-046d_HD_Webcam_C525_A1B2C3-video-index0`.
    static func byID(_ usb: USBIdentity, index: Int) -> String {
        let parts = [usb.manufacturer ?? usb.vendor, usb.productName ?? usb.product, usb.serial].compactMap(\.self)
        return "usb-\(parts.map(replacingOddCharacters).joined(separator: "_"))-video-index\(index)"
    }

    /// The name in `/dev/v4l/by-path`: `pci-0000:00:14.0-usb-0:2:1.0-video-index0`.
    ///
    /// - Parameters:
    ///   - link: The target of the link `/sys/class/video4linux/videoN`:
    ///     `../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/video4linux/video0`.
    ///   - index: The node's index among the nodes of its device, from 0.
    /// - Returns: The name; nil for a device on a bus that udev does not name.
    static func byPath(link: String, index: Int) -> String? {
        let folders = link.split(separator: "/").map(String.init)
        guard let end = folders.firstIndex(of: "video4linux") else { return nil }
        let parents = folders[..<end]
        var parts: [String] = []
        if let controller = parents.last(where: isPCIAddress) {
            parts.append("pci-\(controller)")
        } else if let platform = parents.firstIndex(of: "platform"), platform + 1 < end {
            // The buses of a system on a chip nest; the last folder outside USB is the device.
            let device = parents[(platform + 1)...].last { !isUSBRoot($0) && !isUSBPort($0) }
            if let device { parts.append("platform-\(device)") }
        }
        if let interface = parents.last(where: { isUSBPort($0) && $0.contains(":") }),
            let dash = interface.firstIndex(of: "-")
        {
            parts.append("usb-0:\(interface[interface.index(after: dash)...])")
        }
        return parts.isEmpty ? nil : "\(parts.joined(separator: "-"))-video-index\(index)"
    }

    /// Sets every camera's stable name, and its ambiguity where units cannot be told apart.
    static func nameStably(_ cameras: inout [CameraDevice]) {
        let units = counts(cameras.map(unit))
        let paths = counts(cameras.map(\.byPath))
        let buses = counts(cameras.map(\.busInfo))
        for index in cameras.indices {
            let camera = cameras[index]
            let sameUnit = units[unit(of: camera), default: 0]
            if camera.usb?.serial != nil, sameUnit == 1, let name = camera.byID {
                cameras[index].stableName = name
            } else if let name = camera.byPath, paths[name] == 1 {
                cameras[index].stableName = name
            } else if !camera.busInfo.isEmpty, buses[camera.busInfo] == 1 {
                cameras[index].stableName = camera.busInfo
            } else {
                cameras[index].stableName = camera.path
                cameras[index].ambiguity =
                    camera.busInfo.isEmpty && camera.byPath == nil
                    ? "no serial number and no bus path tells this camera from others"
                    : "another camera has the same bus path, and no serial number tells the cameras apart"
                continue
            }
            if let usb = camera.usb, sameUnit > 1 {
                let serial = usb.serial.map { "share the serial number \($0)" } ?? "have no serial number"
                cameras[index].ambiguity = "\(sameUnit) cameras of this model \(serial): named by port, not by unit"
            }
        }
    }

    private static func counts<Key: Hashable>(_ keys: [Key]) -> [Key: Int] {
        keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func unit(of camera: CameraDevice) -> String {
        let usb = camera.usb
        return "\(usb?.vendor ?? "")/\(usb?.product ?? "")/\(usb?.serial ?? "")/\(camera.index)"
    }

    private static func replacingOddCharacters(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "#+-.:=@_".contains($0)) ? $0 : "_" })
    }

    /// True for a PCI address such as `0000:00:14.0`.
    private static func isPCIAddress(_ name: String) -> Bool {
        let parts = name.split(separator: ":")
        guard parts.count == 3, parts[0].count == 4, parts[2].contains(".") else { return false }
        return parts.allSatisfy { $0.allSatisfy { $0.isHexDigit || $0 == "." } }
    }

    /// True for a root hub such as `usb1`.
    private static func isUSBRoot(_ name: String) -> Bool { name.hasPrefix("usb") && Int(name.dropFirst(3)) != nil }

    /// True for a USB port such as `1-2.4`, and for an interface at a port such as `1-2.4:1.0`.
    private static func isUSBPort(_ name: String) -> Bool {
        let halves = name.split(separator: "-", maxSplits: 1)
        guard halves.count == 2, Int(halves[0]) != nil else { return false }
        return halves[1].allSatisfy { $0.isNumber || $0 == "." || $0 == ":" }
    }
}
