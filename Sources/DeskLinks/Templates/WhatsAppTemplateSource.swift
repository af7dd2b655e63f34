public import DeskModel

/// The approved templates of a link's account.
public struct WhatsAppTemplateList: Hashable, Sendable {
    /// The templates, in the account's order.
    public let templates: [WhatsAppTemplate]
    /// Whether these are all.
    public let isComplete: Bool

    /// Puts a list together.
    public init(_ templates: [WhatsAppTemplate], isComplete: Bool) {
        self.templates = templates
        self.isComplete = isComplete
    }
}

/// Why templates cannot be listed.
public struct WhatsAppTemplateError: Error, Hashable, Sendable {
    /// Whether asking later helps.
    public let isPassing: Bool
    /// What went wrong, in words.
    public let detail: String

    /// Puts the two together.
    public init(isPassing: Bool, detail: String) {
        self.isPassing = isPassing
        self.detail = detail
    }
}

/// Asks WhatsApp for the templates of a link's account.
public protocol WhatsAppTemplateSource: Sendable {
    /// The approved templates; those of up to a minute ago.
    ///
    /// Limit: 500 templates.
    func approved(of link: GatewayLink) async throws(WhatsAppTemplateError) -> WhatsAppTemplateList

    /// A template by its name and language, whatever its status: as it was up to a minute ago where it was approved, else
    /// as it is now; nil for one that the account does not have.
    func find(
        _ name: String, _ language: String, of link: GatewayLink
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplate?
}
