import DeskStore
import Synchronization

/// Opens databases in memory that have the newest schema.
enum MemoryDatabase {
    /// The schema's history runs once in a process and every database is a copy of its result:
    /// tests open hundreds of stores, and running it lasts longer than most tests.
    private static let migrated = Mutex<Connection?>(nil)

    /// Opens an empty database that ends with its connection.
    static func open() throws(StoreError) -> Connection {
        try migrated.withLock { (known) throws(StoreError) -> Handover<Connection> in
            let source: Connection
            if let known {
                source = known
            } else {
                source = try Connection(path: Connection.memory, mayWrite: true)
                try Migrations.run(on: source)
            }
            let target = try Connection(path: Connection.memory, mayWrite: true)
            let isUnfinished = try PageCopy(from: source, to: target).step(pages: -1)
            precondition(!isUnfinished, "a copy of all pages left some")
            known = source
            return Handover(target)
        }.take()
    }
}
