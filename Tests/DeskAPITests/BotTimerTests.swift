import APITestSupport
import DeskBroker
import DeskModel
import DeskStore
import DeskStoreSQLite
import StoreSupport
import Synchronization
import Testing

@testable import DeskAPI

/// Hand-overs of what bots did not answer in time.
struct BotTimerTests {
    @Test func `damaged conversations keep none behind them waiting, and are passed over`()
        async throws
    {
        let made = Mutex<DoubtfulStore?>(nil)
        let server = try await TestServer(over: { store in
            let doubtful = DoubtfulStore(over: store)
            made.withLock { $0 = doubtful }
            return doubtful
        })
        let store = try #require(made.withLock { $0 })
        let owner = try await server.makeOwner()
        _ = try await server.makeKey([server.business])
        let key = try #require(try await server.store.keys().first).id.text
        let bot = try await server.post(
            "/api/businesses/\(server.business.id)/bots",
            #"{"name":"Ada","key":"\#(key)","first":true}"#, by: owner)
        #expect(bot.status == 201, "\(bot.text)")
        for _ in 1...3 {
            _ = try await server.makeConversation()
            server.time.advance(by: .seconds(1))
        }
        server.time.advance(by: .seconds(40))
        let timer = BotTimer(services: server.services, stride: 1)
        store.damageWaits(2)
        #expect(try await timer.doRound() == 1)
        // Were they looked at again, they would be handed over.
        #expect(try await timer.doRound() == 0)
        let left = try await server.store.overdueControls(
            until: server.time.now, after: nil, limit: 9)
        #expect(left.count == 2)
        server.time.advance(by: .seconds(BotTimer.damagedSeconds))
        #expect(try await timer.doRound() == 2)
    }
}
