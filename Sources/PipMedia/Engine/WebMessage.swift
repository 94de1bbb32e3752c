#if Media
package import PipConcurrency

/// A JSON text for a web server, sent by a POST request.
package struct WebMessage: Sendable {
    /// The outcome of one attempt to send a message.
    package enum Outcome: Sendable, Equatable {
        /// The server has taken the message, with a status of 2xx.
        case taken(status: Int)
        /// The server will never take the message. Carries the reason.
        case refused(String)
        /// A later attempt may succeed. Carries the reason.
        case failed(String)
    }

    private let address: String
    private let headers: [String]

    /// - Parameters:
    ///   - address: An address that begins with `http://` or `https://`.
    ///   - headers: Further headers, each as `Name: value`.
    package init(to address: String, headers: [String]) { (self.address, self.headers) = (address, headers) }

    /// The reason why no message can be sent; nil when libcurl works.
    package static var obstacle: String? { HTTPClient.obstacle }

    /// Sends a text, and waits for the server's answer.
    ///
    /// Blocks the thread. A redirect is not followed.
    ///
    /// - Parameters:
    ///   - text: The text, in JSON.
    ///   - limit: The longest wait.
    ///   - interruption: Ends the wait early.
    /// - Returns: The outcome.
    package func send(_ text: String, within limit: Duration, until interruption: Interruption) -> Outcome {
        do throws(MediaError) {
            let response = try HTTPClient.send(
                "POST", to: address, headers: ["Content-Type: application/json"] + headers, body: text, within: limit,
                until: interruption, followsRedirects: false)
            return Self.outcome(response.status)
        } catch {
            return .failed(error.reason)
        }
    }

    private static func outcome(_ status: Int) -> Outcome {
        switch status {
        case 200..<300: .taken(status: status)
        case 300..<400: .refused("the server redirects (status \(status)): write the final address")
        case 401, 403: .refused("the server needs another key (status \(status))")
        case 404, 410: .refused("the server knows no such address (status \(status))")
        case 408, 425, 429, 500...: .failed("the server cannot take it now (status \(status))")
        default: .refused("the server does not take it (status \(status))")
        }
    }
}
#endif
