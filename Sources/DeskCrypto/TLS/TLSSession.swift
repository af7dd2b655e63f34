import COpenSSL

/// One TLS connection over byte buffers: cipher bytes go in and out; the session touches no socket.
///
/// Thread: one caller at a time, the connection that owns it.
@safe public final class TLSSession: @unchecked Sendable {
    // Sendable: it is owned by one connection and touched only on that connection's loop.

    /// The result of one step of the session.
    public enum Step: Sendable, Equatable {
        /// The handshake is complete, or plain bytes were read.
        case done
        /// More cipher bytes of the peer are needed.
        case needsInput
        /// The peer sent `close_notify`.
        case ended
    }

    private let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// Starts a session at its handshake; `peerName` is for clients.
    public init(_ context: TLSContext, peerName: String? = nil) throws(CryptoError) {
        guard let session = unsafe SSL_new(context.handle) else { throw CryptoError("session") }
        guard let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem())
        else {
            unsafe SSL_free(session)
            throw CryptoError("buffers")
        }
        unsafe self.session = session
        unsafe self.input = input
        unsafe self.output = output
        // Safe: from here on the session owns both buffers and frees them.
        unsafe SSL_set_bio(session, input, output)
        if context.isClient {
            unsafe SSL_set_connect_state(session)
            if let peerName {
                _ = unsafe frontdesk_ssl_set_host(session, peerName)
                unsafe SSL_set1_host(session, peerName)
            }
        } else {
            unsafe SSL_set_accept_state(session)
        }
    }

    deinit { unsafe SSL_free(session) }

    /// Feeds cipher bytes that the peer sent.
    public func receive(_ bytes: Span<UInt8>) throws(CryptoError) {
        guard !bytes.isEmpty else { return }
        let taken = unsafe bytes.withUnsafeBufferPointer {
            unsafe BIO_write(input, $0.baseAddress, Int32(clamping: $0.count))
        }
        guard taken == Int32(clamping: bytes.count) else { throw CryptoError("receive") }
    }

    /// Continues the handshake as far as the received bytes allow.
    public func handshake() throws(CryptoError) -> Step {
        ERR_clear_error()
        let code = unsafe SSL_do_handshake(session)
        if code == 1 { return .done }
        return try judge(code, "handshake")
    }

    /// Adds plain bytes to `plain`, at most `most`.
    public func read(into plain: inout [UInt8], upTo most: Int) throws(CryptoError) -> Step {
        guard most > 0 else { return .done }
        var count = 0
        ERR_clear_error()
        // A record has at most 16 KiB, so a larger buffer would not return more at once.
        let code = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: min(most, 16 * 1024)
        ) { room in
            let code = unsafe SSL_read_ex(session, room.baseAddress, room.count, &count)
            if code == 1 {
                unsafe plain.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
            }
            return code
        }
        if code == 1 { return .done }
        return try judge(code, "read")
    }

    /// Encrypts plain bytes; the cipher bytes wait in `takeOutput`.
    public func write(_ plain: Span<UInt8>) throws(CryptoError) {
        guard !plain.isEmpty else { return }
        var count = 0
        ERR_clear_error()
        let code = unsafe plain.withUnsafeBufferPointer {
            unsafe SSL_write_ex(session, $0.baseAddress, $0.count, &count)
        }
        guard code == 1, count == plain.count else { throw CryptoError("write") }
    }

    /// Ends our direction with `close_notify`; the cipher bytes wait in `takeOutput`.
    public func close() {
        ERR_clear_error()
        unsafe SSL_shutdown(session)
    }

    /// The cipher bytes to send to the peer now; empty when there are none.
    public func takeOutput() -> [UInt8] {
        let count = unsafe frontdesk_bio_pending(output)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { room, used in
            let taken = unsafe BIO_read(output, room.baseAddress, Int32(clamping: count))
            used = Int(max(taken, 0))
        }
    }

    /// The version and suite agreed on, for logs: `TLSv1.3 TLS_AES_256_GCM_SHA384`.
    public var agreed: String {
        guard let version = unsafe SSL_get_version(session),
            let suite = unsafe SSL_CIPHER_get_name(SSL_get_current_cipher(session))
        else { return "" }
        return unsafe "\(String(cString: version)) \(String(cString: suite))"
    }

    /// The protocol agreed on by ALPN; nil when there is none.
    public var applicationProtocol: String? {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &bytes, &count)
        guard let start = unsafe bytes, count > 0 else { return nil }
        // Safe: libssl owns the bytes as long as the session lives; they are copied here.
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    private func judge(_ code: Int32, _ step: String) throws(CryptoError) -> Step {
        switch unsafe SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_NONE: return .done
        default: throw CryptoError(step)
        }
    }
}
