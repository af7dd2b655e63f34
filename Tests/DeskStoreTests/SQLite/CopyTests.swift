import DeskStore
import Testing

@testable import DeskStoreSQLite

/// Databases that are only read, as backups are.
@Suite struct CopyTests {
    @Test(arguments: ["plain", "März", "日本", "a b", "100%25?immutable=0#x"])
    func `a copy opens whatever its path is made of`(name: String) async throws {
        try await withScratch { directory in
            let path = directory + "/\(name).sqlite"
            try Connection(path: path, mayWrite: true).execute("CREATE TABLE t (x)")
            let copy = try Connection(path: path, for: .copy)
            try copy.execute("SELECT x FROM t")
        }
    }
}
