import DeskHTTP
public import DeskLog
public import DeskWeb

/// The pages, their files, the schemas, the documentation, and the server's health.
public struct PageRoutes: Sendable {
    private let pageFiles: PageFiles
    private let schemas: FileSet
    private let docs: FileSet
    private let readiness: Readiness
    private let metricsReaders: MetricsReaders
    private let front: String

    /// The routes over what was read at start.
    ///
    /// - Parameter front: the path to which `/` leads.
    public init(
        web: FileSet, schemas: FileSet, docs: FileSet, readiness: Readiness, log: Log = .silent,
        metricsReaders: MetricsReaders = MetricsReaders(), front: String = "/console"
    ) {
        pageFiles = PageFiles(WidgetScript.joined(in: web), at: "/web/", log: log)
        self.schemas = schemas
        self.docs = docs
        self.readiness = readiness
        self.metricsReaders = metricsReaders
        self.front = front
    }

    private var web: FileSet { pageFiles.files }

    /// Packs the files, which needs a moment; they are served meanwhile.
    public func pack() async {
        await web.pack()
        await schemas.pack()
        await docs.pack()
    }

    /// The page of an address that has none; nil where the installation has no such file.
    public var missing: MissingPage? { web["documents/missing.html"].map(MissingPage.init) }

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        addPages(to: &table)
        addWidget(to: &table)
        addFiles(to: &table)
        addHealth(to: &table)
    }

    private func addPages(to table: inout RouteTable) {
        let front = front
        table.add(.get, "/", operation: "openFrontPage", permission: .open, query: .ignored) { _ in
            Response(status: .found, headers: ["Location": front])
        }
        let shells:
            [(pattern: String, operation: String, file: String, framing: PageHeaders.Framing)] = [
                ("/console", "openConsole", "console/index.html", .framing),
                ("/console/{rest...}", "openConsolePlace", "console/index.html", .framing),
                ("/sandbox", "openSandbox", "sandbox/index.html", .framing),
                // Console and sandbox show the customer's page as their simulated phone.
                ("/b/{business}", "openEntryLink", "phone/index.html", .framed),
                ("/b/{business}/sign-in/{message}", "openSignIn", "phone/sign-in.html", .alone),
                ("/b/{business}/signed-in", "openSignedIn", "phone/signed-in.html", .alone),
                (
                    "/pay/{business}/fallback", "openPaymentFallback", "phone/cannot-pay.html",
                    .alone
                ),
                ("/j", "openTypedCode", "phone/index.html", .alone),
                ("/j/{code}", "openJoinCode", "phone/index.html", .alone),
            ]
        for shell in shells {
            // Opening one consumes nothing: link previews open everything.
            table.add(
                .get, shell.pattern, operation: shell.operation, permission: .open, query: .ignored
            ) { context in
                guard let file = web[shell.file] else { return Problem.notFound.response }
                var response = Self.response(file, context)
                PageHeaders.add(to: &response, for: context, framing: shell.framing)
                response.headers.set("Cache-Control", "no-store")
                return response
            }
        }
    }

    private func addFiles(to table: inout RouteTable) {
        table.add(
            .get, "/web/{path...}", operation: "getWebFile", permission: .open, query: .ignored
        ) { context in
            guard let path = context.request.parameters["path"],
                let found = await pageFiles.find(path)
            else { return Problem.notFound.response }
            var response = Self.response(found.file, isFinal: found.isFinal, context)
            // Without the header a worker may only be registered for addresses below its own.
            if path == "phone/push-worker.js" {
                response.headers.set("Service-Worker-Allowed", "/b/")
            }
            return response
        }
        table.add(
            .get, "/schemas/v1/{path...}", operation: "getSchema", permission: .open,
            query: .ignored
        ) { context in
            Self.file(context.request.parameters["path"].flatMap { schemas[$0] }, context)
        }
        addDocuments(to: &table)
    }

    private func addDocuments(to table: inout RouteTable) {
        table.add(
            .get, "/docs", operation: "openDocuments", permission: .open, query: .ignored
        ) { _ in Response(status: .found, headers: ["Location": "/docs/"]) }
        table.add(
            .get, "/llms.txt", operation: "getLLMsText", permission: .open, query: .ignored
        ) { context in Self.file(docs["llms.txt"], context) }
        table.add(
            .get, "/docs/{path...}", operation: "getDocument", permission: .open, query: .ignored
        ) {
            context throws(Problem) in
            guard let path = context.request.parameters["path"] else { throw .notFound }
            // The list of a folder's pages is its README, at the folder's address.
            let name = path.isEmpty || path.hasSuffix("/") ? path + "README" : path
            if let page = docs[name + ".md"] ?? Self.problemPage(name) {
                return document(page, context)
            }
            if let file = docs[name] { return Self.response(file, context) }
            guard docs[name + "/README.md"] != nil else { throw .notFound }
            return Response(status: .found, headers: ["Location": "/docs/\(name)/"])
        }
    }

    /// A document: the page that draws it for a person's browser, and its Markdown for all others; at its
    /// file's own name, which ends with `.md`, it is always Markdown.
    private func document(_ file: FileSet.File, _ context: RequestContext) -> Response {
        let shell =
            AcceptedType.isNamed("text/html", by: context.request.headers)
            ? web["documents/index.html"] : nil
        var response = Self.response(shell ?? file, context)
        if shell != nil { PageHeaders.add(to: &response, for: context) }
        response.headers.append("Vary", "Accept")
        return response
    }

    private func addHealth(to table: inout RouteTable) {
        table.add(.get, "/livez", operation: "isAlive", permission: .open, query: .ignored) { _ in
            Response(text: "ok\n")
        }
        table.add(.get, "/readyz", operation: "isReady", permission: .open, query: .ignored) { _ in
            readiness.isReady
                ? Response(text: "ok\n")
                : Response(
                    status: .serviceUnavailable, type: "text/plain; charset=utf-8",
                    Array("not ready\n".utf8))
        }
        table.add(.get, "/metrics", operation: "getMetrics", permission: .open, query: .ignored) {
            context throws(Problem) in
            // Counts say much about a business: to all other clients there is no such page.
            guard metricsReaders.admit(context.request) else { throw .notFound }
            return Response(
                type: "text/plain; version=0.0.4; charset=utf-8",
                Array(context.services.metrics.text().utf8))
        }
    }

    /// Every problem's type has a page, written by hand or else from its code.
    private static func problemPage(_ path: String) -> FileSet.File? {
        guard path.hasPrefix("problems/"),
            let code = ProblemCode(rawValue: String(path.dropFirst("problems/".count)))
        else { return nil }
        let text = """
            # \(code.title)

            Status \(code.status.code), code `\(code.rawValue)`. The member `detail` of the answer \
            says what was wrong this time.

            """
        return FileSet.File(path: path + ".md", bytes: Array(text.utf8))
    }

    /// A file of `web/`, or the refusal where the installation has none.
    func file(named path: String, _ context: RequestContext) -> Response {
        Self.file(web[path], context)
    }

    private static func file(_ file: FileSet.File?, _ context: RequestContext) -> Response {
        guard let file else { return Problem.notFound.response }
        return response(file, context)
    }

    /// For a year, which is as good as for ever: another content has another name.
    private static let kept = "public, max-age=31536000, immutable"

    private static func response(_ file: FileSet.File, _ context: RequestContext) -> Response {
        response(file, isFinal: file.isMarked, context)
    }

    /// - Parameter isFinal: whether the address never has another content.
    private static func response(
        _ file: FileSet.File, isFinal: Bool, _ context: RequestContext
    ) -> Response {
        var headers: HeaderFields = [
            "Content-Type": file.type, "Cache-Control": isFinal ? kept : "no-cache",
        ]
        var (bytes, validators): ([UInt8]?, Validators) = (nil, file.validators)
        if let packed = file.packed {
            headers.append("Vary", "Accept-Encoding")
            if ContentCoding.takesGzip(context.request.headers), let smaller = packed.bytes {
                headers.append("Content-Encoding", "gzip")
                (bytes, validators) = (smaller, packed.validators)
            }
        }
        guard let bytes = bytes ?? file.bytes else {
            return Problem(.unavailable, "There is no memory for this file now.").response
        }
        var response = Response.content(
            bytes, headers: headers, validators: validators, request: context.request)
        PageHeaders.addCommon(to: &response, for: context)
        return response
    }
}
