import CLinux
import DeskHTTP
import Glibc
import Synchronization

/// One thread that waits for sockets with epoll and runs the tasks of its connections.
///
/// Thread: everything but `enqueue`, `perform`, `stop` and `isCurrent` is touched on its own thread.
// Sendable: `inbox` is behind its lock; all other state is touched only on the loop's thread.
@safe final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// How often deadlines are checked; a deadline fires at most this much late.
    static let tick = Nanoseconds(.milliseconds(100))

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var work: [@Sendable () -> Void] = []
        var isWoken = false
        var isStopping = false
    }

    private let epoll: Int32
    private let wakeup: Int32
    private let inbox = Mutex(Inbox())
    private var thread = pthread_t()
    private var handle = pthread_t()
    private let isStarted = Atomic(false)

    /// Starts tasks for streams whose step is due.
    let streamRunner = StreamRunner()
    private var jobs: [UnownedJob] = []
    private(set) var channels = ChannelTable()
    private var nextSweep = MonotonicTime(nanoseconds: 0)

    /// Reads the clock; tests supply their own.
    let clock: @Sendable () -> UInt64
    /// The time at the start of this iteration.
    private(set) var now: MonotonicTime
    /// Where sockets are read into; its content is valid until the next await.
    var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Where responses are assembled; its content is valid until the next await.
    var output: [UInt8] = []
    /// Writes heads with this second's date.
    private(set) var headWriter = ResponseHeadWriter()

    init(
        clock: @escaping @Sendable () -> UInt64 = { MonotonicTime.now().nanoseconds }
    ) throws(NetError) {
        self.clock = clock
        now = MonotonicTime(nanoseconds: clock())
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw NetError("epoll") }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else {
            let number = errno
            close(epoll)
            throw NetError("eventfd", number)
        }
        let code = frontdesk_epoll_add(epoll, wakeup, ChannelTable.wakeupTag)
        guard code == 0 else {
            close(epoll)
            close(wakeup)
            throw NetError("epoll", code)
        }
    }

    deinit {
        close(epoll)
        close(wakeup)
    }

    /// Starts the thread, which retains the loop until `stop`.
    func start() throws(NetError) {
        let context = unsafe Unmanaged.passRetained(self)
        // Safe: the retained reference is released by the thread when `run` returns, or here.
        let code = unsafe pthread_create(
            &handle, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let loop = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                loop.thread = pthread_self()
                loop.isStarted.store(true, ordering: .releasing)
                loop.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw NetError("thread", code)
        }
    }

    /// Ends the thread after its current iteration and waits for it; no connection may be left.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        wake()
        pthread_join(handle, nil)
    }

    /// Whether the caller runs on this loop's thread.
    var isCurrent: Bool {
        isStarted.load(ordering: .acquiring) && pthread_equal(pthread_self(), thread) != 0
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
            return
        }
        let mustWake = inbox.withLock {
            $0.jobs.append(job)
            return EventLoop.noteWake(&$0)
        }
        if mustWake { wake() }
    }

    /// Runs work on the loop's thread soon, between tasks.
    func perform(_ work: @escaping @Sendable () -> Void) {
        let mustWake = inbox.withLock {
            $0.work.append(work)
            return EventLoop.noteWake(&$0)
        }
        if mustWake { wake() }
    }

    /// Begins to watch a descriptor; the answer is 0 or an error number.
    func watch(_ channel: Channel) -> Int32 {
        let tag = channels.insert(channel)
        let code = frontdesk_epoll_add(epoll, channel.descriptor, tag)
        if code != 0 { channels.remove(channel) }
        return code
    }

    /// Removes a channel; closing its descriptor removes it from epoll.
    func forget(_ channel: Channel) { channels.remove(channel) }

    func setReadDeadline(of channel: Channel, to time: MonotonicTime) {
        if let slot = channel.slot { channels[slot].read = time }
    }

    func setWriteDeadline(of channel: Channel, to time: MonotonicTime) {
        if let slot = channel.slot { channels[slot].write = time }
    }

    func setAlarm(of channel: Channel, to time: MonotonicTime) {
        if let slot = channel.slot { channels[slot].alarm = time }
    }

    private static func noteWake(_ inbox: inout Inbox) -> Bool {
        let mustWake = !inbox.isWoken
        inbox.isWoken = true
        return mustWake
    }

    private func wake() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is awake.
        _ = unsafe write(wakeup, &one, 8)
    }

    private func run() {
        while takeInbox() {
            runJobs()
            poll()
            headWriter.setTime(secondsSince1970: time(nil))
            if now >= nextSweep {
                nextSweep = now + EventLoop.tick
                sweep()
            }
        }
    }

    /// Collects the work that other threads queued; false when the loop is to end.
    private func takeInbox() -> Bool {
        let (work, isStopping) = inbox.withLock { inbox in
            jobs.append(contentsOf: inbox.jobs)
            inbox.jobs.removeAll(keepingCapacity: true)
            let work = inbox.work
            inbox.work = []
            inbox.isWoken = false
            return (work, inbox.isStopping)
        }
        for work in work { work() }
        return !isStopping || !jobs.isEmpty
    }

    /// Limit: an iteration runs at most 1,024 jobs, so that sockets are polled in between.
    private func runJobs() {
        var index = 0
        while index < jobs.count, index < 1024 {
            // A copy: the job adds to the list while it runs.
            let job = jobs[index]
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            index += 1
        }
        jobs.removeFirst(index)
    }

    private func poll() {
        let hasJobs = !jobs.isEmpty
        let idleWait = channels.isEmpty ? -1 : Int32(EventLoop.tick.count / 1_000_000)
        let count = unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) {
            events in
            let count = unsafe epoll_wait(epoll, events.baseAddress, 256, hasJobs ? 0 : idleWait)
            now = MonotonicTime(nanoseconds: clock())
            for index in 0..<Int(max(count, 0)) {
                let event = unsafe events[index]
                if unsafe event.data.u64 == ChannelTable.wakeupTag {
                    drainWakeup()
                } else if let channel = unsafe channels.find(event.data.u64) {
                    channel.note(unsafe event.events)
                }
            }
            return count
        }
        // EINTR is an iteration without events; any other error is a programming error.
        precondition(count >= 0 || errno == EINTR, "epoll_wait failed with \(errno)")
    }

    /// Notifies every channel whose deadline has passed; each may change the table meanwhile.
    private func sweep() {
        for slot in 0..<channels.slotCount {
            let due = channels[slot]
            if due.read <= now { channels.channel(at: slot)?.expireRead() }
            if due.write <= now { channels.channel(at: slot)?.expireWrite() }
            if due.alarm <= now { channels.channel(at: slot)?.notify() }
        }
    }

    private func drainWakeup() {
        var count: UInt64 = 0
        // Fails only when another wake-up was drained before; nothing is lost then.
        _ = unsafe read(wakeup, &count, 8)
    }
}
