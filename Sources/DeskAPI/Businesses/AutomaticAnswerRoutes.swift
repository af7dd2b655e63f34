import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what the server answers by itself for a business.
    public mutating func addAutomaticAnswers(limits: APILimits) {
        let path = "/api/businesses/{business}/automatic-answers"
        add(
            .get, path, operation: "getAutomaticAnswers", permission: .readConversations,
            business: .path
        ) { context async throws(Problem) in try await AutomaticAnswerRoutes(context).get() }
        add(
            .put, path, operation: "setAutomaticAnswers", permission: .manageHours,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await AutomaticAnswerRoutes(context).set() }
    }
}

/// Answers the routes of `addAutomaticAnswers`.
struct AutomaticAnswerRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return answer(try await stored(business))
    }

    func set() async throws(Problem) -> Response {
        let business = try await services.requireBusiness(try context.requireBusinessID())
        var fields = try Fields(try await context.jsonBytes())
        var answers = AutomaticAnswers()
        answers.greeting = try await template("greeting", &fields, of: business)
        answers.outOfHours = try await template("outOfHours", &fields, of: business)
        answers.unanswered = try await template("unanswered", &fields, of: business)
        if let value = fields.value("unanswered"), value.kind == .object {
            answers.unansweredMinutes = minutes(value["afterMinutes"] ?? value, &fields)
        }
        try fields.finish()
        let chosen = answers
        if try await stored(business.id) != chosen {
            let author = try context.requirePrincipal().author
            let event = JSONWriter.object { text in
                text.member("answers") { $0.automaticAnswers(chosen) }
                text.member("by") {
                    $0.object {
                        $0.member("type", author.kind)
                        $0.member("id", author.name)
                    }
                }
            }
            try await services.brokering { broker throws(BrokerError) in
                try await broker.save(chosen, of: business.id, event: event, by: author)
            }
        }
        return answer(chosen)
    }

    private func stored(_ business: BusinessID) async throws(Problem) -> AutomaticAnswers {
        try await services.asking { store throws(StoreError) in
            try await store.automaticAnswers(of: business)
        }
    }

    /// The template that a member names, which must be one that can be sent without anybody's help.
    private func template(
        _ name: String, _ fields: inout Fields, of business: Business
    ) async throws(Problem) -> TemplateName? {
        guard let value = fields.value(name), !value.isNull else { return nil }
        guard value.kind == .object else {
            fields.note(.type, value, "an object or null", "Send the template's name in an object.")
            return nil
        }
        let known = name == "unanswered" ? ["template", "afterMinutes"] : ["template"]
        for member in value.members where !known.contains(where: { member.keyEquals($0) }) {
            fields.note(
                .unknown, member.value, known.joined(separator: ", "), "Take the member out.")
        }
        let place = value["template"] ?? value
        let template: TemplateName? = value["template"]?.string.flatMap { TemplateName($0) }
        var found: Template?
        if let template {
            found = try await services.asking { store throws(StoreError) in
                try await store.findTemplate(template, of: business.id, version: nil)
            }
        }
        guard let found else {
            fields.note(
                .value, place, "the name of a template of this business",
                "Take the name from GET /api/templates?business=\(business.id.text).")
            return nil
        }
        do throws(Problem) {
            _ = try services.fillUnattended(found, of: business, for: nil)
        } catch {
            fields.note(
                .value, place, "a template whose every value has a default",
                "Nobody is there to give values, and a customer's name may be unknown: "
                    + error.detail)
        }
        return found.name
    }

    private func minutes(_ value: JSONValue, _ fields: inout Fields) -> Int? {
        let range = 1...AutomaticAnswers.longestWait
        guard let minutes = value.int, range.contains(minutes) else {
            fields.note(
                .value, value, "a whole number from 1 to \(AutomaticAnswers.longestWait)",
                "Send afterMinutes within these bounds.")
            return nil
        }
        return minutes
    }

    private func answer(_ answers: AutomaticAnswers) -> Response {
        var text = JSONWriter()
        text.automaticAnswers(answers)
        return .json(text.bytes)
    }
}

extension JSONWriter {
    /// Writes what is answered by itself.
    fileprivate mutating func automaticAnswers(_ answers: AutomaticAnswers) {
        object { text in
            text.member("greeting") { $0.automaticAnswer(answers.greeting) }
            text.member("outOfHours") { $0.automaticAnswer(answers.outOfHours) }
            text.member("unanswered") {
                $0.automaticAnswer(answers.unanswered, answers.unansweredMinutes)
            }
        }
    }

    private mutating func automaticAnswer(_ template: TemplateName?, _ minutes: Int? = nil) {
        guard let template else { return null() }
        object {
            $0.member("template", template.text)
            if let minutes { $0.member("afterMinutes", minutes) }
        }
    }
}
