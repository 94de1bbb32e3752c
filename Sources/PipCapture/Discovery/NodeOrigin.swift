/// A node's index, USB identity and udev names.
struct NodeOrigin {
    /// The identity in the USB descriptors; nil for cameras on other buses.
    let usb: USBIdentity?
    /// The node's index among the nodes of its device, from 0.
    let index: Int
    /// The node's name in `/dev/v4l/by-id`, derived by udev's rule where udev does not run; nil if the rule gives none.
    let byID: String?
    /// The node's name in `/dev/v4l/by-path`, derived by udev's rule where udev does not run; nil if the rule gives
    /// none.
    let byPath: String?

    /// Reads a node's index, USB identity and udev links from sysfs and `/dev/v4l`.
    init(_ path: String, _ calls: any V4L2Calls) {
        // The path may be a link in `/dev`.
        let name = String((calls.target(ofLink: path) ?? path).split(separator: "/").last ?? "")
        let folder = "/sys/class/video4linux/\(name)"
        let index = calls.text(of: "\(folder)/index").flatMap { Int($0) } ?? 0
        func udevName(in folder: String) -> String? {
            calls.names(in: folder).sorted().first {
                calls.target(ofLink: "\(folder)/\($0)")?.hasSuffix("/\(name)") == true
            }
        }
        // The node belongs to a USB interface, whose parent is the USB device.
        let usb = USBIdentity(folder: "\(folder)/device/..", calls)
        self.usb = usb
        self.index = index
        byID = udevName(in: "/dev/v4l/by-id") ?? usb.map { DeviceNames.byID($0, index: index) }
        byPath =
            udevName(in: "/dev/v4l/by-path")
            ?? calls.target(ofLink: folder).flatMap { DeviceNames.byPath(link: $0, index: index) }
    }
}

extension USBIdentity {
    /// Reads a USB device's folder in sysfs; returns nil for a folder of another device.
    fileprivate init?(folder: String, _ calls: any V4L2Calls) {
        guard let vendor = calls.text(of: "\(folder)/idVendor"), let product = calls.text(of: "\(folder)/idProduct")
        else { return nil }
        func text(_ file: String) -> String? { calls.text(of: "\(folder)/\(file)").flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            vendor: vendor, product: product, serial: text("serial"), manufacturer: text("manufacturer"),
            productName: text("product"))
    }
}
