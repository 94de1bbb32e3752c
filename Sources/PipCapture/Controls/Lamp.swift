public import SystemPackage

/// A light of the kernel's LED class that can light a camera's scene: a torch, a flash or an illuminator.
///
/// Use a lamp on boards whose light the camera's driver does not control. ``CameraAdjustments/torch`` sets the light
/// that a camera's driver controls.
///
/// Source: Linux, "LED handling under Linux": names are `device:colour:function`.
public struct Lamp: Sendable, Hashable {
    /// The kernel's name, made of device, colour and function: `pca9685:white:torch`.
    public let name: String
    /// The driver's value for full light.
    public let maximum: Int
    private let folder: FilePath

    /// The LED functions that serve cameras.
    private static let functions: Set = ["torch", "flash", "illumination", "illuminator"]
    private static let own = FilePath("/sys/class/leds")

    /// The lamps of this machine, sorted by name.
    ///
    /// - Parameter root: The folder to search; nil searches the kernel's LED class, `/sys/class/leds`.
    /// - Returns: The LEDs whose function is torch, flash, illumination or illuminator.
    public static func all(in root: FilePath? = nil) -> [Lamp] {
        let root = root ?? own
        let calls = KernelCalls()
        return calls.names(in: root.string).sorted().compactMap { name in
            let function = name.split(separator: ":", omittingEmptySubsequences: false).last.map(String.init) ?? ""
            // A number follows the function of a second LED of the same kind.
            let kind = String(function.prefix { $0 != "-" && $0 != "_" })
            let folder = root.appending(name)
            guard functions.contains(kind), let text = calls.text(of: folder.appending("max_brightness").string),
                let maximum = Int(text), maximum > 0
            else { return nil }
            return Lamp(name: name, maximum: maximum, folder: folder)
        }
    }

    /// The present brightness, 0…1; nil when it cannot be read.
    public var level: Double? {
        KernelCalls().text(of: folder.appending("brightness").string).flatMap { Int($0) }.map {
            min(1, max(0, Double($0) / Double(maximum)))
        }
    }

    /// Sets the brightness.
    ///
    /// - Parameter level: The brightness, from 0 (off) to 1 (full light); other values are clamped.
    /// - Throws: ``CaptureError`` when the lamp is gone or not writable.
    public func set(_ level: Double) throws(CaptureError) {
        let value = Int((min(1, max(0, level)) * Double(maximum)).rounded())
        let path = folder.appending("brightness")
        var call = "open"
        do {
            let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            call = "write"
            try file.closeAfter { _ = try file.writeAll("\(value)\n".utf8) }
        } catch {
            let errno = error as? Errno ?? .ioError
            throw CaptureError(
                device: path.string, operation: "set the lamp", call: call, errno: errno,
                hint: errno == .permissionDenied
                    ? "this udev rule lets the group video set lamps: SUBSYSTEM==\"leds\", ACTION==\"add\", "
                        + "RUN+=\"/bin/chgrp video /sys%p/brightness\", RUN+=\"/bin/chmod g+w /sys%p/brightness\""
                    : nil)
        }
    }
}
