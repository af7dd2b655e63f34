import CLinux
import DeskCrypto
import DeskHTTP
import DeskLog
import Glibc
import Synchronization

/// Accepts connections from one listening socket and distributes them over the loops round-robin.
// Sendable: all state is touched only on the first loop's thread.
final class Acceptor: ChannelOwner, @unchecked Sendable {
    private let channel: Channel
    private let service: Service
    private let loops: [EventLoop]
    private var next = 0
    private var isOver = false
    private var isShort = false

    init(adopting listener: Int32, service: Service, loops: [EventLoop]) {
        channel = Channel(adopting: listener, on: loops[0])
        self.service = service
        self.loops = loops
    }

    /// Accepts until the server closes or ends, and returns when the last connection has ended.
    func run() async {
        channel.owner = self
        await withDiscardingTaskGroup { group in
            guard channel.loop.watch(channel) == 0 else { return }
            // A close before this task ran did not find the channel.
            isOver =
                isOver || service.isClosing.load(ordering: .relaxed)
                || service.isAborting.load(ordering: .relaxed)
            channel.isReadable = true
            while !isOver {
                guard hasRoom, let accepted = acceptOne() else {
                    await pause()
                    continue
                }
                let loop = loops[next]
                next = (next + 1) % loops.count
                let service = service
                group.addTask(executorPreference: loop) {
                    await Acceptor.serve(accepted, service: service, loop: loop)
                }
            }
            channel.release()
        }
    }

    func alarmRang() {}

    func peerLeft() {}

    func idleEnded() {}

    /// It stays open while the server drains: a client that is refused here would get no service at all.
    func drain() {}

    func close() {
        isOver = true
        channel.end()
    }

    func abort() { close() }

    /// Waits for a connection, or briefly when the connection limit is reached.
    private func pause() async {
        guard !hasRoom || isShort else {
            _ = await channel.waitReadable(until: .never)
            return
        }
        channel.isReadable = false
        _ = await channel.waitReadable(until: channel.loop.now + EventLoop.tick)
        // Edge-triggered: epoll will not report the waiting connections again.
        channel.isReadable = true
    }

    private struct Accepted: Sendable {
        let descriptor: Int32
        let address: String
        let isLoopback: Bool
    }

    private var hasRoom: Bool { service.counts.open.value < service.limits.connections }

    private func acceptOne() -> Accepted? {
        guard channel.isReadable else { return nil }
        isShort = false
        while true {
            var loopback: Int32 = 0
            var address = ""
            let descriptor = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) {
                text in
                let descriptor = unsafe frontdesk_accept(
                    channel.descriptor, text.baseAddress, text.count, &loopback)
                if descriptor >= 0, let start = text.baseAddress {
                    address = unsafe String(cString: start)
                }
                return descriptor
            }
            if descriptor >= 0 {
                service.counts.accepted.add()
                if loopback != 0 || service.admitUnauthenticated(address) {
                    return Accepted(
                        descriptor: descriptor, address: address, isLoopback: loopback != 0)
                }
                service.counts.closedForLimit.add()
                Glibc.close(descriptor)
                continue
            }
            switch -descriptor {
            case EINTR, ECONNABORTED, EPROTO, EPERM:
                continue
            case EAGAIN:
                channel.isReadable = false
                return nil
            default:
                // EMFILE, ENFILE, ENOBUFS, ENOMEM: wait for other connections to end.
                service.log.error("accept_failed", ["errno": .number(Int(-descriptor))])
                isShort = true
                return nil
            }
        }
    }

    private static func serve(_ accepted: Accepted, service: Service, loop: EventLoop) async {
        do throws(CryptoError) {
            let connection = try HTTPConnection(
                adopting: accepted.descriptor, address: accepted.address,
                isLoopback: accepted.isLoopback, service: service, loop: loop)
            await connection.serve()
        } catch {
            service.log.error("tls_session_failed", ["reason": .text(error.reason)])
            if !accepted.isLoopback { service.dismissUnauthenticated(accepted.address) }
        }
    }
}
