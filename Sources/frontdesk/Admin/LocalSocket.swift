import DeskStore
import Glibc

/// A Unix stream socket by its descriptor; closed with its last reference.
final class LocalSocket: Sendable {
    /// Why a socket could not be used.
    struct Failure: Error, CustomStringConvertible {
        let step: String
        let code: Int32

        var description: String { "\(step): \(SystemWords.text(code))" }
    }

    /// How long one reading or writing waits for the other side, in seconds.
    static let patienceSeconds = 10

    private let descriptor: Int32

    private init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens under a name in a folder, for ever patient; what an earlier process left there is removed.
    ///
    /// Only the user who runs the process can connect.
    static func listen(in folder: String, name: String) throws(Failure) -> LocalSocket {
        let path = folder + "/" + name
        if unsafe unlink(path) != 0, errno != ENOENT { throw Failure(step: "unlink", code: errno) }
        let socket = try make()
        try unsafe socket.atAddress(in: folder, name: name, step: "bind") {
            descriptor, address, count in
            unsafe bind(descriptor, address, count)
        }
        guard unsafe chmod(path, 0o600) == 0 else { throw Failure(step: "chmod", code: errno) }
        guard Glibc.listen(socket.descriptor, 16) == 0 else {
            throw Failure(step: "listen", code: errno)
        }
        return socket
    }

    /// Connects to the process that listens; nil when there is none.
    static func connect(
        in folder: String, name: String, patienceSeconds: Int?
    ) throws(Failure) -> LocalSocket? {
        let socket = try make()
        if let patienceSeconds { socket.setPatience(patienceSeconds) }
        do throws(Failure) {
            try unsafe socket.atAddress(in: folder, name: name, step: "connect") {
                descriptor, address, count in
                unsafe Glibc.connect(descriptor, address, count)
            }
        } catch {
            // No process listens: no file, a file that a crash left, or no folder.
            guard [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.code) else { throw error }
            return nil
        }
        return socket
    }

    /// What comes of a connection that could not be accepted.
    enum Refused {
        /// It went away, or a signal came: the next is waited for.
        case passed
        /// The process or the machine has no room for one more: others end and make it.
        case full
        /// The socket is of no use any more.
        case over

        init(code: Int32) {
            self =
                switch code {
                case EINTR, ECONNABORTED, EPROTO: .passed
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: .full
                default: .over
                }
        }
    }

    /// Waits for the next connection; nil when none can come any more.
    ///
    /// Thread: one of its own, since it blocks.
    func accept() -> LocalSocket? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                let socket = LocalSocket(adopting: accepted)
                socket.setPatience(Self.patienceSeconds)
                return socket
            }
            switch Refused(code: errno) {
            case .passed: continue
            // The connection stays in the queue; without a pause this would be asked without end.
            case .full: usleep(100_000)
            case .over: return nil
            }
        }
    }

    /// Reads until the other side has said everything; nil when it says too much or too little.
    func readAll(upTo limit: Int) -> [UInt8]? {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count == 0 { return all }
            if count < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            guard count <= limit - all.count else { return nil }
            all += piece.prefix(count)
        }
    }

    /// Hands bytes over as they come, until the other side has said everything.
    ///
    /// False when the other side or `take` ends it before.
    func read(to take: ([UInt8]) -> Bool) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            }
            if count == 0 { return true }
            if count < 0, errno == EINTR { continue }
            guard count > 0, take(Array(piece.prefix(count))) else { return false }
        }
    }

    /// Writes bytes with more to follow; returns whether they went out.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                // MSG_NOSIGNAL: a side that went away is an error here, not the end of the process.
                unsafe send(
                    descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Writes everything and says that this was all; returns whether it went out.
    @discardableResult
    func writeAll(_ bytes: [UInt8]) -> Bool {
        write(bytes) && shutdown(descriptor, Int32(SHUT_WR)) == 0
    }

    private static func make() throws(Failure) -> LocalSocket {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw Failure(step: "socket", code: errno) }
        return LocalSocket(adopting: descriptor)
    }

    private func setPatience(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            // Without it a silent peer would be waited for; only our own user can be one.
            unsafe setsockopt(
                descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Calls with the address of a name in a folder.
    ///
    /// Addresses hold 107 bytes and data directories may be deeper, so the folder is named by its
    /// descriptor.
    private func atAddress(
        in folder: String, name: String, step: String,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Failure) {
        let place = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw Failure(step: "open", code: errno) }
        defer { close(place) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(place)/\(name)".utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        precondition(path.count < room, "\(path.count) bytes do not fit into \(room)")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            unsafe bytes.copyBytes(from: path)
        }
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                unsafe call(descriptor, general, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw Failure(step: step, code: errno) }
    }
}
