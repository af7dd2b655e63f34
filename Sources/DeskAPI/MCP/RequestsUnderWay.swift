import Synchronization

/// Requests that are being answered, each of which can be cancelled by its name.
package final class RequestsUnderWay<Name: Hashable & Sendable>: Sendable {
    /// One request.
    package struct Entry: Sendable {
        fileprivate let name: Name
        fileprivate let number: Int
        fileprivate let signal: AsyncStream<Void>
    }

    private struct State {
        var last = 0
        var signals: [Name: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private enum Outcome<Answer: Sendable>: Sendable {
        case answered(Answer)
        case cancelled
        /// The signal ended without having come.
        case over
    }

    private let state = Mutex(State())

    /// None is under way.
    package init() {}

    /// Notes a request, which can be cancelled from now on; `run` must follow.
    package func begin(_ name: Name) -> Entry {
        let (signal, continuation) = AsyncStream.makeStream(of: Void.self)
        let number = state.withLock { state in
            state.last += 1
            let number = state.last
            state.signals[name, default: [:]][number] = continuation
            return number
        }
        return Entry(name: name, number: number, signal: signal)
    }

    /// Does a request's work; nil where it was cancelled, once the work has ended.
    ///
    /// Cancel: the work's task is cancelled by `cancel`, as by its caller's.
    package func run<Answer: Sendable>(
        _ entry: Entry, _ work: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        defer { end(entry) }
        return await withTaskGroup(of: Outcome<Answer>.self) { group in
            group.addTask { .answered(await work()) }
            group.addTask {
                var signals = entry.signal.makeAsyncIterator()
                return await signals.next() == nil ? .over : .cancelled
            }
            while let outcome = await group.next() {
                switch outcome {
                case .answered(let answer):
                    group.cancelAll()
                    return answer
                case .cancelled:
                    group.cancelAll()
                    return nil
                case .over: continue
                }
            }
            return nil
        }
    }

    /// Cancels the request of a name.
    ///
    /// Where several have it nothing is cancelled: which of them is meant is not known.
    package func cancel(_ name: Name) {
        let signals = state.withLock { $0.signals[name] } ?? [:]
        guard signals.count == 1 else { return }
        for signal in signals.values { signal.yield() }
    }

    private func end(_ entry: Entry) {
        state.withLock { state in
            state.signals[entry.name]?[entry.number]?.finish()
            state.signals[entry.name]?[entry.number] = nil
            if state.signals[entry.name]?.isEmpty == true { state.signals[entry.name] = nil }
        }
    }
}
