import DeskBytes
public import DeskHTTP
import Synchronization

/// Counts the open streams: 16 a principal, 256 an address, 15,000 in all.
public final class StreamBook: Sendable {
    private struct State {
        var bySubject: [RateSubject: Int] = [:]
        var byAddress: [ByteString: Int] = [:]
        var all = 0
    }

    private let limits: APILimits
    private let state = Mutex(State())

    init(limits: APILimits) { self.limits = limits }

    /// How many streams are open.
    public var count: Int { state.withLock { $0.all } }

    /// Gives a seat to a stream; leaving it is the seat's own affair.
    ///
    /// - Throws: `rate_limited` for one too many of a principal or an address, `unavailable` in all.
    public func takeSeat(_ principal: Principal, _ peer: Peer) throws(Problem) -> StreamSeat {
        let subject = RateSubject(principal, peer: peer)
        let address = ByteString(peer.address)
        let refusal: ProblemCode? = state.withLock { state in
            guard state.all < limits.streams else { return .unavailable }
            guard state.bySubject[subject, default: 0] < limits.streamsPerPrincipal,
                state.byAddress[address, default: 0] < limits.streamsPerAddress
            else { return .rateLimited }
            state.all += 1
            state.bySubject[subject, default: 0] += 1
            state.byAddress[address, default: 0] += 1
            return nil
        }
        if let refusal {
            var problem = Problem(refusal, "Too many streams are open; close one first.")
            problem.retryAfterSeconds = 5
            throw problem
        }
        return StreamSeat { [self] in leave(subject, address) }
    }

    private func leave(_ subject: RateSubject, _ address: ByteString) {
        state.withLock { state in
            state.all -= 1
            let ofSubject = state.bySubject[subject, default: 1] - 1
            state.bySubject[subject] = ofSubject > 0 ? ofSubject : nil
            let ofAddress = state.byAddress[address, default: 1] - 1
            state.byAddress[address] = ofAddress > 0 ? ofAddress : nil
        }
    }
}

/// A stream's place; given back when it is left, or else with the last reference.
public final class StreamSeat: Sendable {
    private let leaving: Mutex<(@Sendable () -> Void)?>

    init(_ leave: @escaping @Sendable () -> Void) { leaving = Mutex(leave) }

    deinit { leave() }

    /// Gives the place back; once more does nothing.
    public func leave() {
        let leave = leaving.withLock { leaving in
            defer { leaving = nil }
            return leaving
        }
        leave?()
    }
}
