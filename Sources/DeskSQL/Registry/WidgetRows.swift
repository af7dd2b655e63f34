public import DeskModel
public import DeskStore

/// The rows of widgets, one for each business that has one.
package enum WidgetRows {
    package static let columns = "SELECT business, settings, secrets FROM widgets"

    /// Reads what a business chose, without its secrets.
    package static func readSettings(
        _ row: any SQLStatement
    ) throws(StoreError) -> (BusinessID, [UInt8]?) {
        let business = BusinessID(try row.id())
        return (business, row.textIfAny().map { Array($0.utf8) })
    }

    static func find(
        of business: BusinessID, _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) -> StoredWidget? {
        let statement = try sql.statement("\(columns) WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { row throws(StoreError) in
            let settings = try readSettings(row).1
            guard let stored = row.bytesIfAny() else { return StoredWidget(settings: settings) }
            let plain = try Secrets.findPlain(stored, keys, Secrets.label(ofWidget: business))
            var widget = StoredWidget(settings: settings)
            if let secrets = plain.flatMap({ WidgetRow.secrets($0) }) {
                widget.secrets = secrets
            } else {
                widget.areSecretsUnreadable = true
            }
            return widget
        }
    }

    /// Keeps a widget instead of the one before.
    private static func put(
        settings: [UInt8]?, encrypted: [UInt8]?, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO widgets (business, settings, secrets) VALUES (?, ?, ?) \
                ON CONFLICT (business) DO UPDATE SET settings = excluded.settings, \
                secrets = excluded.secrets
                """)
        try statement.bind(business.value)
        try statement.bind(settings.map { String(decoding: $0, as: UTF8.self) })
        try statement.bind(encrypted)
        try statement.run()
    }

    static func put(
        _ widget: StoredWidget, of business: BusinessID, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) {
        let label = Secrets.label(ofWidget: business)
        let encrypted = keys.encrypt(WidgetRow.text(of: widget.secrets), as: label)
        try put(
            settings: widget.settings, encrypted: widget.secrets.isEmpty ? nil : encrypted,
            of: business, on: sql)
    }

    /// Keeps what an archive has of a widget, which is without secrets.
    static func put(
        settings: [UInt8], of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        try put(settings: settings, encrypted: nil, of: business, on: sql)
    }

    /// Keeps what a business chose, and leaves its secrets as they are, whether or not they can be read.
    static func replace(
        settings: [UInt8], of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO widgets (business, settings, secrets) VALUES (?, ?, NULL) \
                ON CONFLICT (business) DO UPDATE SET settings = excluded.settings
                """)
        try statement.bind(business.value)
        try statement.bind(String(decoding: settings, as: UTF8.self))
        try statement.run()
    }
}

extension SQLRegistries {
    /// Finds the widget of a business; nil where it never had one.
    public func widget(of business: BusinessID) async throws(StoreError) -> StoredWidget? {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            try WidgetRows.find(of: business, keys, on: sql)
        }
    }

    /// Keeps what a business chose, and leaves its secrets as they are.
    public func saveWidget(
        settings: [UInt8], of business: BusinessID, author: Author
    ) async throws(StoreError) {
        try await change(.contents(.saveWidget(of: business)), author: author) {
            sql throws(StoreError) in
            try WidgetRows.replace(settings: settings, of: business, on: sql)
        }
    }

    /// Adds a secret, the newest from then on; of more than `WidgetSecret.most` the oldest end.
    public func addWidgetSecret(
        _ secret: WidgetSecret, of business: BusinessID, author: Author
    ) async throws(StoreError) {
        let keys = encryptionKeys
        try await change(.contents(.makeWidgetSecret(secret.id, of: business)), author: author) {
            sql throws(StoreError) in
            var widget = try WidgetRows.find(of: business, keys, on: sql) ?? StoredWidget()
            widget.secrets = Array(([secret] + widget.secrets).prefix(WidgetSecret.most))
            try WidgetRows.put(widget, of: business, keys, on: sql)
        }
    }

    /// Ends a secret; returns whether there was one of its name.
    public func removeWidgetSecret(
        _ id: UniqueID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        return try await change(
            .contents(.removeWidgetSecret(id, of: business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            guard var widget = try WidgetRows.find(of: business, keys, on: sql),
                widget.secrets.contains(where: { $0.id == id })
            else { return false }
            widget.secrets.removeAll { $0.id == id }
            try WidgetRows.put(widget, of: business, keys, on: sql)
            return true
        }
    }
}
