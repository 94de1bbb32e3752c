#if Control
internal import FoundationEssentials

enum HostName {
    static var present: String { ProcessInfo.processInfo.hostName }
}
#endif
