import FoundationEssentials
import Glibc
import PipCompose
import PipRig
import PipSinks

/// `--set front=camera:1`: gives a role to a camera.
struct RoleAssignment: Sendable {
    let role: CameraRoles.Role
    /// The camera that gets the role; nil takes the role from every camera.
    let camera: CameraSelector?

    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let role = CameraRoles.Role(parts[0]) else {
            throw UsageError("write front, back, external or default, as in front=camera:1").about(text)
        }
        self.role = role
        guard parts.count == 2, !parts[1].isEmpty else {
            throw UsageError("\(text): name a camera, as in \(parts[0])=camera:1, or \(parts[0])=none")
        }
        if parts[1] == "none" {
            camera = nil
            return
        }
        guard let selector = CameraSelector(parts[1]) else {
            throw UsageError("\(text): \(parts[1]) is not a camera; write camera:1 or /dev/video1")
        }
        camera = selector
    }

    /// Writes assignments to the file of roles: the machine's file for root, the user's file for others.
    ///
    /// - Returns: The path of the file.
    /// - Throws: ``CommandError`` for a camera that does not exist or has no permanent name, and for a file that has no
    ///   folder or cannot be written.
    static func save(_ assignments: [RoleAssignment], _ directory: CameraDirectory) throws -> String {
        guard let path = getuid() == 0 ? CameraRoles.machinePath : CameraRoles.userPath else {
            throw CommandError(.cannotCreate, "there is no folder for settings: set HOME or XDG_CONFIG_HOME")
        }
        return try save(assignments, directory, to: path)
    }

    static func save(_ assignments: [RoleAssignment], _ directory: CameraDirectory, to path: String) throws -> String {
        var roles = CameraRoles(FileContents.text(of: path) ?? "")
        for assignment in assignments {
            // An explicit entry for no camera is needed in the user's file to override the machine's file.
            var name = path == CameraRoles.machinePath ? nil : CameraRoles.nobody
            if let camera = assignment.camera {
                let device: CameraDevice
                do throws(CaptureError) { device = try directory.camera(matching: camera) } catch {
                    throw CommandError(error)
                }
                guard device.stableName != device.path else {
                    let reason = device.ambiguity.map { ": \($0)" } ?? ""
                    throw CommandError(.usage, "\(device.description) has no permanent name\(reason)")
                }
                name = device.stableName
            }
            roles.set(assignment.role, to: name)
        }
        // Where the folder cannot be made, neither can the file, whose error names the reason.
        try? FileManager.default.createDirectory(atPath: folder(of: path), withIntermediateDirectories: true)
        do throws(SinkError) { try WholeFile.replace(path, with: Array(roles.text.utf8)) } catch {
            throw CommandError(.cannotCreate, error.description)
        }
        return path
    }
}
