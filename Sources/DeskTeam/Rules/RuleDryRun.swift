package import DeskModel
package import DeskStore

/// What a rule would have done with the newest events of its business; changes nothing.
package struct RuleDryRun: Sendable {
    /// Events of the business that are looked at.
    package static let mostEvents = 1_000
    /// Events of all businesses that are read for them at most.
    package static let mostRead = 30_000
    /// Events of a page.
    private static let page = 300

    /// An event on which the rule would have acted.
    package struct Match: Sendable {
        /// The event.
        package let event: Event
        /// The conversation as it is now.
        package let conversation: Conversation
        /// What was found for each condition.
        package let found: [String]
    }

    /// Events of the business that were looked at.
    package private(set) var lookedAt = 0
    /// The time of the oldest of them; nil where there was none.
    package private(set) var since: Timestamp?
    /// Where the rule would have acted, newest first.
    package private(set) var matches: [Match] = []

    /// Looks at the newest events.
    ///
    /// The conversations are those of now, as they are where a rule acts; their hours are those of now.
    package init(
        of program: RuleProgram, in store: any Store, host: any RuleHost
    ) async throws(StoreError) {
        let business = program.rule.business
        let hours = try await store.hours(of: business)
        for event in try await Self.newestEvents(of: business, in: store) {
            lookedAt += 1
            since = event.time
            guard program.waits(for: event), !event.isImported,
                let conversation = event.conversation,
                event.body.rule?.chain.contains(program.rule.id) != true
            else { continue }
            let subject = RuleSubject(
                event, conversation, hours: host.openingTimes(of: conversation.team, hours))
            guard let found = subject.found(for: program.conditions) else { continue }
            matches.append(Match(event: event, conversation: conversation, found: found))
        }
    }

    /// The newest events of a business, newest first, by going back in widening strides.
    ///
    /// A stride may have many times what is wanted, each with a payload: what is too old is dropped page by page.
    private static func newestEvents(
        of business: BusinessID, in store: any Store
    ) async throws(StoreError) -> [Event] {
        let newest = store.newest
        let oldest = max(store.oldest.value, newest.value - Int64(mostRead))
        var found: [Event] = []
        var end = newest.value
        var stride = Int64(mostEvents)
        while found.count < mostEvents, end > oldest {
            let begin = max(oldest, end - stride)
            let wanted = mostEvents - found.count
            var part: [Event] = []
            var position = Position(begin)
            while position.value < end {
                let read = try await store.events(
                    after: position, in: .businesses([business]), limit: page)
                part += read.events.filter { $0.id.position.value <= end }
                part.removeFirst(max(0, part.count - wanted))
                guard read.end > position else { break }
                position = read.end
            }
            found += part.reversed()
            end = begin
            stride *= 2
        }
        return found
    }
}
