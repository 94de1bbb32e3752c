internal import CPlatform
internal import PipFrames
internal import SystemPackage

/// Reads under-voltage and throttling of a Raspberry Pi, from the firmware's sysfs file and its mailbox.
///
/// The file always reads 0 on some systems, so the file and the mailbox are both read where both exist.
struct RaspberryPiFirmware: SensorReader {
    private static let source = "Raspberry Pi firmware"
    private static let platform = "sys/devices/platform"

    /// Reads the flags from the mailbox, and returns nil when that fails.
    ///
    /// The property is nil when only files are read.
    private let mailbox: (@Sendable () -> UInt32?)?
    private var file: String?
    private var hasMailbox = false

    init(mailbox: (@Sendable () -> UInt32?)? = nil) { self.mailbox = mailbox }

    /// Returns a reader of the mailbox device at a path, such as `/dev/vcio`.
    static func mailbox(at path: String) -> @Sendable () -> UInt32? {
        {
            var flags: UInt32 = 0
            return unsafe pip_firmware_throttled(path, &flags) == 0 ? flags : nil
        }
    }

    mutating func scan(_ files: some SensorFiles) {
        file = nil
        for soc in files.names(in: Self.platform).sorted() where soc.hasPrefix("soc") {
            for device in files.names(in: "\(Self.platform)/\(soc)") where device.hasSuffix("firmware") {
                let path = "\(Self.platform)/\(soc)/\(device)/get_throttled"
                if (try? files.text(of: path)) != nil { file = path }
            }
        }
        hasMailbox = mailbox?() != nil
    }

    func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample]) {
        let told = hasMailbox ? mailbox?() : nil
        if let file {
            samples.append(
                files.sample(Self.source, at: file) { text in
                    guard let flags = UInt32(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16) else {
                        return nil
                    }
                    return .firmware(FirmwareFlags(rawValue: flags | (told ?? 0)))
                })
        } else if hasMailbox {
            samples.append(
                RawSample(
                    source: Self.source,
                    result: told.map { .success(.firmware(FirmwareFlags(rawValue: $0))) }
                        ?? .failure(.unreadable(.ioError))))
        }
    }
}
