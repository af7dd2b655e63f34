import Glibc

/// A plain blocking connection that sends and reads exactly what a test says.
// Sendable: the descriptor never changes, and the kernel locks it.
final class TestClient: @unchecked Sendable {
    struct Failure: Error { let step: String }

    private let descriptor: Int32

    /// Connects; a read that finds nothing for `patience` seconds fails.
    init(port: Int, patience: Int = 60, receiveBuffer: Int32? = nil) throws {
        // A program that another test starts must not inherit the connection and keep it open.
        descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
                socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(step: "connect") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count { sent += try sendSome(bytes, from: sent, flags: 0) }
    }

    /// Whether the connection is open and nothing has come.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
        return count < 0 && errno == EAGAIN
    }

    /// Whether the peer has closed and answered what was sent afterwards with a reset.
    var isReset: Bool {
        var byte: UInt8 = 0
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)
        return unsafe recv(descriptor, &byte, 1, flags) < 0 && errno == ECONNRESET
    }

    /// Says that nothing more is sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends without waiting until the kernel accepts no more; returns how much it accepted.
    func sendUntilFull(_ bytes: [UInt8]) throws -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = try sendSome(bytes, from: sent, flags: Int32(MSG_DONTWAIT))
            if count == 0 { break }
            sent += count
        }
        return sent
    }

    /// Waits for bytes; empty at the end of the connection.
    func receive(upTo most: Int = 65_536) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Failure(step: "receive \(errno)") }
        return Array(bytes[..<count])
    }

    /// Reads until the text contains `mark`.
    func receive(until mark: String) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.utf8.count >= mark.utf8.count, contains(bytes, Array(mark.utf8)) { return text }
            let more = try receive(upTo: 1)
            guard !more.isEmpty else { throw Failure(step: "end before \(mark): \(text)") }
            bytes += more
        }
    }

    /// Reads exactly this many bytes.
    func receive(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try receive(upTo: min(65_536, count - bytes.count))
            guard !more.isEmpty else { throw Failure(step: "end after \(bytes.count)") }
            bytes += more
        }
        return bytes
    }

    /// Reads until the server closes; the bytes as text.
    func receiveAll() throws -> String { String(decoding: try receiveBytes(), as: UTF8.self) }

    /// Reads until the server closes.
    func receiveBytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try receive()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// Reads one response with a `Content-Length`; the body as text.
    func receiveResponse() throws -> (head: String, body: String) {
        let head = try receive(until: "\r\n\r\n")
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
        return (head, String(decoding: try receive(exactly: length), as: UTF8.self))
    }

    private func sendSome(_ bytes: [UInt8], from start: Int, flags: Int32) throws -> Int {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(
                descriptor, $0.baseAddress?.advanced(by: start), $0.count - start,
                flags | Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EAGAIN, flags != 0 { return 0 }
        guard count > 0 else { throw Failure(step: "send \(errno)") }
        return count
    }

    private func contains(_ bytes: [UInt8], _ mark: [UInt8]) -> Bool {
        // Bytes come one at a time, so the mark can only be at the end.
        bytes.suffix(mark.count).elementsEqual(mark)
    }
}
