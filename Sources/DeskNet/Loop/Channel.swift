import CLinux
import Glibc

/// The owner of a channel.
///
/// Thread: called on the loop's thread, between tasks.
protocol ChannelOwner: AnyObject {
    /// The alarm fired.
    func alarmRang()
    /// The peer has ended its direction, or is gone; called more than once.
    func peerLeft()
    /// The idle wait ended: by input, by its deadline, or by the server's end.
    func idleEnded()
    /// The server drains: running work should end; new requests are still served.
    func drain()
    /// All work that ran when the drain began has ended: finish, start nothing.
    func close()
    /// The server ends now.
    func abort()
}

/// One watched descriptor: its epoll state, the task that waits for it, and until when.
///
/// Thread: touched only on its loop's thread.
// Sendable: all state is touched only on the loop's thread.
@safe final class Channel: @unchecked Sendable {
    /// How a wait ended.
    enum Wait: Sendable {
        case ready
        case expired
        /// The channel is being closed from outside.
        case ended
    }

    let loop: EventLoop
    let descriptor: Int32
    var slot: Int?

    /// Whether a read may find something; edge-triggered, so it holds until a read returns less than asked for.
    var isReadable = false
    /// Whether a write may succeed.
    var isWritable = true
    /// Whether the peer has ended its direction.
    private(set) var isHalfClosed = false
    /// Whether the connection is gone in both directions.
    private(set) var isHungUp = false
    /// Whether waits end at once.
    private(set) var isEnded = false
    /// Notified of alarms and of the server's end; dropped by `release`.
    var owner: (any ChannelOwner)?

    private var isIdle = false
    private var reader: UnsafeContinuation<Wait, Never>?
    private var writer: UnsafeContinuation<Wait, Never>?
    private var isReleased = false

    /// Adopts the descriptor, which must be non-blocking; the channel closes it.
    init(adopting descriptor: Int32, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit { if !isReleased { close(descriptor) } }

    /// Waits until a read may find something.
    ///
    /// One caller at a time.
    func waitReadable(until deadline: MonotonicTime) async -> Wait {
        if isReadable { return .ready }
        if isEnded { return .ended }
        // A peer that sends a byte before every sweep must not extend its deadline.
        if deadline <= loop.now { return .expired }
        loop.setReadDeadline(of: self, to: deadline)
        let wait = await unsafe withUnsafeContinuation { unsafe reader = $0 }
        loop.setReadDeadline(of: self, to: .never)
        return wait
    }

    /// Waits until a write may succeed.
    ///
    /// One caller at a time.
    func waitWritable(until deadline: MonotonicTime) async -> Wait {
        if isWritable { return .ready }
        if isEnded { return .ended }
        loop.setWriteDeadline(of: self, to: deadline)
        let wait = await unsafe withUnsafeContinuation { unsafe writer = $0 }
        loop.setWriteDeadline(of: self, to: .never)
        return wait
    }

    /// Notifies the owner once: when a read may find something, at the deadline, or at the server's end.
    ///
    /// Unlike a wait, this holds no task.
    func waitIdle(until deadline: MonotonicTime) {
        isIdle = true
        loop.setReadDeadline(of: self, to: deadline)
    }

    /// Ends an idle wait early; does nothing when there is none.
    func endIdle() {
        guard isIdle else { return }
        isIdle = false
        loop.setReadDeadline(of: self, to: .never)
        owner?.idleEnded()
    }

    /// Sets when the alarm fires; `never` turns it off.
    func setAlarm(_ time: MonotonicTime) { loop.setAlarm(of: self, to: time) }

    /// Applies what epoll reports.
    func note(_ events: UInt32) {
        let hangUp = EPOLLHUP.rawValue | EPOLLERR.rawValue
        if events & EPOLLRDHUP.rawValue != 0 { isHalfClosed = true }
        if events & hangUp != 0 { isHungUp = true }
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | hangUp) != 0 {
            isReadable = true
            resumeReader(.ready)
        }
        if events & (EPOLLOUT.rawValue | hangUp) != 0 {
            isWritable = true
            resumeWriter(.ready)
        }
        if isHalfClosed || isHungUp { owner?.peerLeft() }
    }

    func expireRead() { resumeReader(.expired) }

    func expireWrite() { resumeWriter(.expired) }

    func notify() {
        loop.setAlarm(of: self, to: .never)
        owner?.alarmRang()
    }

    /// Makes every wait end at once, now and later.
    func end() {
        isEnded = true
        resumeReader(.ended)
        resumeWriter(.ended)
    }

    /// Closes the descriptor; the channel cannot be used again.
    func release() {
        guard !isReleased else { return }
        end()
        isReleased = true
        owner = nil
        loop.forget(self)
        close(descriptor)
    }

    private func resumeReader(_ wait: Wait) {
        guard let waiting = unsafe reader else { return endIdle() }
        unsafe reader = nil
        unsafe waiting.resume(returning: wait)
    }

    private func resumeWriter(_ wait: Wait) {
        guard let waiting = unsafe writer else { return }
        unsafe writer = nil
        unsafe waiting.resume(returning: wait)
    }
}
