import Foundation
import Glibc
import Synchronization

/// A server that does exactly what a test says, connection by connection.
final class ScriptedPeer: Sendable {
    /// What is done with a request.
    enum Act: Sendable {
        /// Send these bytes and wait for the next request.
        case answer(String)
        /// Send these bytes and close.
        case answerAndClose(String)
        /// Send these bytes and wait until the client closes; then set the signal.
        case hold(String, Signal)
    }

    private struct State {
        var connections = 0
        var requests: [String] = []
    }

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())
    private let script: @Sendable (_ request: String, _ connection: Int) -> Act

    init(_ script: @escaping @Sendable (_ request: String, _ connection: Int) -> Act) throws {
        self.script = script
        // No program that another test starts inherits these sockets.
        listener = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard code else { throw TestClient.Failure(step: "listen") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    close(listener)
                    return
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let number = state.withLock {
                    $0.connections += 1
                    return $0.connections
                }
                Thread.detachNewThread { [self] in serve(connection, number) }
            }
        }
    }

    /// How many connections came.
    var connections: Int { state.withLock { $0.connections } }

    /// Every request as it came, head and body of the declared length.
    var requests: [String] { state.withLock { $0.requests } }

    /// Accepts no more connections.
    func stop() {
        // Closed by its thread: another peer may get the number as soon as it is free.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    func url(_ path: String = "/", host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    private func serve(_ connection: Int32, _ number: Int) {
        defer { close(connection) }
        while let request = readRequest(connection) {
            state.withLock { $0.requests.append(request) }
            switch script(request, number) {
            case .answer(let text): send(text, connection)
            case .answerAndClose(let text): return send(text, connection)
            case .hold(let text, let signal):
                send(text, connection)
                var byte: UInt8 = 0
                while unsafe read(connection, &byte, 1) > 0 {}
                return signal.set()
            }
        }
    }

    private func send(_ text: String, _ connection: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            let count = unsafe Glibc.send(connection, rest, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return }
            sent += count
        }
    }

    private func readRequest(_ connection: Int32) -> String? {
        var text = ""
        var byte: UInt8 = 0
        while !text.utf8.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard unsafe read(connection, &byte, 1) == 1 else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        let lower = text.lowercased()
        guard let field = lower.range(of: "\r\ncontent-length: ") else { return text }
        let digits = lower[field.upperBound...].prefix { $0.isNumber }
        for _ in 0..<(Int(digits) ?? 0) {
            guard unsafe read(connection, &byte, 1) == 1 else { return nil }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }
}
