import APITestSupport
import DeskLog
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskAPI

/// What the metrics say of each business, and when the store is read for it.
struct BusinessFigureTests {
    @Test func `open conversations and the longest wait are shown, read while they are asked for`()
        async throws
    {
        let server = try await TestServer()
        let figures = BusinessFigures(services: server.services)
        let running = Task { await figures.run() }
        /// Lets a pause pass, and what is done after it be done.
        func rest(_ pause: Duration = .seconds(15)) async throws {
            server.time.advance(by: pause)
            try await Wait.until("it waits") { server.time.sleeperCount > 0 }
        }
        /// What the metrics show of the test business.
        func shown(_ name: String) -> String? {
            let mark = "frontdesk_\(name){business=\"\(server.business.id.text)\"} "
            let lines = server.services.metrics.text().split(separator: "\n")
            return lines.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
        }
        try await Wait.until("it waits") { server.time.sleeperCount > 0 }
        #expect(shown("conversations_open") == "0" && shown("longest_wait_seconds") == "0")
        _ = try await server.makeConversation()
        #expect(shown("conversations_open") == "0")
        try await rest()
        #expect(shown("conversations_open") == "1" && shown("longest_wait_seconds") == "15")
        let other = "frontdesk_conversations_open{business=\"\(server.other.id.text)\"} 0\n"
        #expect(server.services.metrics.text().contains(other))
        // The wait goes on between two readings.
        server.time.advance(by: .seconds(5))
        #expect(shown("longest_wait_seconds") == "20")
        try await rest(.seconds(10))
        // No scrape has asked since: the store is left alone until one does.
        _ = try await server.makeConversation()
        try await rest()
        #expect(shown("conversations_open") == "1")
        try await rest()
        #expect(shown("conversations_open") == "2")
        running.cancel()
        await running.value
    }
}
