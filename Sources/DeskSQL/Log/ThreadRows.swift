package import DeskModel
package import DeskStore

/// How a range of a thread is read.
package enum ThreadRows {
    private static let whole = "SELECT \(MessageColumns.whole) FROM messages m WHERE m.position = ?"

    package static func page(
        of one: ConversationRow, _ range: ThreadRange, limit: Int, damaged: (Damage) -> Void,
        on sql: any SQLSession
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
        let places = try places(
            of: max(low, 1), through: min(high, newest), in: one, on: sql)
        let statement = try sql.statement(whole)
        var messages: [StoredMessage] = []
        var lost: [SequenceNumber] = []
        var bytes = 0
        var hasMore = false
        for place in isRising ? places.reversed() : places {
            hasMore = messages.count + lost.count >= limit
            guard !hasMore else { break }
            guard let message = try read(place, of: one, by: statement) else {
                let sequence = SequenceNumber(place.sequence)
                lost.append(sequence)
                damaged(
                    Damage(
                        "message", conversation: one.conversation.id, sequence: sequence,
                        position: place.position.map { Position(max(0, $0)) },
                        reason: "cannot be read"))
                continue
            }
            bytes += message.payload.byteCount
            hasMore = !messages.isEmpty && bytes > PageSize.maximumBytes
            guard !hasMore else { break }
            messages.append(message)
        }
        return Page(
            elements: isRising ? messages : messages.reversed(), hasMore: hasMore,
            damaged: isRising ? lost : lost.reversed())
    }

    /// Where the messages of a thread lie between two positions, oldest first, `limit` at most.
    ///
    /// Nil when what leads there is damaged.
    package static func positions(
        after start: Int64, upTo end: Int64, in one: ConversationRow, limit: Int,
        on sql: any SQLSession
    ) throws(StoreError) -> [Int64]? {
        guard one.end > start else { return [] }
        let newest = one.conversation.newest.value
        // The last entry that lies not after the start, and the one after it.
        var (low, high) = (0 as Int64, newest / SkipIndex.distance + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            let position = try SkipIndex.position(
                of: middle * SkipIndex.distance, in: one, on: sql)
            guard let position else { return nil }
            if position > start { high = middle } else { low = middle }
        }
        let first = low * SkipIndex.distance
        let last = min(newest, first + SkipIndex.distance + Int64(limit))
        var positions: [Int64] = []
        for place in try places(of: max(first, 1), through: last, in: one, on: sql) {
            guard let position = place.position else { return nil }
            positions.append(position)
        }
        let found = positions.reversed().filter { $0 > start && $0 <= end }.prefix(limit)
        // An entry that is not what was written has led elsewhere.
        guard let newer = positions.first, let older = positions.last, first == 0 || older <= start,
            found.count == limit || last == newest || newer > end
        else { return nil }
        return Array(found)
    }

    /// Reads the message of a place; nil when it is damaged.
    private static func read(
        _ place: ThreadPlace, of one: ConversationRow, by statement: any SQLStatement
    ) throws(StoreError) -> StoredMessage? {
        guard let position = place.position else { return nil }
        do {
            try statement.bind(position)
            return try statement.first { row throws(StoreError) in
                try MessageColumns.read(
                    row, in: one.conversation.id, of: one.conversation.business)
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    /// Where the messages of a range lie, newest first.
    ///
    /// Below a message whose link back cannot be read, reading continues at the entry before it.
    package static func places(
        of first: Int64, through last: Int64, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> [ThreadPlace] {
        guard first <= last else { return [] }
        var places: [ThreadPlace] = []
        var here = try SkipIndex.start(for: last, in: one, on: sql)
        while here.sequence >= first {
            let previous = try previous(of: here, in: one, on: sql)
            if here.sequence <= last {
                places.append(previous == nil ? here.lost : here)
            }
            if let previous {
                here = ThreadPlace(sequence: here.sequence - 1, position: previous)
                continue
            }
            let next = try SkipIndex.next(below: here.sequence, in: one, on: sql)
            let end = max(next?.sequence ?? 0, first - 1)
            for sequence in stride(from: here.sequence - 1, to: end, by: -1)
            where sequence <= last {
                places.append(ThreadPlace(sequence: sequence, position: nil))
            }
            guard let next, next.sequence >= first else { break }
            here = next
        }
        return places
    }

    /// The link of a message to the one before it; nil when that cannot be read.
    private static func previous(
        of place: ThreadPlace, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        guard let position = place.position else { return nil }
        let step = try sql.statement(
            literal: "SELECT conversation, sequence, previous FROM messages WHERE position = ?")
        do {
            try step.bind(position)
            let row = try step.first { ($0.integer(), $0.integer(), $0.integer()) }
            guard let (conversation, sequence, previous) = row, conversation == one.number,
                sequence == place.sequence, previous < position
            else { return nil }
            return previous
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}

extension ThreadPlace {
    /// The same number, with nothing that leads there.
    fileprivate var lost: ThreadPlace { ThreadPlace(sequence: sequence, position: nil) }
}

extension Int64 {
    /// The sum, or the largest number there is.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
