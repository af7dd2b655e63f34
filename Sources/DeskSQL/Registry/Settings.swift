public import DeskStore

extension SQLRegistries {
    /// Finds a setting's bytes.
    public func findSetting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT value FROM settings WHERE name = ?")
            try statement.bind(name)
            return try statement.first { $0.bytes() }
        }
    }

    /// Sets or with nil removes a setting.
    public func setSetting(_ name: String, to value: [UInt8]?) async throws(StoreError) {
        try await writeRegistry(changing: []) { sql throws(StoreError) in
            guard let value else {
                let statement = try sql.statement(
                    literal: "DELETE FROM settings WHERE name = ?")
                try statement.bind(name)
                try statement.run()
                return
            }
            let statement = try sql.statement(
                literal: """
                    INSERT INTO settings (name, value) VALUES (?, ?) \
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """)
            try statement.bind(name)
            try statement.bind(value)
            try statement.run()
        }
    }
}
