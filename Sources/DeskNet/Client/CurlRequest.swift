import CCurl
import DeskHTTP

/// Converts a request to libcurl's options.
enum CurlRequest {
    /// Longest address in bytes.
    static let maximumURLBytes = 8_192
    /// Longest body in bytes that is sent with the head.
    private static let maximumInlineBytes = 16_384

    /// Fields that the client sets itself.
    private static let ours = [
        "host", "content-length", "connection", "transfer-encoding", "expect", "upgrade", "te",
        "trailer", "keep-alive", "proxy-connection",
    ]

    /// Refuses a request that cannot be sent.
    ///
    /// - Throws: `address`, with what is wrong with it.
    static func judge(_ request: OutgoingRequest) throws(OutgoingError) {
        let url = Array(request.url.utf8)
        guard url.count <= maximumURLBytes else {
            throw OutgoingError(.address, "the address has more than \(maximumURLBytes) bytes")
        }
        guard url.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw OutgoingError(
                .address, "the address has a space, control or non-ASCII byte; percent-encode it")
        }
        let lower = request.url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else {
            throw OutgoingError(.address, "the address has to begin with https:// or http://")
        }
        let authority = url.dropFirst(scheme.utf8.count)
            .prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard !authority.isEmpty else { throw OutgoingError(.address, "the address has no host") }
        guard !authority.contains(0x40) else {
            throw OutgoingError(.address, "the address has a name or password before its host")
        }
        let method = request.method.token.utf8
        guard request.method != .connect, (1...32).contains(method.count),
            method.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D })
        else { throw OutgoingError(.address, "the method is not spoken") }
    }

    /// The fields as libcurl's list, which the caller frees.
    static func fields(of request: OutgoingRequest) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        // libcurl would add these by itself.
        unsafe list = frontdesk_list_append(list, "Expect:")
        if !request.headers.contains("accept") {
            unsafe list = frontdesk_list_append(list, "Accept:")
        }
        if !request.headers.contains("content-type") {
            unsafe list = frontdesk_list_append(list, "Content-Type:")
        }
        for (name, value) in request.headers.all {
            guard !ours.contains(name.lowercased()) else { continue }
            // A semicolon means an empty value; a colon alone would remove the field.
            let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
            unsafe list = frontdesk_list_append(list, line)
        }
        return unsafe list
    }

    /// Sets every option of a fresh handle.
    static func apply(
        _ transfer: CurlTransfer, to handle: UnsafeMutableRawPointer,
        fields: UnsafeMutablePointer<curl_slist>?, authorityFile: String?
    ) {
        let request = transfer.request
        unsafe frontdesk_curl_set_text(handle, CURLOPT_URL, request.url)
        unsafe frontdesk_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe frontdesk_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        unsafe frontdesk_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // No proxy of the environment: the address check applies to the connection's real peer.
        unsafe frontdesk_curl_set_text(handle, CURLOPT_PROXY, "")
        unsafe frontdesk_curl_set_text(handle, CURLOPT_NOPROXY, "*")
        unsafe frontdesk_curl_set_long(handle, CURLOPT_NETRC, 0)
        unsafe frontdesk_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A pending name lookup must not block the loop when its transfer ends.
        unsafe frontdesk_curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        unsafe frontdesk_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        unsafe frontdesk_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        unsafe frontdesk_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        if let authorityFile {
            unsafe frontdesk_curl_set_text(handle, CURLOPT_CAINFO, authorityFile)
        }
        unsafe frontdesk_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        unsafe applyBody(of: transfer, to: handle)
    }

    private static func applyBody(
        of transfer: CurlTransfer, to handle: UnsafeMutableRawPointer
    ) {
        let method = transfer.request.method
        defer { unsafe frontdesk_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method.token) }
        if let bytes = inlineBody(of: transfer.request) {
            unsafe frontdesk_curl_set_body(handle, bytes, Int64(bytes.count))
            return
        }
        switch transfer.bodyLength {
        case .some(let count):
            unsafe frontdesk_curl_set_long(handle, CURLOPT_UPLOAD, 1)
            unsafe frontdesk_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, count)
        case .none where method == .head: unsafe frontdesk_curl_set_long(handle, CURLOPT_NOBODY, 1)
        case .none where method == .post || method == .put || method == .patch:
            // `Content-Length: 0` must be sent explicitly.
            unsafe frontdesk_curl_set_long(handle, CURLOPT_POST, 1)
            unsafe frontdesk_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0)
        case .none: unsafe frontdesk_curl_set_long(handle, CURLOPT_HTTPGET, 1)
        }
    }

    /// A body that is given to libcurl with the head, and so sent in one packet with it.
    ///
    /// A longer one is asked for piece by piece, and what is sent of it counts for its rate.
    private static func inlineBody(of request: OutgoingRequest) -> [UInt8]? {
        guard case .bytes(let bytes) = request.body,
            (1...maximumInlineBytes).contains(bytes.count),
            Int64(bytes.count) <= CurlExchange.leastBytes(in: request.timeout)
        else { return nil }
        switch request.method {
        case .post, .put, .patch: return bytes
        default: return nil
        }
    }
}
