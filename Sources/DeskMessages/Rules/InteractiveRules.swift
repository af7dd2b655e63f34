import DeskJSON
import DeskModel

extension Judging {
    /// Size in bytes above which the customer's answer arrives as a reference.
    static let referenceBoundaryBytes = 10 * 1_024

    /// Notes that a large message is answered by reference.
    mutating func judgeSize(of interactive: JSONValue, _ kind: MessageKind) {
        guard context.direction == .outbound, interactive.range.count > Self.referenceBoundaryBytes
        else { return }
        switch kind {
        case .list, .time, .quickReply, .form, .payment, .authentication, .interactive: break
        case .text, .app, .richLink, .invitation, .reference: return
        }
        note(
            .referenceBoundary, at: interactive, found: "\(interactive.range.count) bytes",
            allowed: "\(Self.referenceBoundaryBytes) bytes for an answer that arrives in place",
            limit: Self.referenceBoundaryBytes, actual: interactive.range.count,
            fix: "Nothing to do; through a gateway the answer arrives as interactiveDataRef.")
    }

    /// Judges whether the customer's devices can show a feature.
    mutating func judgeCapability(_ feature: JSONValue, _ kind: MessageKind, data: JSONValue) {
        guard context.direction == .outbound, let capabilities = context.capabilities,
            let needed = Self.capability(for: kind, data: data), !capabilities.contains(needed)
        else { return }
        note(
            .capabilityMissing, at: feature,
            found: "a message that needs \(needed.rawValue)",
            allowed: capabilities.features.isEmpty
                ? "text, rich links, payment and apps only" : "what \(capabilities.header) covers",
            fix: "Ask in a text: the customer's devices do not show this kind.")
    }

    private static func capability(for kind: MessageKind, data: JSONValue) -> Capability? {
        switch kind {
        case .quickReply: return .quick
        case .list: return .list
        case .time: return .time
        case .form: return .form
        case .authentication:
            let isSecond =
                data["version"]?.equals("2.0") == true
                || data["authenticate"]?["oauth2"]?["redirectURI"] != nil
            return isSecond ? .auth2 : .auth
        case .text, .payment, .app, .richLink, .invitation, .reference, .interactive: return nil
        }
    }
}
