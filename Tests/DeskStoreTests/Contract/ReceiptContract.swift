import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Synchronization
import Testing

/// What every store promises of what channels say of messages that they accepted.
@Suite struct ReceiptContract {
    private let target = OutboxID(uniqueID(0xF003))

    private func delivery(_ position: Int64, in number: UInt64 = 1) -> Delivery {
        Delivery(
            outbox: target, position: Position(position), conversation: conversation(number),
            due: dawn)
    }

    private func note(
        _ receipt: DeliveryReceipt, of name: String = "wamid", place: Int64 = 1,
        at time: Timestamp = dawn, in store: any Registry
    ) async throws -> ReceiptResult {
        try await store.noteReceipt(
            receipt, of: name, because: "gone", at: Position(place), of: target, time: time)
    }

    private func found(place: Int64 = 1, in store: any Registry) async throws -> Delivery? {
        try await store.deliveries(of: target, at: [Position(place)]).first
    }

    private func ended(
        _ place: Int64 = 1, as state: Delivery.State, _ detail: String = "late",
        due: Timestamp = dawn
    ) -> Delivery {
        var ended = delivery(place)
        ended.state = state
        ended.attempts = 1
        ended.due = due
        ended.last = DeliveryAttempt(time: dawn, status: nil, detail: detail)
        return ended
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a receipt leads a delivery forward, and is kept beside an attempt that runs`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue(
                [delivery(1), delivery(2, in: 2)], of: target, upTo: Position(2), under: lease)
            func note(
                _ receipt: DeliveryReceipt, _ place: Int64 = 1
            ) async throws -> ReceiptResult {
                try await self.note(receipt, place: place, in: store)
            }
            func found(_ place: Int64 = 1) async throws -> Delivery? {
                try await self.found(place: place, in: store)
            }
            #expect(try await note(.sent, 9) == .known)
            #expect(try await note(.failed) == .early)
            #expect(try await note(.sent) == .kept)
            #expect(try await note(.sent) == .known)
            #expect(try await found()?.state == .pending)
            #expect(try await found()?.last?.detail == "sent")
            #expect(try await found()?.last?.answer == Array("wamid".utf8))
            // The attempt's own result does not lead back.
            _ = try await store.claim([Position(1), Position(2)], of: target, under: lease)
            for place: Int64 in [1, 2] {
                var done = delivery(place, in: UInt64(place))
                done.state = .delivered
                done.last = DeliveryAttempt(time: dawn, status: 200, detail: "accepted")
                #expect(try await store.settle(done, under: lease) == .delivered)
            }
            #expect(try await found()?.last?.detail == "sent")
            #expect(try await found()?.state == .delivered)
            #expect(try await note(.read) == .kept)
            #expect(try await note(.delivered) == .known)
            #expect(try await note(.failed) == .known)
            #expect(try await found()?.last?.detail == "read")
            #expect(try await found(2)?.last?.detail == "accepted")
            #expect(try await note(.failed, 2) == .kept)
            #expect(try await found(2)?.state == .dead)
            #expect(try await found(2)?.last?.detail == "gone")
            #expect(try await note(.sent, 2) == .known)
            #expect(try await note(.delivered, 2) == .kept)
            #expect(try await found(2)?.state == .delivered)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a receipt that comes while an attempt runs stays, whatever the attempt comes to`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            let all = (1...4).map { delivery($0, in: UInt64($0)) } + [delivery(5)]
            try await store.enqueue(all, of: target, upTo: Position(5), under: lease)
            let later = dawn.advanced(by: .seconds(3_600))
            let receipts: [DeliveryReceipt] = [.accepted, .sent, .delivered, .read]
            for (index, receipt) in receipts.enumerated() {
                let place = Int64(index + 1)
                let claimed = try await store.claim([Position(place)], of: target, under: lease)
                #expect(claimed == [Position(place)])
                #expect(try await note(receipt, place: place, in: store) == .kept)
                let state: Delivery.State = place == 1 ? .dead : .pending
                let stored = try await store.settle(
                    ended(place, as: state, due: later), under: lease)
                // It is attempted again at once, so that the target sees the receipt.
                #expect(stored == .pending)
                let now = try await found(place: place, in: store)
                #expect(now?.state == .pending && now?.due == dawn && now?.claim == nil)
                #expect(now?.last?.detail == receipt.rawValue)
            }
            let first = try await store.nextDeliveries(of: target, limit: 9).map(\.position.value)
            #expect(first == [1, 2, 3, 4])
            _ = try await store.claim([Position(1)], of: target, under: lease)
            let done = ended(as: .delivered, "accepted")
            #expect(try await store.settle(done, under: lease) == .delivered)
            let next = try await store.nextDeliveries(of: target, limit: 9).map(\.position.value)
            #expect(next == [2, 3, 4, 5])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a receipt for an attempt that failed brings its delivery forward and wakes the outbox`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let woken = Mutex<[Int]>([])
            store.followRetries { outbox, requeued in
                #expect(outbox == target)
                woken.withLock { $0.append(requeued) }
            }
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue([delivery(1)], of: target, upTo: Position(1), under: lease)
            _ = try await store.claim([Position(1)], of: target, under: lease)
            let later = dawn.advanced(by: .seconds(3_600))
            let failed = ended(as: .pending, due: later)
            #expect(try await store.settle(failed, under: lease) == .pending)
            #expect(try await found(in: store)?.due == later)
            let now = dawn.advanced(by: .seconds(9))
            #expect(try await note(.sent, at: now, in: store) == .kept)
            #expect(try await found(in: store)?.due == now)
            #expect(woken.withLock { $0 } == [0])
            // It is due already.
            let then = dawn.advanced(by: .seconds(10))
            #expect(try await note(.delivered, at: then, in: store) == .kept)
            #expect(try await found(in: store)?.due == now)
            #expect(woken.withLock { $0 } == [0])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what failed under another name than the one accepted is of an earlier attempt`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            let lease = try await store.leaseOfTest()
            try await store.openOutbox(target, after: .start, author: .server)
            try await store.enqueue([delivery(1)], of: target, upTo: Position(1), under: lease)
            _ = try await store.claim([Position(1)], of: target, under: lease)
            #expect(try await store.settle(ended(as: .pending), under: lease) == .pending)
            #expect(try await note(.failed, of: "one", in: store) == .early)
            _ = try await store.claim([Position(1)], of: target, under: lease)
            #expect(try await note(.accepted, of: "two", in: store) == .kept)
            let done = ended(as: .delivered, "accepted")
            #expect(try await store.settle(done, under: lease) == .delivered)
            for receipt: DeliveryReceipt in [.failed, .sent, .failed] {
                #expect(try await note(receipt, of: "one", in: store) == .known)
            }
            #expect(try await found(in: store)?.state == .delivered)
            #expect(try await found(in: store)?.last?.answer == Array("two".utf8))
            #expect(try await note(.failed, of: "two", in: store) == .kept)
            #expect(try await found(in: store)?.state == .dead)
            // Replayed, it has a third name; what the second came to says nothing of it.
            let all = Position(1)...Position(1)
            #expect(try await store.requeue(all, of: target, due: dawn, author: .server) == 1)
            #expect(try await note(.sent, of: "three", in: store) == .kept)
            #expect(try await found(in: store)?.last?.answer == Array("three".utf8))
            // The customer has it, whichever attempt it was.
            #expect(try await note(.delivered, of: "two", in: store) == .kept)
        }
    }
}
