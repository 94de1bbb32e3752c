import FoundationEssentials
import Glibc
import PipCompose
import PipRig

/// Checks the number of processors, the loaded libraries, and the free disk space.
struct MachineCheck {
    private static let scarceBytes = 1 << 30

    var findings: [Finding] {
        [processors, libraries] + folders.map(Self.room)
    }

    private var processors: Finding {
        let count = ProcessInfo.processInfo.activeProcessorCount
        return Finding(
            subject: "CPU", severity: count > 1 ? .ok : .note,
            detail: count > 1 ? "\(count) cores" : "1 core: two cameras with effects may be too much for it")
    }

    /// The optional libraries for graphics, pictures, cameras and fonts that this process has loaded, by file name.
    private var libraries: Finding {
        let wanted = [
            "libEGL", "libGLESv2", "libgbm", "libspng", "libturbojpeg", "libwebp", "libwebpdemux", "libv4lconvert",
            "libfreetype", "libfontconfig",
        ]
        let maps = FileContents.text(of: "/proc/self/maps", limit: 1 << 20) ?? ""
        let files = Set(maps.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
        let loaded = wanted.compactMap { name in files.filter { $0.hasPrefix("\(name).so") }.min() }
        return Finding(
            subject: "libraries", severity: .ok,
            detail: loaded.isEmpty ? "no optional library is loaded" : loaded.joined(separator: ", "))
    }

    private var folders: [String] {
        let here = FileManager.default.currentDirectoryPath
        let temporary = FileManager.default.temporaryDirectory.path
        return here == temporary ? [here] : [here, temporary]
    }

    private static func room(_ folder: String) -> Finding {
        guard unsafe access(folder, W_OK) == 0 else {
            return Finding(
                subject: "files", severity: .note, detail: "\(folder) may not be written: \(systemMessage(errno))",
                remedy: "write outputs elsewhere")
        }
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else {
            return Finding(subject: "files", severity: .note, detail: "\(folder): \(systemMessage(errno))")
        }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        // The number of seconds of 1280x720 Y4M at 30 frames a second that fit on the disk.
        let seconds = free / (1280 * 720 * 3 / 2 * 30)
        let detail = "\(folder) has \(free >> 20) MiB free: \(seconds) s of 1280x720 Y4M at 30 fps"
        return free < scarceBytes
            ? Finding(subject: "files", severity: .problem, detail: detail, remedy: "free space, or use another disk")
            : Finding(subject: "files", severity: .ok, detail: detail)
    }
}
