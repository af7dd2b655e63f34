import DeskHTTP
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskDelivery

/// When an endpoint that fails is disabled, and by which clocks.
@Suite struct WebhookDisablingTests {
    private static let failing = ScriptedReceiver { _, _ in
        .success(OutgoingAnswer(status: Status(500), headers: [:], body: RequestBody([])))
    }

    private func attempts(
        _ count: Int, after duration: Duration, of webhook: Webhook, _ posting: Posting
    ) async throws {
        try await posting.pass(duration, until: "\(count) attempts are stored") {
            try await posting.store.nextDeliveries(of: webhook.outbox, limit: 1)
                .first?.attempts == count
        }
    }

    @Test func `a wall clock that jumps by days disables no endpoint that failed for seconds`()
        async throws
    {
        let ahead = Mutex(Duration.zero)
        let posting = try await Posting(
            Self.failing, waits: Array(repeating: .seconds(5), count: 9),
            wallClockAhead: { ahead.withLock(\.self) })
        let webhook = try await posting.add(1)
        try await posting.run {
            try await posting.write("a")
            try await attempts(1, after: .zero, of: webhook, posting)
            ahead.withLock { $0 = .seconds(6 * 86_400) }
            for count in 2...4 {
                try await attempts(count, after: .seconds(5), of: webhook, posting)
            }
            try await Wait.until("nothing runs") {
                posting.runner.plan.withLock { $0.runningCount == 0 }
            }
            #expect(try await posting.store.findWebhook(webhook.id)?.disabled == nil)
        }
    }

    @Test func `a server that was down for days disables an endpoint once it failed for an hour`()
        async throws
    {
        let waits = [Duration.seconds(5), .seconds(5), .seconds(3_600), .seconds(5)]
        let before = try await Posting(Self.failing, waits: waits)
        let webhook = try await before.add(1)
        try await before.run {
            try await before.write("a")
            try await attempts(1, after: .zero, of: webhook, before)
        }
        before.time.advance(by: .seconds(6 * 86_400))
        let posting = before.startedAgain(waits: waits)
        try await posting.run {
            try await attempts(2, after: .zero, of: webhook, posting)
            try await attempts(3, after: .seconds(5), of: webhook, posting)
            #expect(try await posting.store.findWebhook(webhook.id)?.disabled == nil)
            try await posting.pass(.seconds(3_600), until: "it is disabled") {
                try await posting.store.findWebhook(webhook.id)?.disabled?.reason == .failing
            }
        }
    }
}
