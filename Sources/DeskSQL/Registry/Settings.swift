public import DeskModel
public import DeskStore

package enum SettingRows {
    package static func find(
        _ name: String, on sql: any SQLSession
    ) throws(StoreError) -> [UInt8]? {
        let statement = try sql.statement(literal: "SELECT value FROM settings WHERE name = ?")
        try statement.bind(name)
        return try statement.first { $0.bytes() }
    }

    package static func set(
        _ name: String, to value: [UInt8]?, on sql: any SQLSession
    ) throws(StoreError) {
        guard let value else {
            let statement = try sql.statement(literal: "DELETE FROM settings WHERE name = ?")
            try statement.bind(name)
            return try statement.run()
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

extension SQLRegistries {
    /// Finds a setting's bytes.
    public func findSetting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await readRegistry { sql throws(StoreError) in
            try SettingRows.find(name, on: sql)
        }
    }

    /// Sets or with nil removes a setting.
    public func setSetting(
        _ name: String, to value: [UInt8]?, author: Author
    ) async throws(StoreError) {
        try await change(.contents(.setSetting(name)), author: author) { sql throws(StoreError) in
            try SettingRows.set(name, to: value, on: sql)
        }
    }
}
