internal import PipFrames

/// Discovers microphones from the kernel's files about ALSA's devices, without opening a device.
public struct AudioDirectory: Sendable {
    private let files: SoundFiles

    /// Creates a directory of this machine's microphones.
    public init() { self.init(root: "/") }

    /// Creates a directory of the microphones in a tree of files, for tests.
    ///
    /// - Parameter root: The folder that stands for `/`.
    package init(root: String) { files = SoundFiles(root: root) }

    /// Lists all capture devices, sorted by the number of the card, then of the device.
    ///
    /// - Returns: The devices; empty when no card has a capture device.
    /// - Throws: ``SoundError`` when the kernel has no sound system, or hides it.
    public func microphones() throws(SoundError) -> [AudioDevice] {
        guard let folders = files.names(in: "proc/asound") else {
            throw SoundError(
                .unavailable, subject: "/proc/asound", operation: "list microphones",
                reason: "the kernel has no sound system, or does not show it here",
                hint: "`sudo modprobe snd-usb-audio` loads the driver of USB microphones; "
                    + "a container needs --device /dev/snd")
        }
        let cards = folders.compactMap { name in name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil }
        var devices = cards.sorted().flatMap(devices(ofCard:))
        Self.nameStably(&devices)
        return devices
    }

    /// Finds the microphone that `name` refers to.
    ///
    /// ALSA's default device cannot be chosen, because other programs select it and change its level.
    ///
    /// - Parameter name: ALSA's name with the card's identifier or number, a USB port, the index in ``microphones()``,
    ///   the card's identifier, or a part of the card's name.
    /// - Returns: The microphone.
    /// - Throws: ``SoundError`` when no microphone fits (the error lists all microphones), when several fit (the error
    ///   lists their stable names), or when the kernel has no sound system or hides it.
    public func microphone(named name: String) throws(SoundError) -> AudioDevice {
        let devices = try microphones()
        if let index = Int(name), devices.indices.contains(index) { return devices[index] }
        let exact = devices.filter { device in
            [device.name, device.numberedName, device.portName, device.stableName, device.card].contains(name)
        }
        let wanted = name.lowercased()
        let found = exact.isEmpty && !wanted.isEmpty ? devices.filter { $0.isNamed(wanted) } : exact
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            throw SoundError(
                .ambiguous, subject: name, operation: "choose a microphone", reason: "\(found.count) microphones fit",
                hint: "say which: " + found.map(\.stableName).joined(separator: " or "))
        }
        let list = devices.map { "\($0.stableName) (\($0.card))" }.joined(separator: ", ")
        throw SoundError(
            .notFound, subject: name.isEmpty ? "\"\"" : name, operation: "find the microphone",
            reason: "no microphone has this name",
            hint: devices.isEmpty ? "there is no microphone" : "the microphones are \(list)")
    }

    private func devices(ofCard number: Int) -> [AudioDevice] {
        let folder = "proc/asound/card\(number)"
        guard let id = files.text(of: "\(folder)/id"), !id.isEmpty else { return [] }
        let captures = (files.names(in: folder) ?? []).compactMap { name in
            name.hasPrefix("pcm") && name.hasSuffix("c") ? Int(name.dropFirst(3).dropLast()) : nil
        }
        let card = SoundCard(
            id: id, name: cardName(number) ?? id, number: number, usbPort: usbPort(ofCard: number),
            usbID: files.text(of: "\(folder)/usbid"))
        return captures.sorted().compactMap { device in
            guard let info = files.text(of: "\(folder)/pcm\(device)c/info") else { return nil }
            return AudioDevice(
                of: card, device: device, stream: SoundFiles.value(of: "name", in: info) ?? "",
                isInUse: SoundFiles.value(of: "subdevices_avail", in: info) == "0")
        }
    }

    /// The card's name in `/proc/asound/cards`, from lines such as ` 1 [C920 ]: USB-Audio - HD Pro Webcam C920`.
    private func cardName(_ number: Int) -> String? {
        for line in (files.text(of: "proc/asound/cards") ?? "").split(separator: "\n") {
            guard let bracket = line.firstIndex(of: "["), Int(line[..<bracket].trimmed) == number,
                let end = line.firstRange(of: "]: "), let dash = line[end.upperBound...].firstRange(of: " - ")
            else { continue }
            return line[dash.upperBound...].trimmed
        }
        return nil
    }

    private func usbPort(ofCard number: Int) -> String? {
        files.resolved("sys/class/sound/card\(number)/device").flatMap(Self.usbPort(ofDevice:))
    }

    /// The USB port of a device in the notation of the kernel's `usb_make_path`, which V4L2's `bus_info` uses, too.
    ///
    /// - Parameter folder: The device's folder in sysfs: `/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.2`.
    /// - Returns: The controller and the port, `usb-0000:00:14.0-2`; nil for a device on another bus.
    static func usbPort(ofDevice folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard let bus = parts.lastIndex(where: { $0.hasPrefix("usb") && Int($0.dropFirst(3)) != nil }), bus > 0,
            let port = parts[bus...].dropFirst().last(where: { !$0.contains(":") && $0.contains("-") }),
            let dash = port.firstIndex(of: "-")
        else { return nil }
        return "usb-\(parts[bus - 1])-\(port[port.index(after: dash)...])"
    }

    /// Names the devices of cards of one model after their USB ports.
    ///
    /// The kernel gives such cards their identifiers in order of arrival. Devices without a USB port keep ALSA's name.
    private static func nameStably(_ devices: inout [AudioDevice]) {
        for index in devices.indices {
            let device = devices[index]
            let alike = Set(devices.filter { $0.card == device.card && $0.usbID == device.usbID }.map(\.cardNumber))
            guard alike.count > 1 else { continue }
            devices[index].stableName = device.portName ?? device.name
            devices[index].ambiguity =
                "\(alike.count) cards of this model have identifiers in the order in which the kernel found them"
                + (device.portName == nil ? "" : ", so this device is named by port")
        }
    }
}

extension AudioDevice {
    /// True when the card's name contains `letters`, or the card's identifier equals `letters`, which are in lower
    /// case.
    fileprivate func isNamed(_ letters: String) -> Bool {
        card.lowercased().contains(letters) || name.lowercased().contains("card=\(letters),")
    }
}
