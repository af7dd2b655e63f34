import CPostgres
import DeskStore

/// A connection that listens, and runs short statements, none of which waits for ever; of one thread.
@safe final class ListeningConnection {
    /// Longest wait for one statement: beyond it the connection counts as lost.
    static let longest = Duration.seconds(3)

    private let connection: PostgresConnection

    /// Connects; it blocks for as long as the address's `connect_timeout` lets it.
    init(address: String, library: String) throws(StoreError) {
        connection = try PostgresConnection(address: address, library: library)
    }

    /// Listens to a channel; returns its name.
    func listen(to channel: NoticeChannel) throws(StoreError) -> String {
        guard let name = try rows("SELECT \(channel.expression)").first?.first, let name else {
            throw StoreError(.failed, "postgres: the search path names no schema that there is")
        }
        _ = try rows("LISTEN \(name)")
        return name
    }

    /// Notifies every node that listens to a channel, this one included.
    func notify(_ payload: String, on channel: NoticeChannel) throws(StoreError) {
        _ = try rows("SELECT pg_notify(\(channel.expression), $1)", [payload])
    }

    /// Runs one statement with texts for `$1` and so on; returns its rows, as texts.
    func rows(_ sql: String, _ values: [String] = []) throws(StoreError) -> [[String?]] {
        guard send(sql, values) != 0 else { throw lost() }
        let end = ContinuousClock.now + Self.longest
        while unsafe frontdesk_pq_is_busy(connection.handle) != 0 {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero, wait(atMost: rest, or: -1) else { throw lost() }
        }
        var rows: [[String?]] = []
        var failure: StoreError?
        while let result = unsafe frontdesk_pq_next(connection.handle) {
            do throws(StoreError) {
                try unsafe connection.judge(result)
                rows += unsafe Self.texts(of: result)
                unsafe frontdesk_pq_clear(result)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return rows
    }

    /// Waits for input, the time or a wake-up, and reads what has come; false when the connection is lost.
    func wait(atMost time: Duration, or wake: Int32) -> Bool {
        let milliseconds = Int32(clamping: Int(time / .milliseconds(1)) + 1)
        let socket = unsafe frontdesk_pq_socket(connection.handle)
        guard socket >= 0, frontdesk_pq_wait(socket, wake, milliseconds) != 0 else { return false }
        return unsafe frontdesk_pq_consume(connection.handle) != 0 && connection.isConnected
    }

    /// The notices that were read and not returned yet, with their channels' names.
    func notices() -> [(channel: String, payload: String)] {
        var found: [(channel: String, payload: String)] = []
        while let notice = unsafe frontdesk_pq_notice(connection.handle) {
            found.append(
                (
                    unsafe String(cString: frontdesk_pq_channel(notice)),
                    unsafe String(cString: frontdesk_pq_payload(notice))
                ))
            unsafe frontdesk_pq_free_notice(notice)
        }
        return found
    }

    private func lost() -> StoreError { StoreError(.unavailable, "postgres connection lost") }

    private func send(_ sql: String, _ values: [String]) -> Int32 {
        var bytes: [CChar] = []
        var places: [Int] = []
        for value in values {
            places.append(bytes.count)
            bytes += value.utf8CString
        }
        // Safe: the pointers lead into `bytes`, which stays as it is while the call lasts.
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            let pointers = unsafe places.map { place in
                unsafe bytes.baseAddress.map { unsafe $0 + place }
            }
            return unsafe frontdesk_pq_send_text(
                connection.handle, sql, Int32(pointers.count), pointers)
        }
    }

    private static func texts(of result: OpaquePointer) -> [[String?]] {
        let columns = unsafe frontdesk_pq_columns(result)
        return (0..<(unsafe frontdesk_pq_rows(result))).map { row in
            (0..<columns).map { column in
                guard unsafe frontdesk_pq_is_null(result, row, column) == 0 else { return nil }
                return unsafe String(cString: frontdesk_pq_value(result, row, column))
            }
        }
    }
}
