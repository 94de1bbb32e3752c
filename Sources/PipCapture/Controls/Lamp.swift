public import SystemPackage

/// A light beside a camera, of the kernel's LED class: a torch, a flash, or what illuminates the scene for it.
///
/// Cameras that have their light among their controls are told by ``CameraAdjustments/torch``.
///
/// Source: Linux, "LED handling under Linux": names are `device:colour:function`.
public struct Lamp: Sendable, Hashable {
    /// The kernel's name of it: `pca9685:white:torch`.
    public let name: String
    /// The brightness of the driver's at full light.
    public let maximum: Int
    private let folder: FilePath

    /// Functions that are lights for a camera.
    private static let functions: Set = ["torch", "flash", "illumination", "illuminator"]
    private static let own = FilePath("/sys/class/leds")

    /// The lamps of this machine, by their names.
    ///
    /// - Parameter root: The folder of the LED class, in place of the kernel's.
    /// - Returns: What is a torch, a flash or an illumination by its name.
    public static func all(in root: FilePath? = nil) -> [Lamp] {
        let root = root ?? own
        let calls = KernelCalls()
        return calls.names(in: root.string).sorted().compactMap { name in
            let function = name.split(separator: ":", omittingEmptySubsequences: false).last.map(String.init) ?? ""
            // A second one of its kind has a number behind it.
            let kind = String(function.prefix { $0 != "-" && $0 != "_" })
            let folder = root.appending(name)
            guard functions.contains(kind), let text = calls.text(of: folder.appending("max_brightness").string),
                let maximum = Int(text), maximum > 0
            else { return nil }
            return Lamp(name: name, maximum: maximum, folder: folder)
        }
    }

    /// How bright it is, 0…1; nil when that cannot be read.
    public var level: Double? {
        KernelCalls().text(of: folder.appending("brightness").string).flatMap { Int($0) }.map {
            min(1, max(0, Double($0) / Double(maximum)))
        }
    }

    /// Makes it so bright.
    ///
    /// - Parameter level: 0 for off to 1 for full light; what is beyond counts as the nearest.
    /// - Throws: ``CaptureError`` when it is gone, or may not be written.
    public func set(_ level: Double) throws(CaptureError) {
        let value = Int((min(1, max(0, level)) * Double(maximum)).rounded())
        let path = folder.appending("brightness")
        do {
            let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            try file.closeAfter { _ = try file.writeAll("\(value)\n".utf8) }
        } catch {
            let errno = error as? Errno ?? .ioError
            throw CaptureError(
                device: path.string, operation: "set the lamp", call: "write", errno: errno,
                hint: errno == .permissionDenied
                    ? "allow it by a rule of udev: SUBSYSTEM==\"leds\", ACTION==\"add\", RUN+=\"/bin/chmod g+w /sys%p/brightness\""
                    : nil)
        }
    }
}
