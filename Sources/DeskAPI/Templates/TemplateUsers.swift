import DeskJSON
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb

/// What of a business sends a template by itself, or offers it to all agents.
struct TemplateUsers {
    /// Most that are named.
    private static let most = 5

    private let services: Services

    init(_ services: Services) { self.services = services }

    /// Rules, shared macros and automatic answers that send a template, in words for who wants to remove
    /// it.
    ///
    /// Limit: five are named. What begins to send it at the same moment is not seen; it then finds no
    /// template and says so.
    func names(of template: Template) async throws(Problem) -> [String] {
        let (business, name) = (template.business, template.name)
        let (rules, macros, answers) = try await services.asking { store throws(StoreError) in
            (
                try await store.rules(of: business),
                try await store.macros(of: business, seenBy: nil),
                try await store.automaticAnswers(of: business)
            )
        }
        let found =
            rules.filter { Self.sends(name, $0.actions) }.map { "the rule \"\($0.name)\"" }
            + macros.filter { !$0.isRetired && Self.sends(name, $0.actions) }
            .map { "the macro \"\($0.name)\"" }
            + AutomaticAnswers.Kind.allCases.filter { answers.template(of: $0) == name }
            .map { "the automatic answer \($0.rawValue)" }
        return Array(found.prefix(Self.most))
    }

    /// Whether a list of actions, which may have placeholders, sends a template.
    private static func sends(_ name: TemplateName, _ actions: [UInt8]) -> Bool {
        guard let list = JSONValue.parsed(actions) else { return false }
        return list.elements.contains { $0["template"]?["name"]?.equals(name.text) == true }
    }
}
