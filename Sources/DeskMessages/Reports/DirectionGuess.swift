public import DeskJSON
public import DeskModel

/// Guesses from a payload alone which way it travels.
public enum DirectionGuess {
    /// The direction that the two ends name, else the one that the message's parts show; nil when
    /// nothing does, or when the ends contradict each other.
    public static func direction(of root: JSONValue) -> Direction? {
        let ends = [
            root["sourceId"].flatMap { isCustomer($0).map { $0 ? Direction.inbound : .outbound } },
            root["destinationId"].flatMap {
                isCustomer($0).map { $0 ? Direction.outbound : .inbound }
            },
        ].compactMap(\.self)
        if let first = ends.first { return ends.allSatisfy { $0 == first } ? first : nil }
        if root["type"]?.equals("richLink") == true { return .outbound }
        guard let interactive = root[stated: "interactiveData"] else { return nil }
        let data = interactive[stated: "data"]
        if data?[stated: "receivedMessage"] != nil || data?[stated: "replyMessage"] != nil {
            return .inbound
        }
        if Feature.answerMembers.contains(where: { data?[$0.feature]?[stated: $0.member] != nil }) {
            return .inbound
        }
        return interactive[stated: "receivedMessage"] == nil ? nil : .outbound
    }

    private static func isCustomer(_ end: JSONValue) -> Bool? {
        guard let bytes = end.stringBytes else { return nil }
        if bytes.starts(with: "urn:mbid:".utf8) || bytes.starts(with: "tel:".utf8) { return true }
        let name = bytes.starts(with: "urn:biz:".utf8) ? Array(bytes.dropFirst(8)) : bytes
        return BusinessID(String(decoding: name, as: UTF8.self)) == nil ? nil : false
    }
}
