import CCurl
import DeskHTTP

/// Says libcurl's codes in the server's words.
enum CurlFault {
    /// The failure for a code; `text` is libcurl's message for this transfer, and `isForbidden` says that every
    /// address was refused here.
    static func error(of code: CURLcode, text: String, isForbidden: Bool) -> OutgoingError {
        let sort = sort(of: code)
        if isForbidden, sort == .connection {
            return OutgoingError(.forbidden, "the address is not a public one")
        }
        guard code != CURLE_OK else {
            return OutgoingError(.cutOff, "the connection ended before the answer's head")
        }
        guard code != CURLE_UNSUPPORTED_PROTOCOL else {
            return OutgoingError(.cutOff, "the answer is not HTTP/1.1")
        }
        let words = unsafe String(cString: frontdesk_curl_words(code))
        switch sort {
        // These texts name hosts, ports and certificates; others may quote the answer.
        case .name, .connection, .security: return OutgoingError(sort, text.isEmpty ? words : text)
        case .address, .forbidden, .timeout, .cutOff, .tooLarge, .cancelled:
            return OutgoingError(sort, words)
        }
    }

    private static func sort(of code: CURLcode) -> OutgoingError.Code {
        switch code {
        case CURLE_URL_MALFORMAT: .address
        case CURLE_COULDNT_RESOLVE_HOST: .name
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED:
            .security
        // Concerns the answer: the address's scheme was checked before.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_OK, CURLE_WEIRD_SERVER_REPLY, CURLE_PARTIAL_FILE,
            CURLE_GOT_NOTHING,
            CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_WRITE_ERROR,
            CURLE_READ_ERROR, CURLE_BAD_CONTENT_ENCODING:
            .cutOff
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        default: .connection
        }
    }
}
