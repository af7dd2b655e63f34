import CCurl
import DeskHTTP
import Glibc
import Synchronization

/// The way to the thread that runs libcurl: orders go in, a wake-up makes it look.
///
/// Thread: any; the thread itself is started by `init` and ends after `stop`.
final class CurlLoop: Sendable {
    /// Most exchanges at one time; one more is refused.
    static let mostAtOnce = 512

    enum Order: Sendable {
        case start(CurlTransfer)
        /// Something of the transfer has changed that libcurl has to be told.
        case look(CurlTransfer)
    }

    private struct Inbox {
        var orders: [Order] = []
        /// The address of the thread's handle, which takes it out under the same lock before it frees it.
        var multi: UInt?
        var isStopping = false
        var atOnce = 0
    }

    private let inbox = Mutex(Inbox())

    /// Starts the thread, which holds on to the loop until `stop`.
    init(reach: OutgoingReach, authorityFile: String?, clock: @escaping @Sendable () -> UInt64) {
        let own = CurlThread.Start(
            loop: self, reach: reach, authorityFile: authorityFile, clock: clock)
        let context = unsafe Unmanaged.passRetained(own)
        var handle = pthread_t()
        // Safe: the retained reference is taken over by the thread, or released here.
        let code = unsafe pthread_create(
            &handle, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<CurlThread.Start>.fromOpaque(context)
                    .takeRetainedValue()
                CurlThread(start).run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            inbox.withLock { $0.isStopping = true }
            return
        }
        pthread_detach(handle)
    }

    /// Gives a transfer to the thread, or ends it at once when it cannot be taken.
    func start(_ transfer: CurlTransfer) {
        let refusal = inbox.withLock { inbox -> OutgoingError? in
            guard !inbox.isStopping else {
                return OutgoingError(.cancelled, "the client has ended")
            }
            guard inbox.atOnce < CurlLoop.mostAtOnce else {
                let most = CurlLoop.mostAtOnce
                return OutgoingError(.connection, "\(most) requests are under way already")
            }
            inbox.atOnce += 1
            CurlLoop.add(.start(transfer), to: &inbox)
            return nil
        }
        if let refusal { transfer.end(.failure(refusal)) }
    }

    /// Has the thread look at a transfer.
    func look(at transfer: CurlTransfer) {
        inbox.withLock { if !$0.isStopping { CurlLoop.add(.look(transfer), to: &$0) } }
    }

    /// Ends a transfer now, on behalf of its caller.
    func cancel(_ transfer: CurlTransfer, because error: OutgoingError) {
        transfer.end(.failure(error))
        look(at: transfer)
    }

    /// Has the thread look at everything, its clock too.
    func look() { inbox.withLock { CurlLoop.wake($0) } }

    /// Ends every transfer and the thread.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            CurlLoop.wake(inbox)
        }
    }

    private static func add(_ order: Order, to inbox: inout Inbox) {
        inbox.orders.append(order)
        // The first one wakes; the thread takes all there are.
        if inbox.orders.count == 1 { wake(inbox) }
    }

    private static func wake(_ inbox: Inbox) {
        guard let address = inbox.multi else { return }
        // The only call that another thread may make.
        unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
    }
}

/// What the thread calls.
extension CurlLoop {
    /// Says by which handle the thread is woken; nil when it ends.
    func use(_ multi: UnsafeMutableRawPointer?) {
        let address = unsafe multi.map { UInt(bitPattern: $0) }
        inbox.withLock { $0.multi = address }
    }

    /// All orders since the last time, and whether the thread has to end.
    func takeOrders() -> (orders: [Order], isStopping: Bool) {
        inbox.withLock { inbox in
            defer { inbox.orders.removeAll(keepingCapacity: true) }
            return (inbox.orders, inbox.isStopping)
        }
    }

    /// Counts a transfer that is over.
    func noteEnd() { inbox.withLock { $0.atOnce -= 1 } }
}
