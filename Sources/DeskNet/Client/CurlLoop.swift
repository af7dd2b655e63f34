import CCurl
import DeskHTTP
import Glibc
import Synchronization

/// The queue to the thread that runs libcurl: callers add orders and wake the thread.
///
/// Thread: any; the thread itself is started by the first transfer, since most servers send nothing for
/// long, and ends after `stop`.
final class CurlLoop: Sendable {
    /// Most exchanges at one time; one more is refused.
    static let mostAtOnce = 512

    enum Order: Sendable {
        case start(CurlTransfer)
        /// The transfer has changed and libcurl has to be updated.
        case look(CurlTransfer)
    }

    private struct Inbox {
        var orders: [Order] = []
        /// The address of the thread's handle; the thread clears it under the same lock before it frees it.
        var multi: UInt?
        var hasThread = false
        var isStopping = false
        var atOnce = 0
    }

    private let settings: CurlThread.Settings
    private let inbox = Mutex(Inbox())

    init(_ settings: CurlThread.Settings) { self.settings = settings }

    /// Queues a transfer for the thread, or ends it at once when the thread cannot accept it.
    func start(_ transfer: CurlTransfer) {
        let (refusal, isFirst) = inbox.withLock { inbox -> (OutgoingError?, Bool) in
            guard !inbox.isStopping else {
                return (OutgoingError(.cancelled, "the client has ended"), false)
            }
            guard inbox.atOnce < CurlLoop.mostAtOnce else {
                let most = CurlLoop.mostAtOnce
                return (OutgoingError(.connection, "\(most) requests are under way already"), false)
            }
            inbox.atOnce += 1
            CurlLoop.add(.start(transfer), to: &inbox)
            defer { inbox.hasThread = true }
            return (nil, !inbox.hasThread)
        }
        if let refusal { transfer.end(.failure(refusal)) }
        if isFirst { startThread() }
    }

    /// Starts the thread, which retains the loop until `stop`.
    private func startThread() {
        let context = unsafe Unmanaged.passRetained(
            CurlThread.Start(loop: self, settings: settings))
        var handle = pthread_t()
        // Safe: the thread owns the retained reference from here on, or it is released here.
        let code = unsafe pthread_create(
            &handle, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let start = unsafe Unmanaged<CurlThread.Start>.fromOpaque(context)
                    .takeRetainedValue()
                do throws(OutgoingError) { try CurlThread(start).run() } catch {
                    start.loop.end(because: error)
                }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            end(because: OutgoingError(.connection, "no thread can be started (error \(code))"))
            return
        }
        pthread_detach(handle)
    }

    /// Makes the thread update a transfer.
    func look(at transfer: CurlTransfer) {
        inbox.withLock { inbox in
            guard inbox.hasThread, !inbox.isStopping else { return }
            CurlLoop.add(.look(transfer), to: &inbox)
        }
    }

    /// Ends a transfer now, on behalf of its caller.
    func cancel(_ transfer: CurlTransfer, because error: OutgoingError) {
        transfer.end(.failure(error))
        look(at: transfer)
    }

    /// Makes the thread update every transfer and its clock.
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
        // The first order wakes the thread; it collects all orders.
        if inbox.orders.count == 1 { wake(inbox) }
    }

    private static func wake(_ inbox: Inbox) {
        guard let address = inbox.multi else { return }
        // The only call that libcurl allows from another thread.
        unsafe frontdesk_multi_wake(UnsafeMutableRawPointer(bitPattern: address))
    }
}

/// The side of the thread.
extension CurlLoop {
    /// Sets the handle that wakes the thread.
    func use(_ multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        inbox.withLock { $0.multi = address }
    }

    /// Ends what was ordered, since the thread ends; the next transfer starts another one, which is
    /// what fixes a library that was missing.
    func end(because error: OutgoingError) {
        let orders = inbox.withLock { inbox in
            inbox.multi = nil
            inbox.hasThread = false
            defer { inbox.orders = [] }
            return inbox.orders
        }
        for case .start(let transfer) in orders {
            transfer.end(.failure(error))
            noteEnd()
        }
    }

    /// All orders since the last time, and whether the thread has to end.
    func takeOrders() -> (orders: [Order], isStopping: Bool) {
        inbox.withLock { inbox in
            defer { inbox.orders.removeAll(keepingCapacity: true) }
            return (inbox.orders, inbox.isStopping)
        }
    }

    /// Counts a transfer that has ended.
    func noteEnd() { inbox.withLock { $0.atOnce -= 1 } }
}
