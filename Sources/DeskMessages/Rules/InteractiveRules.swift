import DeskJSON
import DeskModel

extension Judging {
    /// Size in bytes above which interactive data travels by reference.
    static let referenceBoundaryBytes = 10 * 1_024

    /// Judges what is larger than an answer in place may be: a message's answer repeats what it
    /// asks, so it comes by reference; an answer that came in place should have.
    mutating func judgeSize(of interactive: JSONValue, _ model: KindModel) {
        guard model.isAnsweredByReference,
            interactive.range.count > Self.referenceBoundaryBytes
        else { return }
        switch (context.direction, context.references) {
        case (.outbound, .taken):
            note(
                .referenceExpected, interactive,
                allowed: "for an answer that arrives in place",
                fix: "Nothing to do; through a gateway the answer arrives as interactiveDataRef.")
        case (.outbound, .refused):
            note(
                .referenceBoundary, interactive,
                allowed: "for an answer that arrives in place, and no other is accepted",
                fix: "Make the pictures smaller or leave them out, or accept answers by reference.")
        case (.inbound, _):
            // Some gateways send both; another rule decides which of the two counts.
            guard root[stated: "interactiveDataRef"] == nil else { return }
            note(
                .referenceExpected, interactive, allowed: "in a message itself",
                fix: "Nothing to do; through a gateway it arrives as interactiveDataRef.")
        }
    }

    private mutating func note(
        _ rule: Rule, _ interactive: JSONValue, allowed purpose: String, fix: String
    ) {
        note(
            rule, at: interactive, found: "\(interactive.range.count) bytes",
            allowed: "\(Self.referenceBoundaryBytes) bytes \(purpose)",
            limit: Self.referenceBoundaryBytes, actual: interactive.range.count, fix: fix)
    }

    /// Judges whether the customer's devices can show a feature.
    mutating func judgeCapability(_ feature: JSONValue, _ model: KindModel, data: JSONValue) {
        guard context.direction == .outbound, let capabilities = context.capabilities,
            let needed = model.capability(data), !capabilities.contains(needed)
        else { return }
        note(
            .capabilityMissing, at: feature,
            found: "a message that needs \(needed.rawValue)",
            allowed: capabilities.features.isEmpty
                ? "text, rich links, payment and apps only" : "what \(capabilities.header) covers",
            fix: "Ask in a text: the customer's devices do not show this kind.")
    }
}
