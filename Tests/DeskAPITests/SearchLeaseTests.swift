import APITestSupport
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

/// Which of several processes writes the search index.
@Suite struct SearchLeaseTests {
    /// An index that counts how often it was asked to go on.
    private final class CountedIndex: SearchIndex {
        private let count = Mutex(0)

        var advances: Int { count.withLock { $0 } }
        var indexed: Position { .start }

        func advance(isUrgent: Bool) async throws(StoreError) -> SearchAdvance {
            count.withLock { $0 += 1 }
            return SearchAdvance()
        }

        func search(
            _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
            limit: Int
        ) async throws(StoreError) -> SearchPage {
            SearchPage([], at: edge, rest: nil, indexed: indexed)
        }

        func searchNotes(
            _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
            limit: Int
        ) async throws(StoreError) -> NotePage {
            NotePage([], of: [], at: edge, hasMore: false)
        }

        func close() async {}
    }

    @Test func `of two followers one indexes, and the other goes on when the first has ended`()
        async throws
    {
        let server = try await TestServer()
        let indexes = [CountedIndex(), CountedIndex()]
        let followers = indexes.map { SearchFollower(services: server.services, index: $0) }
        let first = Task { await followers[0].run() }
        try await Wait.until("the first follower indexes") { indexes[0].advances > 0 }
        let second = Task { await followers[1].run() }
        #expect(try await server.services.store.withFreeLease(SearchFollower.lease) { 1 } == nil)
        #expect(indexes[1].advances == 0)
        first.cancel()
        await first.value
        let last = indexes[0].advances
        try await Wait.until("the second follower indexes") { indexes[1].advances > 0 }
        #expect(indexes[0].advances == last)
        second.cancel()
        await second.value
    }
}
