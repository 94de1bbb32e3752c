#if Control
internal import Foundation

enum HostName {
    static var present: String { ProcessInfo.processInfo.hostName }
}
#endif
