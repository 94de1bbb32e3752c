/// The cameras of one device: both eyes of a stereo camera, or a picture in colour and one in infrared.
///
/// Each has a node, formats and a stream of its own, and is selected by itself.
public struct CameraGroup: Sendable, Hashable {
    /// The device's name: what its cameras have in common.
    public let name: String
    /// Its cameras, by their nodes' numbers; two or more.
    public let cameras: [CameraDevice]
}

extension CameraGroup {
    /// The devices with several cameras among those that were found, in their order.
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
            // What each of a device's functions is follows the device's name: `Lab Camera: Infrared`.
            let devices = members.map { $0.card.prefix { $0 != ":" } }.map(String.init)
            let common = devices.dropFirst().reduce(devices[0]) { $0.commonPrefix(with: $1) }
            let name = common.isEmpty ? members[0].usb?.productName ?? members[0].card : common
            return CameraGroup(name: Set(devices).count == 1 ? devices[0] : name, cameras: members)
        }
    }
}

extension CameraDevice {
    /// True when two nodes are of one device: on a USB port there is only one, and test drivers have several devices
    /// with names of their own.
    fileprivate func isOneDevice(with other: CameraDevice) -> Bool {
        busInfo == other.busInfo && driver == other.driver && usb?.product == other.usb?.product
            && usb?.vendor == other.usb?.vendor
    }
}

extension String {
    /// The words that two names begin with.
    fileprivate func commonPrefix(with other: String) -> String {
        let same = zip(split(separator: " "), other.split(separator: " ")).prefix { $0.0 == $0.1 }
        return same.map { String($0.0) }.joined(separator: " ")
    }
}
