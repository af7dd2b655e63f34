import DeskModel
import DeskStore

/// Marks on the way through a thread, so that an old stretch is found without walking from its end.
enum Milestones {
    /// Messages from one milestone to the next.
    private static let distance: Int64 = 32

    /// Whether a message gets a milestone.
    static func isDue(at sequence: SequenceNumber) -> Bool {
        sequence.value.isMultiple(of: distance)
    }

    static func add(
        _ position: Int64, at sequence: SequenceNumber, in conversation: Int64,
        on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT INTO milestones (key, position) VALUES (?, ?)")
        try statement.bind(key(conversation, sequence.value))
        try statement.bind(position)
        try statement.run()
    }

    /// Where to begin walking back to a message: at the first milestone not before it, or at the end.
    static func start(
        for sequence: Int64, in one: HotConversation, on connection: Connection
    ) throws(StoreError) -> Int64 {
        guard one.conversation.newest.value - sequence >= distance else { return one.end }
        let statement = try connection.statement(
            literal: """
                SELECT position FROM milestones WHERE key >= ? AND key < ? ORDER BY key LIMIT 1
                """)
        try statement.bind(key(one.number, sequence))
        try statement.bind(key(one.number + 1, 0))
        return try statement.first { $0.integer() } ?? one.end
    }

    private static func key(_ conversation: Int64, _ sequence: Int64) -> Int64 {
        conversation << 32 | sequence
    }
}

/// How a stretch of a thread is read.
enum ThreadRows {
    private static let whole = "SELECT \(MessageColumns.whole) FROM messages m WHERE m.position = ?"

    static func page(
        of one: HotConversation, _ range: ThreadRange, limit: Int, on connection: Connection
    ) throws(StoreError) -> Page<StoredMessage> {
        let newest = one.conversation.newest.value
        let (low, high, isRising): (Int64, Int64, Bool) =
            switch range {
            case .newest: (newest - Int64(limit), newest, false)
            case .before(let sequence):
                (min(sequence.value - 1, newest) - Int64(limit), sequence.value - 1, false)
            case .after(let sequence):
                (
                    sequence.value.addingClamped(1),
                    sequence.value.addingClamped(Int64(limit) + 1), true
                )
            }
        // One more than asked for on either side says whether there is more.
        let places = try positions(
            of: max(low, 1), through: min(high, newest), in: one, on: connection)
        let statement = try connection.statement(whole)
        var messages: [StoredMessage] = []
        var bytes = 0
        for place in isRising ? places.reversed() : places {
            guard messages.count < limit else { return page(messages, isRising, hasMore: true) }
            try statement.bind(place)
            let found = try statement.first { row throws(StoreError) in
                try MessageColumns.read(
                    row, in: one.conversation.id, of: one.conversation.business)
            }
            guard let message = found else { throw missing(one) }
            bytes += message.payload.byteCount
            guard messages.isEmpty || bytes <= PageSize.maximumBytes else {
                return page(messages, isRising, hasMore: true)
            }
            messages.append(message)
        }
        return page(messages, isRising, hasMore: false)
    }

    /// Where the messages of a stretch lie, newest first.
    private static func positions(
        of first: Int64, through last: Int64, in one: HotConversation, on connection: Connection
    ) throws(StoreError) -> [Int64] {
        guard first <= last else { return [] }
        let step = try connection.statement(
            literal: """
                SELECT conversation, sequence, previous FROM messages WHERE position = ?
                """)
        var places: [Int64] = []
        var place = try Milestones.start(for: last, in: one, on: connection)
        var expected = Int64.max
        while expected > first {
            try step.bind(place)
            let row = try step.first { ($0.integer(), $0.integer(), $0.integer()) }
            guard let (conversation, sequence, previous) = row, conversation == one.number,
                expected == .max || sequence == expected - 1
            else { throw missing(one) }
            if sequence <= last { places.append(place) }
            expected = sequence
            place = previous
        }
        return places
    }

    private static func page(
        _ messages: [StoredMessage], _ isRising: Bool, hasMore: Bool
    ) -> Page<StoredMessage> {
        Page(elements: isRising ? messages : messages.reversed(), hasMore: hasMore)
    }

    private static func missing(_ one: HotConversation) -> StoreError {
        StoreError(.damaged, "a message of \(one.conversation.id) is missing")
    }
}

extension Int64 {
    /// The sum, or the largest number there is.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
