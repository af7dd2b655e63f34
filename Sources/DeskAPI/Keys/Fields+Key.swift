import DeskJSON
public import DeskModel
import DeskWeb

extension KeyLimits {
    /// Most addresses and networks of a key.
    public static let mostAddresses = 20
}

extension Fields {
    /// Reads what a key is limited to: `scopes`, `addresses`, `expiresAt` or `expiresInDays`.
    mutating func keyLimits(now: Timestamp) -> KeyLimits {
        KeyLimits(
            scopes: keyScopes(), addresses: keyAddresses(),
            expiresAt: end(after: now))
    }

    /// From when a key is refused: a time, or a number of days from now; nil for never.
    mutating func end(after now: Timestamp) -> Timestamp? {
        let time = futureTime("expiresAt", after: now)
        guard let days = number("expiresInDays", 1...3_650) else { return time }
        if time != nil {
            note(
                "expiresInDays", "expiresAt or expiresInDays, not both",
                "Leave one of them out.")
        }
        return now.advanced(by: .seconds(days * 86_400))
    }

    /// A time after now; nil when it is absent, null or another, which is a finding.
    mutating func futureTime(_ name: String, after now: Timestamp) -> Timestamp? {
        guard let text = text(name, bytes: 1...40) else { return nil }
        guard let time = Timestamp(text), time > now else {
            note(
                name, "a time after now, such as 2027-07-30T09:15:00Z",
                "Send a time of the future, or leave \(name) out.")
            return nil
        }
        return time
    }

    private mutating func keyScopes() -> [String] {
        guard let value = value("scopes"), !value.isNull,
            let elements = requireElements("scopes", count: 1...KeyScopes.named.count)
        else { return [] }
        var scopes: KeyScopes = []
        for element in elements {
            if let found = KeyScopes.named.first(where: { element.equals($0.name) }) {
                scopes.insert(found.scope)
            } else {
                let list = KeyScopes.named.map(\.name).joined(separator: ", ")
                note(.value, element, "one of \(list)", "Send one of these words.")
            }
        }
        return scopes.names
    }

    private mutating func keyAddresses() -> [String] {
        guard let value = value("addresses"), !value.isNull,
            let elements = requireElements("addresses", count: 1...KeyLimits.mostAddresses)
        else { return [] }
        var addresses: [String] = []
        for element in elements {
            if let text = element.string, text.utf8.count <= 50, AddressRange(text) != nil {
                if !addresses.contains(text) { addresses.append(text) }
            } else {
                note(
                    .value, element, "an address or a network, such as 192.0.2.7 or 2001:db8::/32",
                    "Send it without a port and without a name.")
            }
        }
        return addresses
    }
}
