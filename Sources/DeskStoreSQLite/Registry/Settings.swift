public import DeskStore

extension SQLiteStore: SettingRegistry {
    /// Finds a setting's bytes.
    public func findSetting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await read { connection throws(StoreError) in
            let statement = try connection.statement(
                literal: "SELECT value FROM settings WHERE name = ?")
            try statement.bind(name)
            return try statement.first { $0.bytes() }
        }
    }

    /// Sets or with nil removes a setting.
    public func setSetting(_ name: String, to value: [UInt8]?) async throws(StoreError) {
        try await write(changing: []) { connection throws(StoreError) in
            guard let value else {
                let statement = try connection.statement(
                    literal: "DELETE FROM settings WHERE name = ?")
                try statement.bind(name)
                try statement.run()
                return
            }
            let statement = try connection.statement(
                literal: "INSERT OR REPLACE INTO settings VALUES (?, ?)")
            try statement.bind(name)
            try statement.bind(value)
            try statement.run()
        }
    }
}
