import DeskBytes
import DeskDiagnosis
import DeskJSON
public import DeskModel

/// Findings as SARIF 2.1.0, the format of code scanning; written piece by piece.
public struct SARIFLog: Sendable {
    private let rules: [String]
    private let places: [String: Int]
    private let version: String
    private let profile: Profile
    private let mode: Mode

    /// Describes the tool, and each rule with its severity in a profile and a kind of business.
    public init(version: String, profile: Profile, mode: Mode = .live) {
        rules = [LintRemark.malformedJSON] + Rule.allCases.map(\.id)
        places = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
        self.version = version
        self.profile = profile
        self.mode = mode
    }

    /// The text before the first result.
    public var head: [UInt8] {
        let driver: JSON = [
            "name": "frontdesk lint", "version": .string(version),
            "rules": .array(rules.map(descriptor)),
        ]
        var out = Array(
            #"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","#.utf8)
        out += #""runs":[{"tool":{"driver":"#.utf8
        driver.append(to: &out)
        out += #"},"columnKind":"unicodeCodePoints","results":["#.utf8
        return out
    }

    /// The text after the last result.
    public var tail: [UInt8] { Array("]}]}\n".utf8) }

    /// The results of one file with commas between them; empty when there are none.
    public func results(of judgement: Judgement, in text: [UInt8], file: String) -> [UInt8] {
        var out: [UInt8] = []
        let remarks = judgement.remarks(in: text)
        for (place, remark) in remarks.enumerated() {
            if !out.isEmpty { out.append(UInt8(ascii: ",")) }
            out.append(0x0A)
            let edits = judgement.fault == nil ? judgement.findings[place].edits : []
            result(remark, edits, uri: Self.uri(file)).append(to: &out)
        }
        return out
    }

    private func descriptor(_ rule: String) -> JSON {
        let title = Rule(rawValue: rule)?.title ?? LintRemark.malformedTitle
        let severity = Rule(rawValue: rule).map { $0.severity(profile, mode) } ?? .error
        return [
            "id": .string(rule), "shortDescription": ["text": .string(title)],
            "help": ["text": .string("frontdesk explain \(rule)")],
            "defaultConfiguration": ["level": .string(severity.map(Self.level) ?? "none")],
        ]
    }

    private func result(_ remark: LintRemark, _ edits: [Edit], uri: String) -> JSON {
        let place = remark.place
        let artifact: JSON = ["uri": .string(uri)]
        var location: JSON = [
            "physicalLocation": [
                "artifactLocation": artifact,
                "region": [
                    "startLine": .integer(place.line), "startColumn": .integer(place.column),
                    "endLine": .integer(place.endLine), "endColumn": .integer(place.endColumn),
                    "byteOffset": .integer(place.range.lowerBound),
                    "byteLength": .integer(place.range.count),
                ],
            ]
        ]
        if !remark.pointer.isEmpty {
            location.add(
                "logicalLocations", [["fullyQualifiedName": .string(remark.pointer)]])
        }
        let message = remark.fix.isEmpty ? remark.sentence : "\(remark.sentence) \(remark.fix)"
        var result: JSON = [
            "ruleId": .string(remark.rule), "ruleIndex": .integer(places[remark.rule] ?? 0),
            "level": .string(Self.level(remark.severity)), "message": ["text": .string(message)],
            "locations": [location],
        ]
        if !edits.isEmpty {
            result.add("fixes", [fix(edits, remark.fix, artifact)])
        }
        return result
    }

    private func fix(_ edits: [Edit], _ words: String, _ artifact: JSON) -> JSON {
        [
            "description": ["text": .string(words)],
            "artifactChanges": [
                [
                    "artifactLocation": artifact,
                    "replacements": .array(
                        edits.map { edit in
                            [
                                "deletedRegion": [
                                    "byteOffset": .integer(edit.start),
                                    "byteLength": .integer(edit.end - edit.start),
                                ],
                                "insertedContent": ["text": .string(edit.replacement)],
                            ]
                        }),
                ]
            ],
        ]
    }

    private static func level(_ severity: Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    /// A path as a URI reference, RFC 3986; one that begins with a slash is a file's address.
    static func uri(_ path: String) -> String {
        (path.hasPrefix("/") ? "file://" : "") + PercentCoding.encode(path, keeping: "/")
    }
}
