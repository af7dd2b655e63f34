import APITestSupport
import DeskJSON
import DeskModel
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

struct BatchAdmissionTests {
    /// Batches that come one after the other, each inside until it is let go.
    private final class Batches: Sendable {
        let admission: BatchAdmission
        private let inside = Mutex<[Int]>([])
        private let entered = Mutex<[Int]>([])
        private let held = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])

        init(_ admission: BatchAdmission = BatchAdmission()) { self.admission = admission }

        /// Who is inside, in the order they came in.
        var isInside: [Int] { inside.withLock { $0 } }
        /// All who ever came in.
        var hasEntered: [Int] { entered.withLock { $0 } }

        /// Sends a batch of a size in; the task ends when it is out again.
        func send(_ name: Int, bytes: Int) -> Task<Problem?, Never> {
            Task.immediate {
                do throws(Problem) {
                    try await self.admission.pass(bytes) { () async throws(Problem) in
                        await self.stay(name)
                    }
                    return nil
                } catch {
                    return error
                }
            }
        }

        private func stay(_ name: Int) async {
            entered.withLock { $0.append(name) }
            await withCheckedContinuation { continuation in
                held.withLock { $0[name] = continuation }
                inside.withLock { $0.append(name) }
            }
        }

        /// Lets a batch that is inside go.
        func letGo(_ name: Int) {
            inside.withLock { $0.removeAll { $0 == name } }
            held.withLock { $0.removeValue(forKey: name) }?.resume()
        }

        /// Gives others their turn until it is as asked.
        func wait(until isSo: () -> Bool) async throws {
            try await Wait.until("the admission is as asked", isSo)
        }
    }

    /// How many bytes are inside, and were at most.
    private final class Room: Sendable {
        private let count = Mutex((now: 0, most: 0, entries: 0))
        /// Bytes inside, the most that ever were, and the number of admissions.
        var counted: (now: Int, most: Int, entries: Int) { count.withLock { $0 } }

        /// Comes in, stays a moment and goes.
        func visit(_ bytes: Int) async {
            count.withLock {
                $0.now += bytes
                $0.most = max($0.most, $0.now)
                $0.entries += 1
            }
            for _ in 0..<3 { await Task.yield() }  // Bounded: so many times.
            count.withLock { $0.now -= bytes }
        }
    }

    private static let half = BatchAdmission.maximumBytes / 2

    @Test func `batches go in as far as their bytes allow, the others in the order they came`()
        async throws
    {
        let batches = Batches()
        let tasks = [
            batches.send(0, bytes: Self.half), batches.send(1, bytes: Self.half),
            batches.send(2, bytes: 1), batches.send(3, bytes: Self.half),
            // Small enough to go in before the fourth, had it not come later.
            batches.send(4, bytes: 1),
        ]
        #expect(batches.isInside == [0, 1] && batches.admission.waitingCount == 3)
        batches.letGo(1)
        // With the second gone there is room for the third; the fourth is one byte too much.
        try await batches.wait { batches.isInside == [0, 2] }
        #expect(batches.admission.waitingCount == 2)
        batches.letGo(0)
        try await batches.wait { batches.isInside.count == 3 }
        #expect(batches.admission.waitingCount == 0)
        for name in [2, 3, 4] { batches.letGo(name) }
        for task in tasks { #expect(await task.value == nil) }
        #expect(Set(batches.hasEntered) == [0, 1, 2, 3, 4])
    }

    @Test func `a batch larger than the whole goes alone`() async throws {
        let batches = Batches()
        let first = batches.send(0, bytes: 1)
        let large = batches.send(1, bytes: BatchAdmission.maximumBytes + 1)
        let last = batches.send(2, bytes: 1)
        #expect(batches.isInside == [0])
        batches.letGo(0)
        try await batches.wait { batches.isInside == [1] }
        #expect(batches.admission.waitingCount == 1)
        batches.letGo(1)
        try await batches.wait { batches.isInside == [2] }
        batches.letGo(2)
        for task in [first, large, last] { #expect(await task.value == nil) }
    }

    @Test func `a batch that is given up while it waits stores nothing and delays no other`()
        async throws
    {
        let batches = Batches()
        let first = batches.send(0, bytes: BatchAdmission.maximumBytes)
        let given = batches.send(1, bytes: 1)
        let last = batches.send(2, bytes: 1)
        given.cancel()
        batches.letGo(0)
        try await batches.wait { batches.isInside == [2] }
        batches.letGo(2)
        #expect(await first.value == nil)
        #expect(await last.value == nil)
        #expect(await given.value?.code == .unavailable)
        #expect(batches.hasEntered == [0, 2])
    }

    @Test func `the batch route waits for admission, and stores what it was given once admitted`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let admission = server.services.batches
        let batches = Batches(admission)
        let first = batches.send(0, bytes: BatchAdmission.maximumBytes)
        let isAnswered = Atomic(false)
        async let posted = {
            defer { isAnswered.store(true, ordering: .releasing) }
            return try await server.post(
                "/api/messages/batch",
                #"{"messages":[{"conversation":"\#(conversation.id)","#
                    + #""payload":{"type":"text","body":"Hello"}}]}"#, by: key)
        }()
        try await batches.wait {
            admission.waitingCount == 1 || isAnswered.load(ordering: .acquiring)
        }
        #expect(admission.waitingCount == 1)
        batches.letGo(0)
        let answer = try await posted
        #expect(answer["results"]?[0]?["status"]?.int == 201)
        #expect(await first.value == nil)
    }

    @Test func `what fails inside makes room like what succeeds`() async {
        let admission = BatchAdmission()
        for _ in 0..<3 {
            await #expect(throws: Problem.self) {
                try await admission.pass(BatchAdmission.maximumBytes) { () async throws(Problem) in
                    throw .notFound
                }
            }
        }
        #expect(admission.waitingCount == 0)
    }

    @Test func `however many come at once, each goes in once and none is left behind`() async {
        let admission = BatchAdmission()
        let room = Room()
        let seed = UInt64.random(in: 0...UInt64.max)
        await withTaskGroup(of: Void.self) { group in
            var random = SeededRandom(seed: seed)
            for _ in 0..<500 {
                let bytes = Int.random(in: 1...Self.half, using: &random)
                group.addTask {
                    try? await admission.pass(bytes) { () async throws(Problem) in
                        await room.visit(bytes)
                    }
                }
            }
        }
        #expect(room.counted.entries == 500 && room.counted.now == 0, "seed \(seed)")
        #expect(room.counted.most <= BatchAdmission.maximumBytes, "seed \(seed)")
        #expect(admission.waitingCount == 0)
    }
}
