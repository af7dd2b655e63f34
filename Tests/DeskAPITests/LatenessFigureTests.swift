import APITestSupport
import DeskBroker
import DeskLog
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskAPI

/// What the metrics say of work that is due and not done.
struct LatenessFigureTests {
    @Test func `how long the oldest due work waits is shown, and 0 once it is done`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        _ = try await server.makeKey([server.business])
        let key = try #require(try await server.store.keys().first).id.text
        let bot = try await server.post(
            "/api/businesses/\(server.business.id)/bots",
            #"{"name":"Ada","key":"\#(key)","first":true}"#, by: owner)
        #expect(bot.status == 201, "\(bot.text)")
        let conversation = try await server.makeConversation()
        let control = try #require(try await server.store.findControl(of: conversation.id))
        let answerBy = try #require(control.answerBy)
        let sent = try await server.post(
            "/api/conversations/\(conversation.id)/messages?delay=20",
            #"{"type":"text","id":"\#(UniqueID(high: 0x4000, low: 1).text)","body":"Hi"}"#,
            by: owner)
        #expect(sent.status == 202, "\(sent.text)")
        let dueAt = try #require(try await server.store.nextDueTime())
        let figures = LatenessFigures(services: server.services)
        let running = Task { await figures.run() }
        func rest(_ pause: Duration) async throws {
            try await Wait.until("it waits") { server.time.sleeperCount > 0 }
            server.time.advance(by: pause)
            try await Wait.until("it waits again") { server.time.sleeperCount > 0 }
        }
        /// What the metrics show of what one lease is for.
        func shown(_ lease: String) -> Double? {
            let mark = "frontdesk_due_late_seconds{lease=\"\(lease)\"} "
            let lines = server.services.metrics.text().split(separator: "\n")
            return lines.first { $0.hasPrefix(mark) }.flatMap { Double($0.dropFirst(mark.count)) }
        }
        func late(since due: Timestamp) -> Double {
            Double(server.time.now.since(due) / .milliseconds(1)) / 1_000
        }
        try await Wait.until("it waits") { server.time.sleeperCount > 0 }
        #expect(shown("scheduler") == 0 && shown("bots") == 0)
        try await rest(.seconds(300))
        #expect(shown("scheduler") == late(since: dueAt))
        #expect(shown("bots") == late(since: answerBy))
        #expect(try await BotTimer(services: server.services).doRound() == 1)
        _ = try await Scheduler(services: server.services).doRound()
        try await rest(LatenessFigures.pause)
        #expect(shown("scheduler") == 0 && shown("bots") == 0)
        running.cancel()
        await running.value
    }
}
