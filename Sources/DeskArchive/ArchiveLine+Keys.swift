import DeskJSON
import DeskModel

extension ArchiveLine {
    static func write(_ one: APIKey, to line: inout JSONWriter) {
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("mode", one.mode.rawValue)
        line.put("businesses", one.businesses.map(\.text))
        line.put("scopes", one.limits.scopes)
        line.put("addresses", one.limits.addresses)
        line.put("expiresAt", one.limits.expiresAt)
        line.put("predecessor", one.predecessor?.text)
        line.put("createdAt", one.createdAt)
        line.put("revokedAt", one.revokedAt)
        line.put("usedAt", one.usedAt)
    }
}
