import DeskHTTP
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskDelivery

/// How what attempts came to is stored.
@Suite struct WebhookSettlingTests {
    /// A receiver that answers one post after the other, when it is asked to.
    private final class Holding: Sendable {
        private let held = Mutex<[CheckedContinuation<Void, Never>]>([])

        var receiver: ScriptedReceiver {
            ScriptedReceiver { _, _ in
                await withCheckedContinuation { one in self.held.withLock { $0.append(one) } }
                return .success(OutgoingAnswer(status: .noContent))
            }
        }

        var count: Int { held.withLock { $0.count } }

        func answer(_ most: Int) {
            let some = held.withLock { held in
                let some = Array(held.prefix(most))
                held.removeFirst(some.count)
                return some
            }
            for one in some { one.resume() }
        }
    }

    /// Answers posts to so many endpoints one after the other, and how often results were stored.
    private func stored(
        answering count: Int, beside others: Int
    ) async throws -> (commits: Int, passed: Duration) {
        let holding = Holding()
        let posting = try await Posting(holding.receiver)
        for number in 0..<count + others { _ = try await posting.add(number) }
        let commits = Mutex(0)
        posting.store.followRegistries { entries in
            for entry in entries {
                if case .links(.settleWebhooks) = entry.change { commits.withLock { $0 += 1 } }
            }
        }
        var found = (commits: 0, passed: Duration.zero)
        try await posting.run {
            // In any case: what hangs would keep a test that failed from ending.
            defer { holding.answer(count + others) }
            try await posting.write("a")
            try await Wait.until("all attempts run") { holding.count == count + others }
            let begin = ContinuousClock.now
            for _ in 0..<count {
                holding.answer(1)
                try await Task.sleep(for: .milliseconds(1))
            }
            try await Wait.until("the results are stored") {
                var delivered = 0
                for webhook in try await posting.store.webhooks(of: nil) {
                    let counts = try await posting.store.countDeliveries(of: webhook.outbox)
                    delivered += counts[.delivered] ?? 0
                }
                return delivered == count
            }
            found = (commits.withLock { $0 }, ContinuousClock.now - begin)
        }
        return found
    }

    @Test func `while many attempts run, results gather for 3 ms before they are stored`()
        async throws
    {
        let (commits, passed) = try await stored(answering: 20, beside: 12)
        #expect(commits > 0)
        #expect(WebhookRunner.gathering * (commits - 2) <= passed, "\(commits) in \(passed)")
    }

    @Test func `nothing is lost when the server ends while results gather`() async throws {
        let holding = Holding()
        let posting = try await Posting(holding.receiver)
        for number in 0..<20 { _ = try await posting.add(number) }
        try await posting.run {
            defer { holding.answer(20) }
            try await posting.write("a")
            try await Wait.until("all attempts run") { holding.count == 20 }
        }
        posting.receiver.script.withLock { script in
            script = { _, _ in .success(OutgoingAnswer(status: .noContent)) }
        }
        try await posting.run {
            for webhook in try await posting.store.webhooks(of: nil) {
                try await posting.wait(for: 1, .delivered, of: webhook)
            }
        }
    }
}
