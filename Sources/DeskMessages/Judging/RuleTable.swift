public import DeskModel

/// The one table of severities: rule, profile, and whether the business is live.
public enum RuleTable {
    /// One rule's line.
    public struct Row: Sendable {
        /// The rule.
        public let rule: Rule
        /// What it is about, in a few words.
        public let title: String
        private let live: (strict: Severity?, lenient: Severity?)
        private let test: (strict: Severity?, lenient: Severity?)

        fileprivate init(_ rule: Rule, _ title: String, _ strict: Severity?, _ lenient: Severity?) {
            self.init(rule, title, live: (strict, lenient), test: (strict, lenient))
        }

        fileprivate init(
            _ rule: Rule, _ title: String, live: (Severity?, Severity?),
            test: (Severity?, Severity?)
        ) {
            self.rule = rule
            self.title = title
            self.live = live
            self.test = test
        }

        /// The severity; nil where the rule is off.
        public subscript(profile: Profile, world: World) -> Severity? {
            let pair = world == .live ? live : test
            return profile == .strict ? pair.strict : pair.lenient
        }
    }

    /// Rules that belong together.
    public struct Group: Sendable {
        /// What they have in common.
        public let heading: String
        /// Their lines.
        public let rows: [Row]
    }

    /// The table, in the order of the docs.
    public static let groups: [Group] = [
        Group(
            heading: "What a schema says",
            rows: [
                Row(.missingKey, "A required key is missing", .error, .error),
                Row(.unknownKey, "A key that the protocol does not have", .error, .warning),
                Row(.oldSpelling, "A name of 2017 to 2020", .error, .warning),
                Row(.wrongType, "The wrong kind of JSON value", .error, .error),
                Row(.numberAsText, "A number in quotation marks", .error, .warning),
                Row(.wrongValue, "None of the values allowed here", .error, .error),
                Row(.wrongForm, "A text that does not have the form it needs", .error, .error),
                Row(.tooLong, "A text is longer than the device shows", .error, .warning),
                Row(.tooShort, "A text is empty or too short", .error, .error),
                Row(.tooMany, "More entries than allowed", .error, .error),
                Row(.tooFew, "Fewer entries than needed", .error, .error),
                Row(.outOfRange, "A number outside its range", .error, .error),
                Row(.notUnique, "An entry occurs twice", .error, .warning),
                Row(
                    .schemaMismatch, "The value matches none of the shapes allowed", .error, .error),
            ]),
        Group(
            heading: "Type and envelope",
            rows: [
                Row(.unknownType, "No such type of message", .error, .error),
                Row(.closeOutbound, "Only a customer can close", .error, .error),
                Row(.businessForm, "Not the name of a business", .error, .warning),
                Row(.customerForm, "Not the name of a customer", .error, .error),
                Row(
                    .envelopeDisagrees, "The envelope says something else than the request", .error,
                    .error),
                Row(.envelopeIncomplete, "The envelope must be complete here", .error, .error),
                Row(.schemaNamed, "The message names its schema", .warning, .warning),
            ]),
        Group(
            heading: "Text and attachments",
            rows: [
                Row(.textEmpty, "A text without text", .error, .warning),
                Row(.textTooLong, "The text is too long", .error, .error),
                Row(.placeholderCount, "U+FFFC and attachments do not match", .warning, .warning),
                Row(.attachmentTooLarge, "An attachment over 100 MB", .error, .error),
                Row(.controlCharacter, "A character that nobody can see", .error, .warning),
                Row(.hexAsBase64, "Hexadecimal digits where base64 belongs", .error, .warning),
            ]),
        Group(
            heading: "Interactive messages",
            rows: [
                Row(.featureMissing, "An interactive message without a feature", .error, .error),
                Row(.featureAmbiguous, "Several features in one message", .error, .error),
                Row(.dataAndReference, "Data and reference at once", .error, .warning),
                Row(.bidForm, "Not the identifier of an extension", .error, .error),
                Row(.capabilityMissing, "The customer's devices cannot show this", .error, .error),
                Row(.identifierTwice, "An identifier occurs twice", .error, .warning),
                Row(
                    .referenceBoundary, "Over 10 KB where no reference is taken", .error, .warning),
                Row(.referenceExpected, "The answer will come by reference", .info, .info),
                Row(
                    .selectionDisagrees, "Index and identifier name different answers", .error,
                    .warning),
            ]),
        Group(
            heading: "Pictures and links",
            rows: [
                Row(.pictureUnknown, "A picture that is not there", .error, .warning),
                Row(.pictureIdentifierEmpty, "An empty picture identifier", .error, .warning),
                Row(.pictureNotBase64, "A picture that is not base64", .error, .warning),
                Row(.pictureUnreadable, "Not a picture", .error, .warning),
                Row(.pictureTooLarge, "The picture is too large", .error, .warning),
                Row(.pictureTypeDiffers, "The media type is not the picture's", .error, .warning),
                Row(.linkScheme, "A link that devices do not open", .error, .warning),
                Row(.linkEncodedTwice, "A link that was percent-encoded twice", .warning, .warning),
            ]),
        Group(
            heading: "Kinds",
            rows: [
                Row(.quickReplyCount, "Two to five answers", .error, .error),
                Row(.slotNotUTC, "A time that is not in UTC", .error, .error),
                Row(.slotsOverlap, "Slots overlap", .error, .warning),
                Row(.slotPast, "A slot in the past", .warning, .warning),
                Row(.paymentTotalNotPositive, "Nothing to pay", .error, .error),
                Row(
                    .paymentTotalDiffers, "The total is not the sum of its lines", .warning,
                    .warning),
                Row(.paymentMinorUnits, "Decimals in a currency without any", .warning, nil),
                Row(.paymentWithout3DS, "supports3DS is missing", .error, .error),
                Row(
                    .paymentEndpointNotHTTPS, "A payment endpoint without encryption",
                    live: (.error, .error),
                    test: (.warning, .warning)),
                Row(.networkUnknown, "No known card network", .error, .warning),
                Row(.appWithData, "An app message carries no data", .error, .error),
                Row(.appURLTooLong, "The URL of an app message is too long", .error, .error),
                Row(.formPageUnknown, "A page that does not exist", .error, .error),
                Row(.formPageUnreachable, "A page that no other leads to", .error, .warning),
                Row(.formWithoutEnd, "A form that never ends", .error, .error),
                Row(
                    .formBranchIgnored, "A branch that several answers cannot take", .error,
                    .warning),
                Row(.formDateForm, "A date that is not in dateFormat", .error, .warning),
                Row(.formDatesCrossed, "Dates that leave nothing to choose", .error, .warning),
                Row(.formIndexOutside, "An index beyond the items", .error, .warning),
                Row(.invitationLogo, "A logo with a template without picture", .error, .warning),
                Row(
                    .invitationLogoMissing, "A template with picture without a logo", .error,
                    .warning),
            ]),
    ]

    /// A rule's line.
    static func row(of rule: Rule) -> Row {
        guard let row = rows[rule] else { preconditionFailure("no line for \(rule.id)") }
        return row
    }

    private static let rows = Dictionary(
        uniqueKeysWithValues: groups.flatMap(\.rows).map { ($0.rule, $0) })
}
