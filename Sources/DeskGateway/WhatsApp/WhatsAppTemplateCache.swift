import DeskBytes
import DeskHTTP
import DeskJSON
public import DeskLinks
public import DeskModel
import Synchronization

/// Lists the templates of links' accounts, and keeps each list for a minute; every node has its own.
public final class WhatsAppTemplateCache: WhatsAppTemplateSource {
    private struct Kept {
        /// As it was when it was asked for: with another account or token the list is another.
        let link: GatewayLink
        let list: WhatsAppTemplateList
        let time: ContinuousClock.Instant
    }

    /// How long a list is kept.
    static let freshness = Duration.seconds(60)
    /// Most templates of an account that are listed.
    static let mostTemplates = 500
    /// Templates that are asked for at once.
    private static let pageSize = 100
    /// Most lists that are kept; one more, and the oldest is dropped.
    private static let mostKept = 64
    /// Most bytes of the texts of a list that is kept; a larger one is asked for each time.
    private static let keptBytes = 1_048_576
    /// Most bytes of a page.
    private static let pageBytes = 4_194_304
    /// Time within which a list is asked for.
    private static let patience = Duration.seconds(15)

    private let parts: GatewayParts
    private let kept = Mutex<[Kept]>([])

    /// Asks with the gateway's client.
    public init(_ parts: GatewayParts) { self.parts = parts }

    /// The approved templates; those of up to a minute ago.
    public func approved(
        of link: GatewayLink
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplateList {
        let now = parts.time.instant()
        let known = kept.withLock { kept in
            kept.removeAll { $0.time.duration(to: now) >= Self.freshness }
            return kept.first { $0.link == link }
        }
        if let known { return known.list }
        let list = try await list(of: link, "&status=\(WhatsAppTemplate.approved)")
        kept.withLock { kept in
            kept.removeAll { $0.link.id == link.id }
            guard list.templates.reduce(0, { $0 + $1.byteCount }) <= Self.keptBytes else { return }
            if kept.count >= Self.mostKept { kept.removeFirst() }
            kept.append(Kept(link: link, list: list, time: now))
        }
        return list
    }

    /// A template by its name and language, whatever its status; nil for one that the account does not have.
    public func find(
        _ name: String, _ language: String, of link: GatewayLink
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplate? {
        func isAsked(_ template: WhatsAppTemplate) -> Bool {
            template.name.utf8.elementsEqual(name.utf8)
                && template.language.utf8.elementsEqual(language.utf8)
        }
        if let known = try await approved(of: link).templates.first(where: isAsked) { return known }
        // What the filter finds may only contain the name.
        return try await list(of: link, "&name=\(PercentCoding.encode(name))").templates
            .first(where: isAsked)
    }

    private func list(
        of link: GatewayLink, _ filter: String
    ) async throws(WhatsAppTemplateError) -> WhatsAppTemplateList {
        guard let account = WhatsAppSettings(link.settings).accountID else {
            throw WhatsAppTemplateError(
                isPassing: false,
                detail:
                    "The id of the WhatsApp Business Account is missing: enter it under Settings, Gateway."
            )
        }
        guard let secrets = WhatsAppSecrets(link.secret) else {
            throw WhatsAppTemplateError(
                isPassing: false,
                detail:
                    "The secrets of the number are missing: enter them under Settings, Gateway.")
        }
        let client = WhatsAppClient(
            parts: parts, link: link, secrets: secrets, conversation: nil, message: nil)
        let path =
            "/\(account)/message_templates?fields=name,language,status,category,parameter_format,components"
            + "&limit=\(Self.pageSize)\(filter)"
        let begin = parts.time.instant()
        var templates: [WhatsAppTemplate] = []
        var cursor: String?
        repeat {
            let left = Self.patience - begin.duration(to: parts.time.instant())
            guard left > .zero else {
                throw WhatsAppTemplateError(
                    isPassing: true, detail: "The list of templates came too slowly.")
            }
            let after = cursor.map { "&after=\(PercentCoding.encode($0))" } ?? ""
            let page = try await ask(client, path + after, within: left)
            templates += GatewayContext.elements(page["data"]).compactMap { WhatsAppTemplate($0) }
            // The address of the next page is not used: the token goes nowhere but to the link's own.
            let next = page["paging"]?["next"] == nil ? nil : page["paging"]?["cursors"]?["after"]
            let last = cursor
            cursor = next?.string.flatMap { $0 == last || $0.isEmpty ? nil : $0 }
        } while cursor != nil && templates.count < Self.mostTemplates
        return WhatsAppTemplateList(
            Array(templates.prefix(Self.mostTemplates)),
            isComplete: cursor == nil && templates.count <= Self.mostTemplates)
    }

    private func ask(
        _ client: WhatsAppClient, _ path: String, within time: Duration
    ) async throws(WhatsAppTemplateError) -> JSONValue {
        do throws(WhatsAppFault) {
            return try await client.askJSON(
                .bounded(
                    .get, client.address(path), headers: client.fields,
                    timeout: min(time, .seconds(10)), answerLimit: Self.pageBytes))
        } catch {
            throw WhatsAppTemplateError(
                isPassing: error.outlook == .later,
                detail: "WhatsApp does not list the templates: \(error.detail).")
        }
    }
}
