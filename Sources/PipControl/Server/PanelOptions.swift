#if Control
/// Where a panel listens, and who may use it.
public struct PanelOptions: Sendable, Equatable {
    /// Where it listens.
    public let address: PanelAddress
    /// What clients have to show; nil lets all in that reach the address.
    public let token: String?
    /// The folder below which outputs and stills may be made; nil allows none.
    public var root: String?
    /// Names by which it is reached, beside its address.
    public var hosts: [String]
    /// Origins of other pages that may use it.
    public var origins: [String]

    /// - Parameters:
    ///   - address: Where it listens.
    ///   - token: What clients have to show.
    ///   - root: The folder below which outputs may be made.
    ///   - hosts: Further names.
    ///   - origins: Further origins.
    /// - Throws: ``PanelError`` for an address that others reach without a token, and for a token that is guessed.
    public init(
        _ address: PanelAddress, token: String? = nil, root: String? = nil, hosts: [String] = [], origins: [String] = []
    ) throws(PanelError) {
        guard token != nil || address.isLocal else {
            throw PanelError(
                "the panel at \(address) can be reached from other machines, so it needs a token: --panel-token "
                    + "'${file:PATH}', or listen on 127.0.0.1")
        }
        if let token, token.utf8.count < 8 {
            throw PanelError("the panel's token is short: take 8 characters at least")
        }
        self.address = address
        self.token = token
        self.root = root
        self.hosts = hosts
        self.origins = origins
    }
}
#endif
