import DeskBytes
package import DeskModel

/// What lies in three text columns of an endpoint's row.
package enum WebhookRow {
    // MARK: What members chose

    /// What it receives, and how.
    package static func settings(of webhook: Webhook) -> String {
        var record = RowFields.Record()
        record["types"] = webhook.types.map(\.rawValue).joined(separator: " ")
        record["direction"] = webhook.direction?.rawValue
        record["labels"] = webhook.labels.map(\.text).joined(separator: " ")
        record["payload"] = webhook.payload.rawValue
        record["order"] = webhook.order.rawValue
        record["concurrency"] = String(webhook.concurrency)
        return RowFields.write([record])
    }

    /// Reads `settings` into an endpoint; false when the text is none of ours.
    package static func read(settings text: String, into webhook: inout Webhook) -> Bool {
        guard let record = RowFields.read(text, unnamed: [])?.first,
            let payload = record["payload"].flatMap({ Webhook.Payload(rawValue: $0) }),
            let order = record["order"].flatMap({ Webhook.Order(rawValue: $0) }),
            let concurrency = record["concurrency"].flatMap({ Int($0) })
        else { return false }
        webhook.types = words(record["types"]).compactMap { EventType(rawValue: $0) }
        webhook.direction = record["direction"].flatMap { Direction(rawValue: $0) }
        webhook.labels = words(record["labels"]).compactMap { LabelID($0) }
        webhook.payload = payload
        webhook.order = order
        webhook.concurrency = concurrency
        return true
    }

    // MARK: What is encrypted

    /// The secrets and the fields, as they are before they are encrypted.
    package static func secrets(of webhook: Webhook) -> [UInt8] {
        var record = RowFields.Record()
        record["secret"] = Hex.encode(webhook.secret)
        if let former = webhook.formerSecret {
            record["former"] = Hex.encode(former.bytes)
            record["until"] = String(former.until.milliseconds)
        }
        let headers = webhook.headers.map { header in
            var record = RowFields.Record()
            record["name"] = header.name
            record["value"] = header.value
            return record
        }
        return Array(RowFields.write([record] + headers).utf8)
    }

    /// Reads `secrets` into an endpoint; false when the bytes are none of ours.
    package static func read(secrets bytes: [UInt8], into webhook: inout Webhook) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let records = RowFields.read(text, unnamed: []), let first = records.first,
            let secret = first["secret"].flatMap({ Hex.decode($0) })
        else { return false }
        webhook.secret = secret
        webhook.formerSecret = first["former"].flatMap { Hex.decode($0) }.flatMap { bytes in
            first["until"].flatMap { Int64($0) }.map {
                Webhook.FormerSecret(bytes: bytes, until: Timestamp(milliseconds: $0))
            }
        }
        webhook.headers = records.dropFirst().compactMap { record in
            guard let name = record["name"], let value = record["value"] else { return nil }
            return WebhookHeader(name: name, value: value)
        }
        return true
    }

    // MARK: What a handshake found

    /// What a handshake found.
    package static func text(of handshake: WebhookHandshake) -> String {
        var time = RowFields.Record()
        time["time"] = String(handshake.time.milliseconds)
        return RowFields.write([time, record(of: handshake.signed), record(of: handshake.forged)])
    }

    /// Reads what a handshake found; nil when the text is none of ours.
    package static func handshake(_ text: String) -> WebhookHandshake? {
        guard let records = RowFields.read(text, unnamed: []), records.count == 3,
            let time = records[0]["time"].flatMap({ Int64($0) }),
            let signed = probe(records[1]), let forged = probe(records[2])
        else { return nil }
        return WebhookHandshake(
            time: Timestamp(milliseconds: time), signed: signed, forged: forged)
    }

    private static func record(of probe: WebhookProbe) -> RowFields.Record {
        var record = RowFields.Record()
        record["status"] = probe.status.map { String($0) }
        record["detail"] = probe.detail
        record["milliseconds"] = String(probe.milliseconds)
        return record
    }

    private static func probe(_ record: RowFields.Record) -> WebhookProbe? {
        guard let detail = record["detail"],
            let milliseconds = record["milliseconds"].flatMap({ Int($0) })
        else { return nil }
        return WebhookProbe(
            status: record["status"].flatMap { Int($0) }, detail: detail,
            milliseconds: milliseconds)
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split(separator: " ").map { String($0) }
    }
}
