import Testing

@testable import DeskStorePostgres

/// What a database is refused for before anything is made in it.
@Suite struct DatabaseCheckTests {
    @Test func `a server before 15 is refused with its version and what to do`() {
        let why = DatabaseCheck.refusal(ofServer: 140_011)
        #expect(why?.contains("PostgreSQL 14, and 15 or newer") == true, "\(why ?? "")")
        #expect(why?.contains("upgrade the server") == true)
        #expect(DatabaseCheck.refusal(ofServer: 149_999) != nil)
        #expect(DatabaseCheck.refusal(ofServer: 150_000) == nil)
        #expect(DatabaseCheck.refusal(ofServer: 180_001) == nil)
    }
}
