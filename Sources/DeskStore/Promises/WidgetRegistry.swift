public import DeskModel

/// The widgets that businesses have in pages of their own.
public protocol WidgetRegistry: Sendable {
    /// Finds the widget of a business; nil where it never had one.
    ///
    /// Secrets that cannot be decrypted leave the settings as they are (`StoredWidget.areSecretsUnreadable`).
    func widget(of business: BusinessID) async throws(StoreError) -> StoredWidget?
    /// Keeps what a business chose, and leaves its secrets as they are.
    func saveWidget(
        settings: [UInt8], of business: BusinessID, author: Author
    ) async throws(StoreError)
    /// Adds a secret, the newest from then on; of more than `WidgetSecret.most` the oldest end.
    ///
    /// Order: of two callers both are added, in one order.
    func addWidgetSecret(
        _ secret: WidgetSecret, of business: BusinessID, author: Author
    ) async throws(StoreError)
    /// Ends a secret; returns whether there was one of its name.
    func removeWidgetSecret(
        _ id: UniqueID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
}

/// What lies encrypted in a widget's row.
package enum WidgetRow {
    /// The secrets as they are before they are encrypted.
    package static func text(of secrets: [WidgetSecret]) -> [UInt8] {
        let records = secrets.map { secret in
            var record = RowFields.Record()
            record["id"] = secret.id.text
            record["secret"] = String(decoding: secret.bytes, as: UTF8.self)
            record["made_at"] = String(secret.madeAt.milliseconds)
            return record
        }
        return Array(RowFields.write(records).utf8)
    }

    /// Reads secrets; nil when the bytes are none of ours.
    package static func secrets(_ bytes: [UInt8]) -> [WidgetSecret]? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let records = RowFields.read(text, unnamed: []) else { return nil }
        var secrets: [WidgetSecret] = []
        for record in records {
            guard let id = record["id"].flatMap({ UniqueID($0) }), let secret = record["secret"],
                let time = record["made_at"].flatMap({ Int64($0) })
            else { return nil }
            secrets.append(
                WidgetSecret(
                    id: id, bytes: Array(secret.utf8), madeAt: Timestamp(milliseconds: time)))
        }
        return secrets
    }
}
