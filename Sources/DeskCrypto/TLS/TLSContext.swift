import COpenSSL

/// A certificate with its key and the server's TLS settings, shared by all sessions made from it.
///
/// TLS 1.2 and 1.3, forward-secret suites only, no compression, renegotiation, tickets or early data.
@safe public final class TLSContext: @unchecked Sendable {
    // Sendable: libssl counts references to the context and locks what sessions share; we never change it.

    let handle: OpaquePointer
    let isClient: Bool

    /// Makes a server's context from PEM files: the chain with the leaf first, and its private key.
    ///
    /// - Throws: when a file is missing or no PEM, or the key is not the certificate's.
    public convenience init(certificateChain: String, privateKey: String) throws(CryptoError) {
        try self.init(client: false)
        unsafe frontdesk_ctx_ask_nobody(handle)
        guard unsafe SSL_CTX_use_certificate_chain_file(handle, certificateChain) == 1 else {
            throw CryptoError("certificate")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(handle, privateKey, SSL_FILETYPE_PEM) == 1 else {
            // A key of the certificate's kind is compared with it when it is read.
            throw CryptoError(
                frontdesk_is_key_of_another() != 0 ? "key of another certificate" : "private key")
        }
        guard unsafe SSL_CTX_check_private_key(handle) == 1 else {
            throw CryptoError("key of another certificate")
        }
        unsafe frontdesk_ctx_alpn_http11(handle)
    }

    /// Makes a client's context that trusts the certificates of one PEM file; for our own tests.
    package convenience init(clientTrusting file: String) throws(CryptoError) {
        try self.init(client: true)
        guard unsafe SSL_CTX_load_verify_locations(handle, file, nil) == 1 else {
            throw CryptoError("trusted certificates")
        }
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
    }

    private init(client: Bool) throws(CryptoError) {
        isClient = client
        let method = unsafe client ? TLS_client_method() : TLS_server_method()
        guard let handle = unsafe SSL_CTX_new(method) else { throw CryptoError("context") }
        unsafe self.handle = handle
        unsafe SSL_CTX_set_security_level(handle, 2)
        unsafe frontdesk_ctx_set_server_options(handle)
        // Session tickets of TLS 1.3 and early data are each turned off by their own switch.
        unsafe SSL_CTX_set_num_tickets(handle, 0)
        unsafe SSL_CTX_set_max_early_data(handle, 0)
        unsafe frontdesk_ctx_session_cache_off(handle)
        unsafe frontdesk_ctx_set_mode(handle, Int(SSL_MODE_RELEASE_BUFFERS))
        guard unsafe frontdesk_ctx_set_min_version(handle, TLS1_2_VERSION) == 1,
            unsafe SSL_CTX_set_cipher_list(handle, TLSContext.suites12) == 1,
            unsafe frontdesk_ctx_set_groups(handle, "X25519:P-256:P-384") == 1
        else { throw CryptoError("settings") }
    }

    /// From when to when the certificate is valid, in seconds since 1970.
    public var validity: ClosedRange<Int64> {
        let begin = unsafe frontdesk_ctx_validity(handle, 0)
        return unsafe begin...max(begin, frontdesk_ctx_validity(handle, 1))
    }

    deinit { unsafe SSL_CTX_free(handle) }

    private static let suites12 =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
        + "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
        + "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
}
