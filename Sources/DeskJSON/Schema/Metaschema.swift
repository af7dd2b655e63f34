/// The metaschemas of draft 2020-12, so that schemas can be validated and referenced offline.
enum Metaschema {
    /// Each with the URI it is known by.
    static let documents: [(uri: String, text: String)] = [
        (Dialect.metaschema, whole),
        (root + "core", core),
        (root + "applicator", applicator),
        (root + "unevaluated", unevaluated),
        (root + "validation", validation),
        (root + "meta-data", metaData),
        (root + "format-annotation", format("format-annotation")),
        (root + "format-assertion", format("format-assertion")),
        (root + "content", content),
    ]

    private static let root = "https://json-schema.org/draft/2020-12/meta/"

    /// The members that every metaschema starts with.
    private static func head(_ uri: String, _ vocabularies: [(String, Bool)]) -> String {
        let list = vocabularies.map { "\"\(Dialect.vocabularyRoot)\($0.0)\": \($0.1)" }
        return """
            "$schema": "\(Dialect.metaschema)", "$id": "\(uri)", "$dynamicAnchor": "meta",
            "type": ["object", "boolean"], "$vocabulary": {\(list.joined(separator: ", "))}
            """
    }

    private static let whole = """
        {\(head(Dialect.metaschema, [
            ("core", true), ("applicator", true), ("unevaluated", true), ("validation", true),
            ("meta-data", true), ("format-annotation", true), ("content", true),
        ])),
        "allOf": [
            {"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/unevaluated"},
            {"$ref": "meta/validation"}, {"$ref": "meta/meta-data"},
            {"$ref": "meta/format-annotation"}, {"$ref": "meta/content"}
        ],
        "properties": {
            "definitions": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}},
            "dependencies": {
                "type": "object",
                "additionalProperties": {
                    "anyOf": [
                        {"$dynamicRef": "#meta"},
                        {"$ref": "meta/validation#/$defs/stringArray"}
                    ]
                }
            },
            "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString"},
            "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString"}
        }}
        """

    private static let core = """
        {\(head(root + "core", [("core", true)])),
        "properties": {
            "$id": {"$ref": "#/$defs/uriReferenceString", "pattern": "^[^#]*#?$"},
            "$schema": {"$ref": "#/$defs/uriString"},
            "$ref": {"$ref": "#/$defs/uriReferenceString"},
            "$anchor": {"$ref": "#/$defs/anchorString"},
            "$dynamicRef": {"$ref": "#/$defs/uriReferenceString"},
            "$dynamicAnchor": {"$ref": "#/$defs/anchorString"},
            "$vocabulary": {
                "type": "object", "propertyNames": {"$ref": "#/$defs/uriString"},
                "additionalProperties": {"type": "boolean"}
            },
            "$comment": {"type": "string"},
            "$defs": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}}
        },
        "$defs": {
            "anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
            "uriString": {"type": "string", "format": "uri"},
            "uriReferenceString": {"type": "string", "format": "uri-reference"}
        }}
        """

    private static let applicator = """
        {\(head(root + "applicator", [("applicator", true)])),
        "properties": {
            "prefixItems": {"$ref": "#/$defs/schemaArray"},
            "items": {"$dynamicRef": "#meta"},
            "contains": {"$dynamicRef": "#meta"},
            "additionalProperties": {"$dynamicRef": "#meta"},
            "properties": {"$ref": "#/$defs/schemaObject"},
            "patternProperties": {
                "$ref": "#/$defs/schemaObject", "propertyNames": {"format": "regex"}
            },
            "dependentSchemas": {"$ref": "#/$defs/schemaObject"},
            "propertyNames": {"$dynamicRef": "#meta"},
            "if": {"$dynamicRef": "#meta"},
            "then": {"$dynamicRef": "#meta"},
            "else": {"$dynamicRef": "#meta"},
            "allOf": {"$ref": "#/$defs/schemaArray"},
            "anyOf": {"$ref": "#/$defs/schemaArray"},
            "oneOf": {"$ref": "#/$defs/schemaArray"},
            "not": {"$dynamicRef": "#meta"}
        },
        "$defs": {
            "schemaArray": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#meta"}},
            "schemaObject": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}}
        }}
        """

    private static let unevaluated = """
        {\(head(root + "unevaluated", [("unevaluated", true)])),
        "properties": {
            "unevaluatedItems": {"$dynamicRef": "#meta"},
            "unevaluatedProperties": {"$dynamicRef": "#meta"}
        }}
        """

    private static let validation = """
        {\(head(root + "validation", [("validation", true)])),
        "properties": {
            "type": {
                "anyOf": [
                    {"$ref": "#/$defs/simpleTypes"},
                    {
                        "type": "array", "items": {"$ref": "#/$defs/simpleTypes"},
                        "minItems": 1, "uniqueItems": true
                    }
                ]
            },
            "const": true,
            "enum": {"type": "array", "items": true},
            "multipleOf": {"type": "number", "exclusiveMinimum": 0},
            "maximum": {"type": "number"},
            "exclusiveMaximum": {"type": "number"},
            "minimum": {"type": "number"},
            "exclusiveMinimum": {"type": "number"},
            "maxLength": {"$ref": "#/$defs/count"},
            "minLength": {"$ref": "#/$defs/count"},
            "pattern": {"type": "string", "format": "regex"},
            "maxItems": {"$ref": "#/$defs/count"},
            "minItems": {"$ref": "#/$defs/count"},
            "uniqueItems": {"type": "boolean"},
            "maxContains": {"$ref": "#/$defs/count"},
            "minContains": {"$ref": "#/$defs/count"},
            "maxProperties": {"$ref": "#/$defs/count"},
            "minProperties": {"$ref": "#/$defs/count"},
            "required": {"$ref": "#/$defs/stringArray"},
            "dependentRequired": {
                "type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}
            }
        },
        "$defs": {
            "count": {"type": "integer", "minimum": 0},
            "simpleTypes": {
                "enum": ["array", "boolean", "integer", "null", "number", "object", "string"]
            },
            "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
        }}
        """

    private static let metaData = """
        {\(head(root + "meta-data", [("meta-data", true)])),
        "properties": {
            "title": {"type": "string"}, "description": {"type": "string"}, "default": true,
            "deprecated": {"type": "boolean"}, "readOnly": {"type": "boolean"},
            "writeOnly": {"type": "boolean"}, "examples": {"type": "array", "items": true}
        }}
        """

    private static func format(_ name: String) -> String {
        "{\(head(root + name, [(name, true)])), \"properties\": {\"format\": {\"type\": \"string\"}}}"
    }

    private static let content = """
        {\(head(root + "content", [("content", true)])),
        "properties": {
            "contentEncoding": {"type": "string"}, "contentMediaType": {"type": "string"},
            "contentSchema": {"$dynamicRef": "#meta"}
        }}
        """
}
