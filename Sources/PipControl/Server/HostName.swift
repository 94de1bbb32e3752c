#if Control
internal import Foundation

/// The name of this machine.
enum HostName {
    static var present: String { ProcessInfo.processInfo.hostName }
}
#endif
