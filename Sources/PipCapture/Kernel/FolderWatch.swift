internal import Glibc

/// Watches `/dev` with inotify for nodes that appear, disappear or change their permissions.
///
/// Source: inotify(7).
final class FolderWatch: DeviceWatch {
    let descriptor: CInt

    /// Starts the watch; returns nil when inotify refuses it.
    init?(_ folder: String = "/dev") {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO)
        guard unsafe inotify_add_watch(descriptor, folder, events) >= 0 else {
            Glibc.close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    func drain() -> Bool {
        var isOurs = false
        unsafe withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
            while true {
                let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { break }
                var offset = 0
                let head = MemoryLayout<inotify_event>.size
                while offset + head <= count {
                    let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
                    let name = unsafe buffer[(offset + head)..<min(count, offset + head + Int(event.len))]
                    // After an overflow, the lost events may have concerned a camera.
                    let isVideo = unsafe name.starts(with: "video".utf8)
                    if isVideo || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isOurs = true }
                    offset += head + Int(event.len)
                }
            }
        }
        return isOurs
    }
}
