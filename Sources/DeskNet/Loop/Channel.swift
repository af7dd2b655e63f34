import CLinux
import Glibc

/// Whoever a channel belongs to.
///
/// Thread: called on the loop's thread, between tasks.
protocol ChannelOwner: AnyObject {
    /// The alarm's time has come.
    func alarmRang()
    /// The peer has ended its direction, or is gone; told more than once.
    func peerLeft()
    /// What was waited for at rest has come, or its deadline, or the end.
    func restEnded()
    /// The server drains: what runs is to come to its end; what is new is still served.
    func drain()
    /// What ran when the drain began is over: finish, start nothing.
    func close()
    /// The server ends now.
    func abort()
}

/// One watched descriptor: what epoll said of it, who waits for it, and until when.
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

    /// Whether a read may find something; edge-triggered, so it holds until a read comes back short.
    var isReadable = false
    /// Whether a write may find room.
    var isWritable = true
    /// Whether the peer has ended its direction.
    private(set) var isHalfClosed = false
    /// Whether the connection is gone in both directions.
    private(set) var isHungUp = false
    /// Whether waits end at once.
    private(set) var isEnded = false
    /// Told of alarms and of the server's end; let go by `release`.
    var owner: (any ChannelOwner)?

    private var isResting = false
    private var reader: UnsafeContinuation<Wait, Never>?
    private var writer: UnsafeContinuation<Wait, Never>?
    private var isReleased = false

    /// Takes over the descriptor, which must not block.
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
        // A peer that sends a byte before every sweep must not put its deadline off.
        if deadline <= loop.now { return .expired }
        loop.setReadDeadline(of: self, to: deadline)
        let wait = await unsafe withUnsafeContinuation { unsafe reader = $0 }
        loop.setReadDeadline(of: self, to: .never)
        return wait
    }

    /// Waits until a write may find room.
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

    /// Has the owner told, once, when a read may find something, at the deadline, or at the end.
    ///
    /// Unlike a wait, this keeps no task.
    func rest(until deadline: MonotonicTime) {
        isResting = true
        loop.setReadDeadline(of: self, to: deadline)
    }

    /// Ends a rest before its time; nothing happens when there is none.
    func endRest() {
        guard isResting else { return }
        isResting = false
        loop.setReadDeadline(of: self, to: .never)
        owner?.restEnded()
    }

    /// Sets when the alarm rings; `never` turns it off.
    func setAlarm(_ time: MonotonicTime) { loop.setAlarm(of: self, to: time) }

    /// Takes in what epoll reports.
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

    func ring() {
        loop.setAlarm(of: self, to: .never)
        owner?.alarmRang()
    }

    /// Makes every wait end at once, now and later.
    func end() {
        isEnded = true
        resumeReader(.ended)
        resumeWriter(.ended)
    }

    /// Closes the descriptor; the channel is spent.
    func release() {
        guard !isReleased else { return }
        end()
        isReleased = true
        owner = nil
        loop.forget(self)
        close(descriptor)
    }

    private func resumeReader(_ wait: Wait) {
        guard let waiting = unsafe reader else { return endRest() }
        unsafe reader = nil
        unsafe waiting.resume(returning: wait)
    }

    private func resumeWriter(_ wait: Wait) {
        guard let waiting = unsafe writer else { return }
        unsafe writer = nil
        unsafe waiting.resume(returning: wait)
    }
}
