import DeskModel
import DeskSQL
import DeskStore

/// Finds conversations by their names for many callers: those that wait at the same time are one statement.
///
/// Every message that is posted begins with such a lookup.
final class ConversationLookups: Sendable {
    private typealias Answer = Result<ConversationRow?, StoreError>

    private struct Job: Sendable {
        let id: ConversationID
        let answer: CheckedContinuation<Answer, Never>
    }

    /// Most conversations of one statement.
    private static let mostAtOnce = 256

    private let queue: WorkQueue<Job>
    private let ended = AsyncStream<Void>.makeStream()

    /// Starts its thread; a connection is made by the first call.
    init(_ options: PostgresRegistries.Options) {
        queue = WorkQueue(limit: options.waiting)
        let end = ended.continuation
        WorkerThread.start { [queue] in
            let thread = PostgresThread(options, for: .following)
            while let jobs = queue.take(atMost: Self.mostAtOnce) { Self.run(jobs, on: thread) }
            thread.disconnect()
            end.finish()
        }
    }

    /// Finds a conversation's row as it was committed before the call or later; nil when there is none.
    func find(_ id: ConversationID) async throws(StoreError) -> ConversationRow? {
        let answer: Answer = await withCheckedContinuation { waiter in
            switch queue.offer(Job(id: id, answer: waiter)) {
            case .taken: break
            case .full: waiter.resume(returning: .failure(StoreError(.overloaded)))
            case .closed: waiter.resume(returning: .failure(StoreError(.closed)))
            }
        }
        return try answer.get()
    }

    private static func run(_ jobs: [Job], on thread: PostgresThread) {
        do throws(StoreError) {
            let found = try thread.one { connection throws(StoreError) in
                try ConversationRows.find(Set(jobs.map(\.id)), on: connection)
            }
            for job in jobs { job.answer.resume(returning: .success(found[job.id])) }
        } catch {
            // One that is damaged is none of the others' concern.
            guard error.code == .damaged, jobs.count > 1 else {
                for job in jobs { job.answer.resume(returning: .failure(error)) }
                return
            }
            for job in jobs { run([job], on: thread) }
        }
    }

    /// Finishes the accepted work, then refuses; the connection is closed on return.
    func close() async {
        queue.close()
        for await _ in ended.stream {}
    }
}

extension ConversationRows {
    private static let byIDs =
        "SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) WHERE c.id = ANY(?::bytea[])"

    /// Finds the rows of conversations by one statement of PostgreSQL's; those that are not there are left out.
    static func find(
        _ ids: Set<ConversationID>, on connection: PostgresConnection
    ) throws(StoreError) -> [ConversationID: ConversationRow] {
        let statement = try connection.statement(byIDs)
        try statement.bind(PostgresArray.bytes(ids.map(\.value.bytes)))
        let rows = try statement.all { row throws(StoreError) in try ConversationColumns.read(row) }
        return Dictionary(rows.map { ($0.conversation.id, $0) }) { one, _ in one }
    }
}

extension Controls {
    private static let byIDs = "\(columns) WHERE conversation = ANY(?::bytea[])"

    /// Finds who controls conversations by one statement of PostgreSQL's; those that no bot ever had are left out.
    static func find(
        _ ids: Set<ConversationID>, on connection: PostgresConnection
    ) throws(StoreError) -> [Control] {
        let statement = try connection.statement(byIDs)
        try statement.bind(PostgresArray.bytes(ids.map(\.value.bytes)))
        return try statement.all { row throws(StoreError) in try read(row) }
    }
}

/// Arrays as PostgreSQL reads them in binary (`array_recv`).
enum PostgresArray {
    /// The type of bytes in its catalogue (pg_type.dat).
    private static let bytea: Int32 = 17

    /// A list of bytes, numbered from 1; nothing in it is NULL.
    static func bytes(_ elements: [[UInt8]]) -> [UInt8] {
        var array: [UInt8] = []
        func add(_ number: Int32) {
            for shift in [24, 16, 8, 0] { array.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        add(elements.isEmpty ? 0 : 1)
        add(0)
        add(bytea)
        guard !elements.isEmpty else { return array }
        add(Int32(elements.count))
        add(1)
        for element in elements {
            add(Int32(element.count))
            array += element
        }
        return array
    }
}
