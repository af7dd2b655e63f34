import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskSCIM
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds what an identity provider calls to add, change and remove the people and teams of a business
    /// (SCIM 2.0, RFC 7643 and RFC 7644).
    public mutating func addSCIM() {
        let path = "/api/businesses/{business}/scim/v2/{resource}"
        add(
            .get, path, operation: "listSCIMResources", permission: .provisionPeople,
            business: .path, query: .known(SCIMPage.names + SCIMRoutes.projection),
            refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).list() }
        add(
            .post, path, operation: "addSCIMResource", permission: .provisionPeople,
            business: .path, query: .known(SCIMRoutes.projection),
            bodyLimit: SCIMRoutes.bodyBytes, rate: .write, repeating: .remembered,
            refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).make() }
        let one = path + "/{id}"
        add(
            .get, one, operation: "readSCIMResource", permission: .provisionPeople,
            business: .path, query: .known(SCIMRoutes.projection), refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).read() }
        add(
            .put, one, operation: "replaceSCIMResource", permission: .provisionPeople,
            business: .path, query: .known(SCIMRoutes.projection),
            bodyLimit: SCIMRoutes.bodyBytes, rate: .write, goesOnWhenFull: true, refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).replace() }
        add(
            .patch, one, operation: "changeSCIMResource", permission: .provisionPeople,
            business: .path, query: .known(SCIMRoutes.projection),
            bodyLimit: SCIMRoutes.bodyBytes, rate: .write, goesOnWhenFull: true, refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).change() }
        add(
            .delete, one, operation: "removeSCIMResource", permission: .provisionPeople,
            business: .path, rate: .write, refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).remove() }
        add(
            .post, path + "/.search", operation: "searchSCIMResources",
            permission: .provisionPeople, business: .path, bodyLimit: SCIMRoutes.bodyBytes,
            goesOnWhenFull: true, refusals: .scim
        ) { context async throws(Problem) in try await SCIMRoutes(context).search() }
    }
}

/// Answers the routes of `addSCIM`: what is alike for people and teams.
struct SCIMRoutes {
    /// Most bytes of a body: a team with all its members several times.
    static let bodyBytes = 262_144
    /// The parameters that choose attributes.
    static let projection = ["attributes", "excludedAttributes"]

    private let context: RequestContext

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try requireBusiness()
        let wanted = try requireProjection()
        let page = try SCIMPage(context.request.query)
        guard context.request.parameters["resource"] != "ServiceProviderConfig" else {
            return answer(
                SCIMSchemas.serviceProviderConfig(
                    base: base(of: business),
                    documentation: context.services.publicURL.origin + "/docs/provisioning"))
        }
        return try await list(page, of: business, wanted)
    }

    /// Does as `list`, with a body in the place of the query (RFC 7644, section 3.4.3).
    func search() async throws(Problem) -> Response {
        let business = try requireBusiness()
        let asked = SCIMFields(JSON(try await body()))
        try asked.require(SCIMSchemas.searchURN)
        let wanted = try requireProjection(
            try asked.names("attributes"), try asked.names("excludedAttributes"))
        return try await list(try SCIMPage(asked), of: business, wanted)
    }

    private func list(
        _ page: SCIMPage, of business: BusinessID, _ wanted: SCIMProjection
    ) async throws(Problem) -> Response {
        let found: any Collection<JSON>
        switch context.request.parameters["resource"] {
        case "ResourceTypes": found = SCIMSchemas.resourceTypes(base: base(of: business))
        case "Schemas": found = SCIMSchemas.schemas(base: base(of: business))
        case "Users": found = try await people(business, .everyone).all()
        case "Groups": found = try await teams(business).all()
        default: throw .notFound
        }
        let (resources, total) = page.part(of: found)
        return answer(
            SCIMSchemas.list(
                resources.map { wanted.applied(to: $0) }, total: total, start: page.start))
    }

    func read() async throws(Problem) -> Response {
        let business = try requireBusiness()
        let wanted = try requireProjection()
        let id = context.request.parameters["id"] ?? ""
        let found: JSON?
        switch context.request.parameters["resource"] {
        case "ResourceTypes":
            found = SCIMSchemas.resourceTypes(base: base(of: business)).first { $0.isNamed(id) }
        case "Schemas":
            found = SCIMSchemas.schemas(base: base(of: business)).first { $0.isNamed(id) }
        case "Users": found = try await people(business, .person(AgentID(id))).find(id)
        case "Groups": found = try await teams(business).find(id)
        default: throw .notFound
        }
        guard let found else { throw .notFound }
        return answer(wanted.applied(to: found))
    }

    func make() async throws(Problem) -> Response {
        let business = try requireBusiness()
        let wanted = try requireProjection()
        let made: JSON
        switch context.request.parameters["resource"] {
        case "Users":
            // First, since a sender may be slow: what is read of the business is new then, and not held long.
            let body = try await body()
            made = try await people(business, .members).add(body)
        case "Groups":
            let body = try await body()
            made = try await teams(business).add(body)
        case "ServiceProviderConfig", "ResourceTypes", "Schemas": throw Self.onlyRead
        default: throw .notFound
        }
        var response = answer(wanted.applied(to: made), .created)
        if case .string(let location)? = made["meta"]?["location"] {
            response.headers.append("Location", location)
        }
        return response
    }

    func replace() async throws(Problem) -> Response {
        try await write { _, body in JSON(body) }
    }

    func change() async throws(Problem) -> Response {
        try await write { resource, body throws(Problem) in
            do throws(SCIMFault) {
                return try SCIMPatch(body).applied(
                    to: resource, multiple: ["emails", "roles", "members"],
                    readOnly: ["id", "meta", "groups", "schemas"])
            } catch {
                throw Problem(error)
            }
        }
    }

    func remove() async throws(Problem) -> Response {
        let business = try requireBusiness()
        let id = context.request.parameters["id"] ?? ""
        switch context.request.parameters["resource"] {
        case "Users": try await people(business, .person(AgentID(id))).remove(id)
        case "Groups": try await teams(business).remove(id)
        case "ServiceProviderConfig", "ResourceTypes", "Schemas": throw Self.onlyRead
        default: throw .notFound
        }
        return Response(status: .noContent)
    }

    /// Carries out what a resource shall be, which follows from what it is and the body.
    private func write(
        _ next: @Sendable (JSON, JSONValue) throws(Problem) -> JSON
    ) async throws(Problem) -> Response {
        let business = try requireBusiness()
        let wanted = try requireProjection()
        let id = context.request.parameters["id"] ?? ""
        let now: JSON
        switch context.request.parameters["resource"] {
        case "Users":
            let body = try await body()
            let people = try await people(business, .person(AgentID(id)))
            guard let before = people.find(id) else { throw .notFound }
            now = try await people.change(id, to: try next(before, body))
        case "Groups":
            let body = try await body()
            let teams = try await teams(business)
            guard let before = teams.find(id) else { throw .notFound }
            now = try await teams.change(id, to: try next(before, body))
        case "ServiceProviderConfig", "ResourceTypes", "Schemas": throw Self.onlyRead
        default: throw .notFound
        }
        return answer(wanted.applied(to: now))
    }

    // MARK: Parts

    private static let onlyRead = Problem(
        .methodNotAllowed, "What the server offers can only be read.")

    private func requireBusiness() throws(Problem) -> BusinessID {
        guard context.services.allowsProvisioning else {
            throw Problem(
                .forbidden,
                "This server keeps its people by itself. Its operator lets an identity provider add and remove "
                    + "them with the flag --scim.")
        }
        return try context.requireBusinessID()
    }

    private func base(of business: BusinessID) -> String {
        "\(context.services.publicURL.origin)/api/businesses/\(business.text)/scim/v2"
    }

    private func people(
        _ business: BusinessID, _ reach: SCIMDirectory.Reach
    ) async throws(Problem) -> SCIMPeople {
        SCIMPeople(
            try await SCIMDirectory(
                of: business, base: base(of: business), context.services, reaching: reach),
            context)
    }

    private func teams(_ business: BusinessID) async throws(Problem) -> SCIMTeams {
        SCIMTeams(
            try await SCIMDirectory(
                of: business, base: base(of: business), context.services, reaching: .members),
            context)
    }

    private func requireProjection() throws(Problem) -> SCIMProjection {
        let query = context.request.query
        return try requireProjection(query["attributes"], query["excludedAttributes"])
    }

    private func requireProjection(
        _ attributes: String?, _ excluded: String?
    ) throws(Problem) -> SCIMProjection {
        do throws(SCIMFault) {
            return try SCIMProjection(attributes: attributes, excluded: excluded)
        } catch {
            throw Problem(error)
        }
    }

    private func body() async throws(Problem) -> JSONValue {
        let type = context.request.headers.first("content-type")
        guard MediaType.isJSON(type) || MediaType.isSCIM(type) else {
            throw Problem(
                .unsupportedMediaType,
                "Send JSON with the header Content-Type: application/scim+json.")
        }
        let bytes = try await context.bytes()
        let root: JSONValue
        do {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            var problem = Problem(error)
            problem.scimType = SCIMFault.Kind.invalidSyntax.rawValue
            throw problem
        }
        guard root.kind == .object else {
            throw Problem(SCIMFault(.invalidSyntax, "Send one JSON object."))
        }
        return root
    }

    private func answer(_ body: JSON, _ status: Status = .ok) -> Response {
        Response(status: status, type: "application/scim+json", body.bytes())
    }
}

extension Problem {
    /// The refusal of a request that is not as SCIM wants it.
    init(_ fault: SCIMFault) {
        self.init(fault.kind == .uniqueness ? .nameTaken : .badRequest, fault.detail)
        scimType = fault.kind.rawValue
    }

    /// The refusal of a value.
    static func scim(_ kind: SCIMFault.Kind, _ detail: String) -> Problem {
        Problem(SCIMFault(kind, detail))
    }
}

extension JSON {
    /// Whether it is the resource of an id.
    fileprivate func isNamed(_ id: String) -> Bool {
        if case .string(let own)? = self["id"] { own.utf8.elementsEqual(id.utf8) } else { false }
    }
}
