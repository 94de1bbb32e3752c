import Foundation

/// A folder of files like those in which the kernel describes sound cards.
package final class SoundTree: Sendable {
    private let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    /// The folder that stands for `/`.
    package var root: String { folder.url.path }

    /// Writes a file, and makes its folders.
    package func write(_ text: String, to path: String) throws {
        let url = folder.url.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Adds a sound card.
    ///
    /// The path `device` is relative to `/sys/devices`, and `captures` are the numbers of the recording devices.
    package func add(
        _ number: Int, id: String, name: String, device: String, usbID: String? = nil, captures: [Int],
        isBusy: Bool = false
    ) throws {
        let cards = folder.url.appending(path: "proc/asound/cards")
        let before = (try? String(contentsOf: cards, encoding: .utf8)) ?? ""
        let padded = id.padding(toLength: 15, withPad: " ", startingAt: 0)
        try write("\(before) \(number) [\(padded)]: USB-Audio - \(name)\n    \(name) at …\n", to: "proc/asound/cards")
        let card = "proc/asound/card\(number)"
        try write("\(id)\n", to: "\(card)/id")
        try write("PLAYBACK", to: "\(card)/pcm7p/info")
        if let usbID { try write("\(usbID)\n", to: "\(card)/usbid") }
        for capture in captures {
            let info = """
                card: \(number)
                device: \(capture)
                subdevice: 0
                stream: CAPTURE
                id: USB Audio
                name: USB Audio
                subname: subdevice #0
                class: 0
                subclass: 0
                subdevices_count: 1
                subdevices_avail: \(isBusy ? 0 : 1)
                """
            try write(info, to: "\(card)/pcm\(capture)c/info")
        }
        try write("", to: "sys/devices/\(device)/uevent")
        let sound = folder.url.appending(path: "sys/class/sound/card\(number)")
        try FileManager.default.createDirectory(at: sound, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: sound.appending(path: "device").path, withDestinationPath: "../../../devices/\(device)")
    }
}
