import DeskModel
import DeskStore
import Synchronization

/// Recent events, and the tasks that wait for the next one.
final class Tail: Sendable {
    let epoch: Epoch
    let limits: StreamLimits
    let state: Mutex<TailState>
    /// Says that something is missing that has to be read from the log.
    let gaps: AsyncStream<Void>
    let gap: AsyncStream<Void>.Continuation

    init(epoch: Epoch, newest: Position, limits: StreamLimits) {
        self.epoch = epoch
        self.limits = limits
        (gaps, gap) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state = Mutex(TailState(newest: newest, limits: limits))
    }

    var head: EventID {
        EventID(epoch: epoch, position: state.withLock { $0.newest })
    }

    /// Publishes committed events to readers.
    ///
    /// Thread: the store's writer; never waits for a reader.
    func publish(_ events: [Event]) {
        // Large payloads go by reference here, so that recent memory stays small.
        let shared = events.map { SharedEvent($0.forStreams) }
        let (woken, isMissing) = state.withLock { state in
            (state.publish(shared), state.missing != nil)
        }
        for one in woken { one.notify() }
        if isMissing { gap.yield() }
    }

    /// Publishes to connected readers; a reader whose queue is full misses the signal.
    func publish(_ signal: Signal) {
        let woken = state.withLock { $0.publish(signal) }
        for one in woken { one.notify() }
    }

    /// Publishes a stream's presence to connected readers, and to those that begin later.
    func publish(_ signal: Signal, by stream: UniqueID) {
        let woken = state.withLock { $0.publish(signal, by: stream) }
        for one in woken { one.notify() }
    }

    /// Who is there in a business, and how.
    func availability(in business: BusinessID) -> [Author: Signal.State] {
        state.withLock { $0.availability.states(in: business) }
    }

    /// Who has a page in use in a business, whatever they chose.
    func inUse(in business: BusinessID) -> Set<Author> {
        state.withLock { $0.availability.inUse(in: business) }
    }

    /// What became of an attempt to follow live.
    enum Joining {
        /// The reader is live; what it missed is in its queue.
        case live(Int)
        /// A range from recent memory; try again after `end`.
        case recent([SharedEvent], end: Position)
        /// Recent memory starts later; the log has to be read.
        case tooOld
        /// No such event was ever published.
        case future
    }

    func join(after cursor: Position, in scope: EventScope) -> Joining {
        state.withLock { $0.join(after: cursor, in: scope, epoch: epoch) }
    }

    func joinNow(in scope: EventScope, isReset: Bool) -> Int {
        state.withLock { $0.joinNow(in: scope, isReset: isReset, epoch: epoch) }
    }

    /// Removes the next item; when the queue is empty, `wake` is called once something lies in it.
    func take(
        _ reader: Int, armedWith wake: (@Sendable () -> Void)? = nil
    ) -> TailState.Next {
        state.withLock { $0.take(reader, epoch: epoch, armedWith: wake) }
    }

    /// Returns when something lies in the reader's queue, or at once when the reader has left.
    func wait(_ reader: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isDue = state.withLock { $0.wait(reader, waiter) }
                if isDue { waiter.resume() }
            }
        } onCancel: {
            leave(reader)
        }
    }

    func leave(_ reader: Int) {
        let waiter = state.withLock { $0.leave(reader) }
        waiter?.resume()
    }
}

extension Event {
    fileprivate var forStreams: Event {
        guard case .message(let message) = body,
            message.payload.byteCount > Event.maximumPayloadBytes
        else { return self }
        return Event(
            id: id, type: type, time: time, business: business, conversation: conversation,
            body: .message(message.carrying(atMostBytes: Event.maximumPayloadBytes)))
    }
}
