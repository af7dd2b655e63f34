public import DeskJSON
import DeskModel

extension Rulebook {
    /// Judges a payload's text.
    ///
    /// A valid payload costs one parse, one verdict and the rules of its kind; findings are worked
    /// out only when there are any.
    /// Order: findings come in the order of the text. Limit: those of JSONLimits and the context.
    public func judge(_ payload: [UInt8], _ context: JudgementContext) -> Judgement {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: payload)
        } catch {
            return Judgement(
                fault: error, document: nil, payload: nil, stated: StatedEnvelope(of: nil),
                findings: [])
        }
        return judge(document, context)
    }

    /// Judges what is no message by its schema alone; nil for a name that is none of ``documentNames``.
    public func judge(
        _ text: [UInt8], asDocument name: String, _ context: JudgementContext
    ) -> Judgement? {
        guard let schema = schema(ofDocument: name) else { return nil }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: text)
        } catch {
            return Judgement(
                fault: error, document: nil, payload: nil, stated: StatedEnvelope(of: nil),
                findings: [])
        }
        var judging = Judging(
            root: document.root, context: context, isOwnFile: Self.isStrict(name))
        judging.judgeSchemaName(of: name)
        if PaymentCall.billDocuments.contains(name) { judging.judgeNewBill() }
        if !schema.isValid(document.root) {
            judging.takeOver(
                schema.findings(document.root), of: schema, named: name + ".json", notes)
        }
        return Judgement(
            fault: nil, document: document, payload: nil,
            stated: StatedEnvelope(of: document.root), findings: judging.finish())
    }

    /// Judges a payload that was parsed already.
    public func judge(_ document: JSONDocument, _ context: JudgementContext) -> Judgement {
        let root = document.root
        let stated = StatedEnvelope(of: root)
        var judging = Judging(root: root, context: context)
        let kind = judging.recognise()
        if let kind {
            judging.judgeEnvelope(stated)
            judging.judgeContent(of: kind)
            if let schema = schema(of: kind, context.direction), !schema.isValid(root) {
                let name = Self.schemaName(of: kind, context.direction) ?? ""
                judging.takeOver(schema.findings(root), of: schema, named: name, notes)
            }
        }
        return Judgement(
            fault: nil, document: document, payload: kind, stated: stated,
            findings: judging.finish())
    }
}

extension Judging {
    /// Judges what a schema cannot say, kind by kind.
    mutating func judgeContent(of kind: PayloadKind) {
        guard case .message(let kind) = kind else { return }
        kind.model.judge(&self)
    }

    /// Judges a built-in feature: what is common to all of them, then its own rules.
    mutating func judgeFeature() {
        guard let interactive = root["interactiveData"], let data = interactive["data"],
            let feature = Feature.first(of: data)
        else { return }
        let model = feature.kind.model
        judgeSize(of: interactive, model)
        judgeCapability(feature.value, model, data: data)
        judgePictures(of: interactive, data: data)
        model.feature?.judge(&self, feature.value)
    }
}
