import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds templates: publish, list, read, preview, send.
    public mutating func addTemplates(limits: APILimits) {
        add(
            .get, "/api/templates", operation: "listTemplates", permission: .readTemplates,
            business: .query,
            query: .known(["business"] + PageParameters.names)
        ) {
            context async throws(Problem) in try await TemplateRoutes(context).list()
        }
        add(
            .post, "/api/templates", operation: "publishTemplate", permission: .publishTemplates,
            business: .query,
            bodyLimit: limits.payloadBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await TemplateRoutes(context).publish() }
        add(
            .get, "/api/templates/{name}", operation: "getTemplate", permission: .readTemplates,
            business: .query,
            query: .known(["business", "version"])
        ) {
            context async throws(Problem) in try await TemplateRoutes(context).get()
        }
        add(
            .delete, "/api/templates/{name}", operation: "removeTemplate",
            permission: .publishTemplates, business: .query, query: .known(["business"]),
            rate: .write
        ) { context async throws(Problem) in try await TemplateRoutes(context).remove() }
        add(
            .post, "/api/templates/{name}/preview", operation: "previewTemplate",
            permission: .checkMessages, business: .query,
            bodyLimit: limits.payloadBytes, rate: .validation, goesOnWhenFull: true
        ) { context async throws(Problem) in try await TemplateSending(context).preview() }
        add(
            .post, "/api/conversations/{conversation}/template-messages",
            operation: "sendTemplate", permission: .sendMessages, business: .conversation,
            query: .known(SendQuery.names),
            bodyLimit: limits.payloadBytes,
            rate: .write, repeating: .own
        ) { context async throws(Problem) in try await TemplateSending(context).send() }
    }
}

/// Answers the routes that keep templates.
struct TemplateRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let most = services.limits.web.pageSizeMost
        let size = try context.request.query.pageSize(usual: most, most: most)
        let edge = try context.request.query.pageEdge(TemplatePlace.init)
        let businesses = context.businesses.sorted {
            ($0.text < $1.text) != edge.isBackward
        }
        let authorNames = services.authorNames
        let (templates, hasMore) = try await services.asking { store throws(StoreError) in
            var templates: [Template] = []
            var bytes = 0
            for business in businesses where edge.reaches(business) {
                guard templates.count < size, bytes < PageSize.maximumBytes else {
                    return (templates, true)
                }
                let found = try await store.templates(
                    of: business, at: edge.part(in: business), limit: size - templates.count)
                templates =
                    edge.isBackward ? found.elements + templates : templates + found.elements
                bytes += found.elements.reduce(0) { $0 + $1.payload.count }
                if found.hasMore { return (templates, true) }
            }
            return (templates, false)
        }
        try await services.asking { _ throws(StoreError) in
            try await authorNames.load(templates.map(\.author))
        }
        return .json(
            JSONWriter.object(capacity: 16_384) { text in
                text.member("data") { text in
                    text.array { text in
                        for template in templates { text.template(template, authorNames) }
                    }
                }
                text.page(
                    edge, hasMore: hasMore, first: templates.first.map(TemplatePlace.text),
                    last: templates.last.map(TemplatePlace.text))
            })
    }

    func publish() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let body = try await context.jsonBytes()
        var fields = try Fields(body)
        let business = fields.requireBusiness(in: context)
        let name = fields.requireTemplateName()
        let title = fields.requireText(
            "title", characters: 1...Template.maximumTitleCharacters)
        let detail = fields.text(
            "description", characters: 0...Template.maximumDescriptionCharacters)
        let payload = fields.requireValue("payload")
        let parameters = fields.value("parameters")
        if let business, let name, !name.suitsNewTemplates {
            let known = try await services.asking { store throws(StoreError) in
                try await store.findTemplate(name, of: business, version: nil)
            }
            if known == nil { fields.noteTemplateName() }
        }
        try fields.finish()
        guard let business, let name, let title, let payload else { throw .notFound }
        let payloadBytes = Array(payload.rawBytes)
        let parameterBytes = parameters.map { Array($0.rawBytes) } ?? Array("[]".utf8)
        let form: TemplateForm
        do {
            form = try TemplateForm(payload: payloadBytes, parameters: parameterBytes)
            try form.requireFallbacks()
        } catch {
            throw Problem(error)
        }
        try services.refuseUnknownParameters(in: body)
        try await refuseUnsendable(form, payload, of: business)
        let attachments = try await PayloadJudge(services: services).attachments(
            of: payload, [.business(business), .library(business)])
        let draft = Template(
            business: business, name: name, title: title, detail: detail ?? "",
            payload: payloadBytes, parameters: parameterBytes, attachments: attachments,
            author: principal.author, publishedAt: services.time.now())
        let published = try await services.brokering { broker throws(BrokerError) in
            try await broker.publish(draft)
        }
        services.rememberName(of: principal)
        return answer(published, .created)
    }

    /// Refuses a template that can never be sent, with the places in the posted text.
    private func refuseUnsendable(
        _ form: TemplateForm, _ payload: JSONValue, of business: BusinessID
    ) async throws(Problem) {
        let judging = JudgementContext(
            direction: .outbound, now: services.time.now(), profile: .strict,
            mode: try await services.requireBusiness(business).mode,
            plainOrigin: services.plainOrigin)
        let faults = form.faults(
            judgedBy: services.rulebook, judging, limitBytes: services.limits.payloadBytes)
        guard !faults.isEmpty else { return }
        var problem = Problem(
            .invalid,
            "The template could never be sent: "
                + (faults.count == 1
                    ? "found \(faults[0].found); allowed: \(faults[0].finding.allowed)."
                    : "it breaks \(faults.count) rules whatever its values are."))
        problem.errors = JSONWriter.array(faults) { text, fault in
            text.raw(fault.placed(in: payload).json.bytes())
        }
        throw problem
    }

    func get() async throws(Problem) -> Response {
        let template = try await services.requireTemplate(
            named: context.request.parameters["name"], of: try business(),
            version: try version())
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in
            try await authorNames.load([template.author])
        }
        return answer(template, .ok)
    }

    func remove() async throws(Problem) -> Response {
        let template = try await services.requireTemplate(
            named: context.request.parameters["name"], of: try business(), version: nil)
        let users = try await TemplateUsers(services).names(of: template)
        guard users.isEmpty else {
            throw Problem(
                .templateInUse,
                "The template is sent by \(users.joined(separator: ", ")): change that first.")
        }
        let author = try context.requirePrincipal().author
        let removal = template.removal(by: author, at: services.time.now())
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.publish(removal)
        }
        return Response(status: .noContent)
    }

    private func answer(_ template: Template, _ status: Status) -> Response {
        var text = JSONWriter(capacity: template.payload.count + 1_024)
        text.template(template, services.authorNames)
        return .json(text.bytes, status: status)
    }

    /// The business that the query names, or the caller's only one.
    private func business() throws(Problem) -> BusinessID {
        let businesses = context.businesses
        guard businesses.count == 1, let only = businesses.first else {
            throw Problem(
                parameter: "business", in: context.request.query,
                allowed: "the id of a business", fix: "Say whose template it is.")
        }
        return only
    }

    private func version() throws(Problem) -> Int? {
        let query = context.request.query
        guard let text = query["version"] else { return nil }
        guard let version = DecimalText.number(text), version > 0 else {
            throw Problem(parameter: "version", in: query, allowed: "a number from 1 on")
        }
        return version
    }
}

extension Services {
    /// Refuses a template's parameters as `frontdesk lint --kind template` does, with the places in the text of the
    /// whole template: a member that is written wrong would be passed over.
    func refuseUnknownParameters(in template: [UInt8]) throws(Problem) {
        let judging = JudgementContext(direction: .outbound, now: time.now())
        let found = rulebook.judge(template, asDocument: "template", judging)?.errors ?? []
        let faults = found.filter { $0.pointer.hasPrefix("/parameters/") }
        guard let first = faults.first else { return }
        var problem = Problem(
            .invalid,
            faults.count == 1
                ? "Found \(first.found) at \(first.pointer); allowed: \(first.allowed)."
                : "The parameters break \(faults.count) rules.")
        problem.errors = JSONWriter.array(faults) { $0.raw($1.json.bytes()) }
        throw problem
    }

    /// The newest version of a template, or of its translation into the customer's language where
    /// there is one: that of `greeting` for `ja_JP` is `greeting.ja-jp`, else `greeting.ja`.
    ///
    /// A stated version is exactly that one. 404 when there is no template of this name.
    func requireTemplate(
        named name: String?, of business: BusinessID, version: Int?, for customer: Customer?
    ) async throws(Problem) -> Template {
        let plain = try await requireTemplate(named: name, of: business, version: version)
        guard version == nil, let locale = customer?.locale else { return plain }
        for name in plain.name.translations(into: locale) {
            let found = try await asking { store throws(StoreError) in
                try await store.findTemplate(name, of: business, version: nil)
            }
            if let found { return found }
        }
        return plain
    }

    /// The template of this name; 404 when there is none.
    func requireTemplate(
        named name: String?, of business: BusinessID, version: Int?
    ) async throws(Problem) -> Template {
        guard let name = name.flatMap({ TemplateName($0) }) else { throw .notFound }
        let found = try await asking { store throws(StoreError) in
            try await store.findTemplate(name, of: business, version: version)
        }
        guard let found else { throw .notFound }
        return found
    }
}

extension Fields {
    /// The business that an object is for; one in which the caller has the route's permission.
    mutating func requireBusiness(in context: RequestContext) -> BusinessID? {
        guard let text = requireText("business") else { return nil }
        guard let id = BusinessID(text), context.isPermitted(in: id) else {
            note(
                "business", "the id of a business of yours", "Take the id from GET /api/businesses."
            )
            return nil
        }
        return id
    }

    fileprivate mutating func requireTemplateName() -> TemplateName? {
        guard let text = requireText("name") else { return nil }
        let name = TemplateName(text)
        if name == nil { noteTemplateName() }
        return name
    }

    /// Notes that no new template may have the name.
    fileprivate mutating func noteTemplateName() {
        note("name", TemplateName.rule, "Choose a short name in lower case.")
    }
}

extension TemplateFault {
    /// The fault at its place in the text that the template was posted in.
    fileprivate func placed(in payload: JSONValue) -> Finding {
        let place = JSONPointer(parsing: finding.pointer).flatMap { payload.find($0) } ?? payload
        let position = place.position
        return Finding(
            rule: finding.rule, severity: finding.severity, pointer: "/payload" + finding.pointer,
            line: position.line, column: position.column, start: place.range.lowerBound,
            end: place.range.upperBound, found: found, allowed: finding.allowed,
            limit: finding.limit, actual: finding.actual, fix: fix)
    }
}

extension JSONWriter {
    mutating func template(_ template: Template, _ authorNames: AuthorNames) {
        object { text in
            text.member("business", template.business.text)
            text.member("name", template.name.text)
            text.member("version", template.version)
            text.member("title", template.title)
            text.member("description", template.detail)
            text.member("payload", raw: template.payload)
            text.member("parameters", raw: template.parameters)
            text.member("author") { $0.author(template.author, authorNames) }
            text.member("publishedAt", template.publishedAt)
        }
    }
}

extension Problem {
    /// The refusal of a template, or of values for it: every problem, each naming its parameter.
    ///
    /// - Parameter place: what the pointers of a payload's places begin with.
    init(_ error: TemplateError, under place: String = "/payload") {
        if case .tooLarge = error.problems.first {
            self.init(.tooLarge, error.problems[0].sentence)
            return
        }
        self.init(
            .invalid,
            error.problems.count == 1 ? error.problems[0].sentence : "Several things are wrong.")
        errors = JSONWriter.array(error.problems) { $0.templateProblem($1, under: place) }
    }
}

extension JSONWriter {
    fileprivate mutating func templateProblem(_ problem: TemplateProblem, under payload: String) {
        let pointer: String
        var rule = RequestFinding.Rule.value
        switch problem {
        case .badPayload, .tooManyPlaceholders: pointer = payload
        case .badParameters(let place): pointer = "/parameters\(place)"
        case .parameterTwice, .badDefault: pointer = "/parameters"
        case .badPlaceholder(let place), .unknownPlaceholder(_, let place),
            .missingFallback(_, let place), .misplacedList(_, let place),
            .notAList(_, let place):
            pointer = "\(payload)\(place)"
        case .badValues, .tooLarge: pointer = "/values"
        case .missing(let name):
            pointer = "/values/\(name)"
            rule = .missing
        case .unknownValue(let name):
            pointer = "/values/\(name)"
            rule = .unknown
        case .wrongType(let name, _), .notAChoice(let name, _), .noItems(let name),
            .tooManyItems(let name), .notAnItem(let name), .empty(let name):
            pointer = "/values/\(name)"
        }
        object {
            $0.member("rule", rule.rawValue)
            $0.member("severity", "error")
            $0.member("pointer", pointer)
            // Values come from a form more often than from a text: the place is the parameter.
            $0.member("line", 1)
            $0.member("column", 1)
            $0.member("start", 0)
            $0.member("end", 0)
            $0.member("found", problem.found)
            $0.member("allowed", problem.allowed)
            $0.member("fix", problem.fix)
            $0.member("docs", "/docs/rules/\(rule.rawValue)")
        }
    }
}
