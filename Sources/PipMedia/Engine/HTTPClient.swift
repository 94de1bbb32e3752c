#if Media
internal import CCurl
internal import PipConcurrency
internal import PipFrames

/// An HTTP client, which uses libcurl.
///
/// Each request has a connection of its own, and blocks the calling thread.
enum HTTPClient {
    /// The response to a request, after redirects.
    struct Response: Sendable, Equatable {
        let status: Int
        /// The response headers, keyed by lowercased name.
        let headers: [String: String]
        let body: String
        /// The address of the response, after redirects.
        let address: String
    }

    /// The largest body of a response, in bytes.
    private static let largestBody = 1_000_000
    /// The reason why libcurl cannot be used; nil when libcurl works.
    static let obstacle: String? = {
        if let reason = unsafe pip_load_curl() {
            return "libcurl cannot be loaded: \(unsafe String(cString: reason)); to install: apt-get install libcurl4"
        }
        return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK ? nil : "libcurl does not start"
    }()

    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - method: `POST` or `DELETE`.
    ///   - address: An address that begins with `http://` or `https://`.
    ///   - headers: The headers, each as `Name: value`. A redirect to another host drops `Authorization`.
    ///   - body: The body of a `POST` request.
    ///   - limit: The longest wait.
    ///   - interruption: Ends the wait early.
    ///   - followsRedirects: False to return a redirect as the response.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``MediaError`` when libcurl cannot be used, when the connection fails, when no response came in time,
    ///   when the body has more than a million bytes, or when an interruption ends the wait.
    static func send(
        _ method: String, to address: String, headers: [String] = [], body: String = "", within limit: Duration,
        until interruption: Interruption? = nil, followsRedirects: Bool = true
    ) throws(MediaError) -> Response {
        if let obstacle { throw MediaError(kind: .failed, reason: obstacle) }
        guard let handle = unsafe curl_easy_init() else {
            throw MediaError(kind: .failed, reason: "libcurl does not start")
        }
        defer { unsafe curl_easy_cleanup(handle) }
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { unsafe list = unsafe curl_slist_append(list, header) }
        // Send the body at once, without `Expect: 100-continue`: an offer is small.
        unsafe list = unsafe curl_slist_append(list, "Expect:")
        defer { unsafe curl_slist_free_all(list) }
        let exchange = Exchange(interruption)
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        unsafe pip_curl_set_text(handle, CURLOPT_URL, address)
        if method == "POST" {
            unsafe pip_curl_set_number(handle, CURLOPT_POST, 1)
            unsafe pip_curl_set_number(handle, CURLOPT_POSTFIELDSIZE, body.utf8.count)
            unsafe pip_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, body)
        } else {
            unsafe pip_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        }
        unsafe pip_curl_set_list(handle, CURLOPT_HTTPHEADER, list)
        unsafe pip_curl_set_text(handle, CURLOPT_USERAGENT, "pip-compose")
        unsafe pip_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        unsafe pip_curl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(limit.nanoseconds / 1_000_000)))
        unsafe pip_curl_follow(handle, address.lowercased().hasPrefix("https:") ? 1 : 0)
        if !followsRedirects { unsafe pip_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0) }
        unsafe pip_curl_set_writer(handle, CURLOPT_WRITEFUNCTION, takeBody)
        unsafe pip_curl_set_context(handle, CURLOPT_WRITEDATA, context)
        unsafe pip_curl_set_writer(handle, CURLOPT_HEADERFUNCTION, takeHeader)
        unsafe pip_curl_set_context(handle, CURLOPT_HEADERDATA, context)
        unsafe pip_curl_set_progress(handle, mayGoOn)
        unsafe pip_curl_set_context(handle, CURLOPT_XFERINFODATA, context)
        unsafe pip_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
        let code = unsafe curl_easy_perform(handle)
        guard code == CURLE_OK else { throw MediaError(kind: .network, reason: reason(code)) }
        let end = unsafe pip_curl_address(handle).map { unsafe String(cString: $0) } ?? address
        return Response(
            status: unsafe pip_curl_status(handle), headers: exchange.headers,
            body: String(decoding: exchange.body, as: UTF8.self), address: end)
    }

    private static func reason(_ code: CURLcode) -> String {
        switch code {
        case CURLE_COULDNT_CONNECT: "the server cannot be reached: nothing listens at its port, or a firewall blocks it"
        case CURLE_COULDNT_RESOLVE_HOST: "there is no server of this name"
        case CURLE_OPERATION_TIMEDOUT: "the server does not answer"
        case CURLE_ABORTED_BY_CALLBACK: "the request was cancelled"
        // Only the function that takes the body refuses data.
        case CURLE_WRITE_ERROR: "the response is larger than \(largestBody / 1_000_000) MB"
        case CURLE_PEER_FAILED_VERIFICATION: "the server's certificate is not trusted"
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: "the server has closed the connection"
        default:
            unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "libcurl failed with \(code.rawValue)"
        }
    }

    /// Resolves an address that a response contains, relative to the address of the response.
    ///
    /// - Returns: The absolute address. Nil when one of the two addresses is invalid, and when libcurl cannot be used.
    static func resolve(_ address: String, at base: String) -> String? {
        guard obstacle == nil else { return nil }
        let parts = unsafe curl_url()
        defer { unsafe curl_url_cleanup(parts) }
        guard unsafe curl_url_set(parts, CURLUPART_URL, base, 0) == CURLUE_OK,
            unsafe curl_url_set(parts, CURLUPART_URL, address, 0) == CURLUE_OK
        else { return nil }
        return unsafe text(of: parts, CURLUPART_URL)
    }

    /// The host of an HTTP address, with the port if the address names one.
    ///
    /// Nil for any other address, and when libcurl cannot be used.
    static func host(of address: String) -> String? {
        guard obstacle == nil else { return nil }
        let parts = unsafe curl_url()
        defer { unsafe curl_url_cleanup(parts) }
        guard unsafe curl_url_set(parts, CURLUPART_URL, address, 0) == CURLUE_OK,
            let scheme = unsafe text(of: parts, CURLUPART_SCHEME), ["http", "https"].contains(scheme),
            let host = unsafe text(of: parts, CURLUPART_HOST), !host.isEmpty
        else { return nil }
        return unsafe host + (text(of: parts, CURLUPART_PORT).map { ":\($0)" } ?? "")
    }

    private static func text(of parts: OpaquePointer?, _ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe pip_curl_url_part(parts, part, &text) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    /// The parts of a response that have arrived so far.
    ///
    /// Thread: the thread that waits for the response.
    fileprivate final class Exchange {
        let interruption: Interruption?
        var headers: [String: String] = [:]
        var body: [UInt8] = []

        init(_ interruption: Interruption?) { self.interruption = interruption }

        func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard body.count + bytes.count <= HTTPClient.largestBody else { return false }
            body += unsafe Array(bytes)
            return true
        }

        func takeHeader(_ line: String) {
            // A status line begins another response, such as the one after a redirect.
            if line.hasPrefix("HTTP/") { (headers, body) = ([:], []) }
            guard let colon = line.firstIndex(of: ":") else { return }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmed
        }
    }
}

// Global functions: libcurl calls them with the `Exchange`, on the thread that waits for the response.
private func takeBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPClient.Exchange>.fromOpaque(context).takeUnretainedValue()
    return unsafe exchange.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private func takeHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPClient.Exchange>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    unsafe exchange.takeHeader(String(decoding: line, as: UTF8.self))
    return size * count
}

private func mayGoOn(
    _ context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPClient.Exchange>.fromOpaque(context).takeUnretainedValue()
    return exchange.interruption?.isRaised == true ? 1 : 0
}
#endif
