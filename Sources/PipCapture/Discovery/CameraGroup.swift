/// The cameras of one device: both eyes of a stereo camera, or a colour and an infrared camera.
///
/// Use groups to present such cameras together in a user interface. Each camera has its own node, formats and stream,
/// and is selected individually.
public struct CameraGroup: Sendable, Hashable {
    /// The device's name: the words with which all its cameras' names begin.
    ///
    /// Without such words, the name is the USB product's name, or else the first camera's name.
    public let name: String
    /// The two or more cameras, in the order of the list that was grouped.
    public let cameras: [CameraDevice]
}

extension CameraGroup {
    /// Groups the given cameras by device.
    ///
    /// Devices with one camera, and cameras without bus information, are left out.
    public static func groups(of cameras: [CameraDevice]) -> [CameraGroup] {
        var groups: [[CameraDevice]] = []
        for camera in cameras where !camera.busInfo.isEmpty {
            if let index = groups.firstIndex(where: { $0[0].isOneDevice(with: camera) }) {
                groups[index].append(camera)
            } else {
                groups.append([camera])
            }
        }
        return groups.filter { $0.count > 1 }.map { members in
            // A camera's name may be the device's name and its function: `Lab Camera: Infrared`.
            let devices = members.map { $0.card.prefix { $0 != ":" } }.map(String.init)
            let common = devices.dropFirst().reduce(devices[0]) { $0.commonPrefix(with: $1) }
            let name = common.isEmpty ? members[0].usb?.productName ?? members[0].card : common
            return CameraGroup(name: Set(devices).count == 1 ? devices[0] : name, cameras: members)
        }
    }
}

extension CameraDevice {
    /// True when two nodes belong to one device.
    ///
    /// Cameras with equal bus information, driver, USB vendor and USB product belong to one device.
    fileprivate func isOneDevice(with other: CameraDevice) -> Bool {
        busInfo == other.busInfo && driver == other.driver && usb?.product == other.usb?.product
            && usb?.vendor == other.usb?.vendor
    }
}

extension String {
    /// The first words that both names have in common.
    fileprivate func commonPrefix(with other: String) -> String {
        let same = zip(split(separator: " "), other.split(separator: " ")).prefix { $0.0 == $0.1 }
        return same.map { String($0.0) }.joined(separator: " ")
    }
}
