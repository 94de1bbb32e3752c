#if Control
internal import Foundation

/// Reads the host name of this machine.
enum HostName {
    static var present: String { ProcessInfo.processInfo.hostName }
}
#endif
