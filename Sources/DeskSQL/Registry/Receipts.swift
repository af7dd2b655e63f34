public import DeskModel
public import DeskStore

extension SQLRegistries {
    /// Keeps what a channel said of a message that it accepted.
    public func noteReceipt(
        _ receipt: DeliveryReceipt, of name: String, because reason: String?,
        at position: Position, of outbox: OutboxID, time: Timestamp
    ) async throws(StoreError) -> ReceiptResult {
        let noted = try await change(as: { (noted: NotedReceipt) in
            guard noted.result == .kept else { return nil }
            // This one wakes the holder of the outbox's lease.
            let change: LinkChange =
                noted.isSooner
                ? .reschedule(of: outbox) : .noteReceipt(of: outbox, at: position)
            return (.links(change), .server)
        }) { sql throws(StoreError) in
            let find = try sql.statement("\(Outboxes.columns) WHERE outbox = ? AND position = ?")
            try find.bind(outbox.value)
            try find.bind(position.value)
            let known = try find.first { row throws(StoreError) in
                try Outboxes.read(row, of: outbox)
            }
            guard let known else { return NotedReceipt(result: .known) }
            let result = Self.result(of: receipt, Array(name.utf8), after: known)
            guard result == .kept else { return NotedReceipt(result: result) }
            let state: Delivery.State =
                switch known.state {
                case .pending: .pending
                case .delivered, .dead: receipt == .failed ? .dead : .delivered
                }
            // Why a message failed that was erased meanwhile is not kept: the sentence may quote it.
            let statement = try sql.statement(
                """
                UPDATE deliveries SET state = ?1, \
                detail = CASE WHEN \(Outboxes.isErased) THEN ?9 ELSE ?2 END, answer = ?3, \
                status = CASE WHEN ?1 = 'delivered' THEN 200 ELSE status END, \
                due_at = CASE WHEN ?1 = 'pending' AND due_at > ?4 THEN ?4 ELSE due_at END, \
                tried_at = coalesce(tried_at, ?4) WHERE outbox = ?5 AND position = ?6 \
                AND state = ?7 AND coalesce(detail, '') = ?8
                """)
            try statement.bind(state.rawValue)
            try statement.bind(receipt == .failed ? reason ?? "failed" : receipt.rawValue)
            try statement.bind(Array(name.utf8))
            try statement.bind(time)
            try statement.bind(outbox.value)
            try statement.bind(position.value)
            try statement.bind(known.state.rawValue)
            try statement.bind(known.last?.detail ?? "")
            try statement.bind(receipt.rawValue)
            // Another receipt, or the attempt's result, came between: this one comes again.
            guard try statement.runCounting() == 1 else { return NotedReceipt(result: .early) }
            return NotedReceipt(
                result: .kept,
                isSooner: state == .pending && known.claim == nil && known.due > time)
        }
        return noted.result
    }

    private static func result(
        of receipt: DeliveryReceipt, _ name: [UInt8], after known: Delivery
    ) -> ReceiptResult {
        let last = DeliveryReceipt(detail: known.last?.detail)
        guard receipt.rank > last?.rank ?? 0 else { return .known }
        // An attempt whose answer was lost has another name than the later one that was accepted.
        if last != nil, receipt == .sent || receipt == .failed,
            let kept = known.last?.answer, !kept.isEmpty,
            kept != Array(name.prefix(DeliveryAttempt.maximumAnswerBytes))
        {
            return .known
        }
        switch (known.state, receipt) {
        case (.pending, .failed): return .early
        // An attempt whose answer was lost, and which arrived after all.
        case (.dead, .delivered), (.dead, .read): return .kept
        case (.dead, .accepted), (.dead, .sent), (.dead, .failed): return .known
        case (.pending, .accepted), (.pending, .sent), (.pending, .delivered), (.pending, .read),
            (.delivered, .accepted), (.delivered, .sent), (.delivered, .delivered),
            (.delivered, .read), (.delivered, .failed):
            return .kept
        }
    }
}

/// What became of a receipt, and whether its delivery is due sooner by it.
private struct NotedReceipt: Sendable {
    let result: ReceiptResult
    var isSooner = false
}
