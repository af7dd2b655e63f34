import CCurl
import DeskHTTP

/// Owns one easy handle and what it points to, for one transfer.
///
/// Thread: touched only on the loop's thread, which also runs libcurl's callbacks.
@safe final class CurlExchange {
    /// The slowest average rate of a body in bytes a second; below it the transfer times out.
    static let leastBytesASecond: Int64 = 1_024

    let transfer: CurlTransfer
    let handle: UnsafeMutableRawPointer
    private let reach: OutgoingReach
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let faultText: UnsafeMutablePointer<CChar>
    private var head = AnswerHead()
    /// The addresses of names that are not looked up, as libcurl's list.
    private var addresses: UnsafeMutablePointer<curl_slist>?
    /// Whether an address was refused during connecting, and whether another one was tried.
    private var hasForbidden = false
    private var hasPermitted = false

    private let window: Nanoseconds
    /// When it ends, however fast a body moves.
    private let end: MonotonicTime?
    private let leastInWindow: Int64
    private(set) var deadline: MonotonicTime
    private var movedInWindow: Int64 = 0
    private var pausedInWindow = false

    /// Prepares a handle for the transfer.
    ///
    /// - Throws: `address` when the request cannot be sent as it is, `connection` without memory.
    init(
        _ transfer: CurlTransfer, _ settings: CurlThread.Settings, now: MonotonicTime
    ) throws(OutgoingError) {
        try CurlRequest.judge(transfer.request)
        guard let handle = unsafe frontdesk_curl_make() else {
            throw OutgoingError(.connection, "libcurl has no memory")
        }
        self.transfer = transfer
        reach = settings.reach
        unsafe self.handle = handle
        unsafe faultText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe faultText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        window = Nanoseconds(transfer.request.timeout)
        leastInWindow = CurlExchange.leastBytes(in: transfer.request.timeout)
        end = transfer.request.longest.map { now + Nanoseconds($0) }
        deadline = min(now + window, end ?? now + window)
        unsafe frontdesk_curl_set_faults(handle, faultText)
        unsafe fields = CurlRequest.fields(of: transfer.request)
        unsafe CurlRequest.apply(
            transfer, to: handle, fields: fields, authorityFile: settings.authorityFile)
        for line in settings.addresses() {
            unsafe addresses = frontdesk_list_append(addresses, line)
        }
        if unsafe addresses != nil {
            unsafe frontdesk_curl_set_list(handle, CURLOPT_RESOLVE, addresses)
        }
        connectCalls()
    }

    deinit {
        unsafe frontdesk_curl_free(handle)
        unsafe frontdesk_list_free(fields)
        unsafe frontdesk_list_free(addresses)
        unsafe faultText.deallocate()
    }

    /// How many bytes have to move within a deadline so that it is put off.
    static func leastBytes(in timeout: Duration) -> Int64 {
        Int64(clamping: Nanoseconds(timeout).count / 1_000_000) * leastBytesASecond / 1_000
    }

    /// Whether its deadline has passed; a long body only has to keep its rate.
    func isOverdue(_ now: MonotonicTime) -> Bool {
        guard now >= deadline else { return false }
        if let end, now >= end { return true }
        let pauses = transfer.pauses
        // Our side made the pause; it does not count against the peer.
        let isPaused = pausedInWindow || pauses.send || pauses.receive
        guard isPaused || (movedInWindow > 0 && movedInWindow >= leastInWindow) else { return true }
        deadline = min(now + window, end ?? now + window)
        movedInWindow = 0
        pausedInWindow = false
        return false
    }

    /// Resumes what can go on: sending when there is a piece, receiving when the last was read.
    func look() {
        let (send, receive, mask) = transfer.change { state in
            let send =
                state.isSendPaused && (state.pieceSent < state.piece.count || state.isBodyGiven)
            let receive = state.isReceivePaused && state.unread.isEmpty
            if send { state.isSendPaused = false }
            if receive { state.isReceivePaused = false }
            let mask =
                (state.isSendPaused ? CURLPAUSE_SEND : 0)
                | (state.isReceivePaused ? CURLPAUSE_RECV : 0)
            return (send, receive, mask)
        }
        guard send || receive else { return }
        pausedInWindow = true
        let code = unsafe frontdesk_curl_pause(handle, mask)
        if code != CURLE_OK { finish(code) }
    }

    /// Ends the transfer with libcurl's result.
    func finish(_ code: CURLcode) {
        if code == CURLE_OK, head.isComplete {
            transfer.end(.success(()))
            return
        }
        let text = unsafe String(cString: faultText)
        transfer.end(
            .failure(
                CurlFault.error(
                    of: code, text: text, isForbidden: hasForbidden && !hasPermitted)))
    }
}

/// The callbacks of libcurl.
extension CurlExchange {
    private func connectCalls() {
        // Safe: the exchange lives until its handle was removed from the multi handle and cleaned up.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe frontdesk_curl_set_calls(
            handle, context,
            { bytes, size, count, context in
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe CurlExchange.lent(context).takeHeadLine(line)
            },
            { bytes, size, count, context in
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe CurlExchange.lent(context).takeBody(piece)
            },
            { bytes, size, count, context in
                let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return unsafe CurlExchange.lent(context).giveBody(room)
            },
            { context, offset, origin in
                guard offset == 0, origin == SEEK_SET,
                    unsafe CurlExchange.lent(context).transfer.rewind()
                else { return CURL_SEEKFUNC_FAIL }
                return CURL_SEEKFUNC_OK
            },
            { context, _, peer in
                guard let peer = unsafe peer else { return -1 }
                return unsafe CurlExchange.lent(context).openSocket(to: peer)
            })
    }

    private static func lent(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
        guard let context = unsafe context else { preconditionFailure("libcurl lost the context") }
        return unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    }

    private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        switch head.take(unsafe Array(line)) {
        case .more: return line.count
        case .complete:
            let head = head
            transfer.change { $0.head = head }
            return line.count
        case .tooLarge:
            let most = AnswerHead.maximumBytes
            transfer.end(
                .failure(OutgoingError(.tooLarge, "the answer's head has more than \(most) bytes")))
            return 0
        }
    }

    private func takeBody(_ piece: UnsafeRawBufferPointer) -> Int {
        switch unsafe transfer.take(piece) {
        case .bytes(let count):
            movedInWindow += Int64(count)
            return count
        case .pause:
            pausedInWindow = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop: return Int(CURL_WRITEFUNC_ERROR)
        }
    }

    private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        switch unsafe transfer.give(room) {
        case .bytes(let count):
            // The answer must not wait for a body that is too short.
            if (transfer.bodyLength ?? 0) > leastInWindow { movedInWindow += Int64(count) }
            return count
        case .pause:
            pausedInWindow = true
            return Int(CURL_READFUNC_PAUSE)
        case .stop: return Int(CURL_READFUNC_ABORT)
        }
    }

    private func openSocket(to peer: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var address = [UInt8](repeating: 0, count: 16)
        let count = unsafe frontdesk_peer_address(peer, &address)
        guard reach.permits(Array(address.prefix(Int(count)))) else {
            hasForbidden = true
            return -1
        }
        hasPermitted = true
        return unsafe frontdesk_peer_socket(peer)
    }
}
