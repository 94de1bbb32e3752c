#if Control
/// The address of a panel, and the permissions of its clients.
public struct PanelOptions: Sendable, Equatable {
    /// The address on which the panel listens.
    public let address: PanelAddress
    /// The token that clients must present; nil for a panel without a token.
    public let token: String?
    /// The folder in which clients may create files: recordings, other outputs and stills; nil allows no files.
    public var root: String?
    /// Further host names by which clients reach the panel.
    public var hosts: [String]
    /// The origins of other web pages that may use the panel.
    public var origins: [String]
    /// The recordings that clients may find and play; nil for none.
    public var recordings: PanelRecordings?

    /// Creates options, and checks the token.
    ///
    /// - Parameters:
    ///   - address: The address on which the panel listens.
    ///   - token: The token that clients must present; nil for a panel without a token.
    ///   - root: The folder in which clients may create recordings, other outputs and stills; nil allows no files.
    ///   - hosts: Further host names by which clients reach the panel.
    ///   - origins: The origins of other web pages that may use the panel.
    /// - Throws: ``PanelError`` for an address that other machines can reach without a token, and for a token of fewer
    ///   than 8 bytes.
    public init(
        _ address: PanelAddress, token: String? = nil, root: String? = nil, hosts: [String] = [], origins: [String] = []
    ) throws(PanelError) {
        guard token != nil || address.isLocal else {
            throw PanelError(
                "the panel at \(address) can be reached from other machines, so it needs a token: --panel-token "
                    + "'${file:PATH}', or listen on 127.0.0.1")
        }
        if let token, token.utf8.count < 8 {
            throw PanelError("the panel's token is too short: use 8 characters at least")
        }
        self.address = address
        self.token = token
        self.root = root
        self.hosts = hosts
        self.origins = origins
    }
}
#endif
