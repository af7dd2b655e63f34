public import DeskModel

extension MemoryStore: ConversationViews {
    /// Finds a conversation by its name.
    public func findConversation(
        _ id: ConversationID
    ) async throws(StoreError) -> Conversation? {
        try look { $0.threads[id]?.conversation }
    }

    /// Finds the one conversation of a customer with a business.
    public func findConversation(
        of customer: CustomerID, with business: BusinessID
    ) async throws(StoreError) -> Conversation? {
        try look { state in
            let key = MemoryState.CustomerKey(business: business, customer: customer)
            return state.byCustomer[key].flatMap { state.threads[$0]?.conversation }
        }
    }

    /// Lists conversations by their newest event, newest first.
    public func conversations(
        _ filter: ConversationFilter, before: Position?, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        let limit = min(max(limit, 1), 300)
        return try look { state in
            let found = state.threads.values.map(\.conversation).filter { one in
                filter.coversStateAndBusiness(of: one) && filter.coversCare(of: one)
                    && before.map { one.activity < $0 } ?? true
            }.sorted { $0.activity > $1.activity }
            return Page(elements: Array(found.prefix(limit)), hasMore: found.count > limit)
        }
    }

    /// Counts what the lists of a filter's businesses and states have.
    public func countConversations(
        _ filter: ConversationFilter, mineOf agent: AgentID?
    ) async throws(StoreError) -> ConversationCounts {
        try look { state in
            var counts = ConversationCounts()
            for thread in state.threads.values
            where filter.coversStateAndBusiness(of: thread.conversation) {
                counts.all += 1
                if thread.conversation.assignee == nil {
                    counts.unassigned += 1
                } else if thread.conversation.assignee == agent {
                    counts.mine += 1
                }
            }
            return counts
        }
    }

    /// Counts the open conversations of a list whose customers wait.
    public func waitingConversations(
        _ filter: ConversationFilter
    ) async throws(StoreError) -> WaitingConversations {
        try look { state in
            let waiting = state.threads.values.map(\.conversation).filter { one in
                one.waits && filter.coversStateAndBusiness(of: one) && filter.coversCare(of: one)
            }
            let first = waiting.min { left, right in
                guard let one = left.waitingSince, let other = right.waitingSince else {
                    return false
                }
                return one < other
            }
            var found = WaitingConversations()
            found.count = waiting.count
            found.longest = first?.id
            found.since = first?.waitingSince
            return found
        }
    }

    /// Finds conversations of some businesses by their customers' names.
    public func findConversations(
        named query: SearchQuery, in businesses: Set<BusinessID>, limit: Int
    ) async throws(StoreError) -> [Conversation] {
        try look { state in
            let found = state.threads.values.map(\.conversation).filter {
                businesses.contains($0.business) && $0.customer.isNamed(query)
            }
            return Array(
                found.sorted { $0.activity > $1.activity }.prefix(min(max(limit, 1), 300)))
        }
    }

    /// Reads a stretch of a thread, payloads included.
    public func messages(
        in conversation: ConversationID, _ range: ThreadRange, limit: Int
    ) async throws(StoreError) -> Page<StoredMessage> {
        let limit = min(max(limit, 1), 300)
        return try look { state in
            let all = state.threads[conversation]?.messages ?? []
            switch range {
            case .newest: return Self.falling(all[...], limit: limit)
            case .before(let sequence):
                let end = min(max(0, sequence.value - 1), Int64(all.count))
                return Self.falling(all[..<Int(end)], limit: limit)
            case .after(let sequence):
                let start = min(sequence.value, Int64(all.count))
                let count = PageSize.count(of: all[Int(start)...], limit: limit) {
                    $0.payload.byteCount
                }
                let page = all[Int(start)...].prefix(count)
                return Page(
                    elements: Array(page), hasMore: page.count < all.count - Int(start))
            }
        }
    }

    /// Finds a message by its sender's id.
    public func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> StoredMessage? {
        try look { state in
            guard let thread = state.threads[conversation], let known = thread.known[id]
            else { return nil }
            return thread.messages[known.place]
        }
    }

    /// Reads the notes left between two messages, oldest first, the newest 300 at most.
    public func notes(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [Note] {
        try look { state in
            let notes = state.threads[conversation]?.notes ?? []
            return notes.filter { $0.afterSequence >= first && $0.afterSequence <= last }
                .suffix(300)
        }
    }

    private static func falling(
        _ messages: ArraySlice<StoredMessage>, limit: Int
    ) -> Page<StoredMessage> {
        let count = PageSize.count(of: messages.reversed(), limit: limit) {
            $0.payload.byteCount
        }
        return Page(
            elements: Array(messages.suffix(count)), hasMore: count < messages.count)
    }
}

/// How many messages a page of a thread holds.
package enum PageSize {
    /// Most bytes of payloads on one page; at least one element is always on it.
    package static let maximumBytes = 8 * 1_048_576

    static func count<Element>(
        of elements: some Collection<Element>, limit: Int, bytes size: (Element) -> Int
    ) -> Int {
        var count = 0
        var bytes = 0
        for element in elements.prefix(limit) {
            bytes += size(element)
            if count > 0, bytes > maximumBytes { break }
            count += 1
        }
        return count
    }
}

extension Conversation {
    /// Whether its customer waits for an answer.
    fileprivate var waits: Bool { waitingSince != nil && state == .open && !hasLeft }
}

extension ConversationFilter {
    fileprivate func coversStateAndBusiness(of conversation: Conversation) -> Bool {
        businesses.contains(conversation.business)
            && states.map { $0.contains(conversation.state) } ?? true
    }

    fileprivate func coversCare(of conversation: Conversation) -> Bool {
        switch care {
        case .mine(let agent): conversation.assignee == agent
        case .unassigned: conversation.assignee == nil
        case .all: true
        }
    }
}
