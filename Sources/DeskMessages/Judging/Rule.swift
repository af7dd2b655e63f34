public import DeskModel

/// Names one rule; the raw value is its id in findings and the name of its page in docs/rules.
public enum Rule: String, Sendable, CaseIterable {
    // What a schema says.
    case missingKey = "missing-key"
    case unknownKey = "unknown-key"
    case oldSpelling = "old-spelling"
    case memberAdvised = "member-advised"
    case valueIgnored = "value-ignored"
    case wrongType = "wrong-type"
    case numberAsText = "number-as-text"
    case wrongValue = "wrong-value"
    case wrongForm = "wrong-form"
    case tooLong = "too-long"
    case tooShort = "too-short"
    case identifierEmpty = "identifier-empty"
    case titleEmpty = "title-empty"
    case tooMany = "too-many"
    case tooFew = "too-few"
    case outOfRange = "out-of-range"
    case notUnique = "not-unique"
    case schemaMismatch = "schema-mismatch"

    // Type and envelope.
    case unknownType = "unknown-type"
    case closeOutbound = "close-outbound"
    case businessForm = "business-form"
    case businessPrefix = "business-prefix"
    case customerForm = "customer-form"
    case envelopeDisagrees = "envelope-disagrees"
    case envelopeIncomplete = "envelope-incomplete"
    case localeForm = "locale-form"
    case schemaNamed = "schema-named"

    // Text and attachments.
    case textEmpty = "text-empty"
    case placeholderCount = "placeholder-count"
    case attachmentTooLarge = "attachment-too-large"
    case attachmentLost = "attachment-lost"
    case mediaType = "media-type"
    case controlCharacter = "control-character"
    case hexAsBase64 = "hex-as-base64"

    // Interactive messages of every kind.
    case featureMissing = "feature-missing"
    case featureAmbiguous = "feature-ambiguous"
    case dataAndReference = "data-and-reference"
    case bidForm = "bid-form"
    case capabilityMissing = "capability-missing"
    case identifierTwice = "identifier-twice"
    case referenceBoundary = "reference-boundary"
    case referenceExpected = "reference-expected"
    case selectionDisagrees = "selection-disagrees"

    // Pictures and links.
    case pictureUnknown = "picture-unknown"
    case pictureIdentifierEmpty = "picture-identifier-empty"
    case pictureNotBase64 = "picture-not-base64"
    case pictureUnreadable = "picture-unreadable"
    case pictureTooLarge = "picture-too-large"
    case pictureTypeDiffers = "picture-type-differs"
    case linkScheme = "link-scheme"
    case linkEncodedTwice = "link-encoded-twice"

    // One kind each.
    case quickReplyCount = "quick-reply-count"
    case slotNotUTC = "slot-not-utc"
    case slotWithoutOffset = "slot-without-offset"
    case slotsOverlap = "slots-overlap"
    case slotPast = "slot-past"
    case paymentTotalNotPositive = "payment-total-not-positive"
    case paymentTotalDiffers = "payment-total-differs"
    case paymentMinorUnits = "payment-minor-units"
    case paymentWithout3DS = "payment-without-3ds"
    case paymentEndpointNotHTTPS = "payment-endpoint-not-https"
    case paymentGatewayMismatch = "payment-gateway-mismatch"
    case networkUnknown = "network-unknown"
    case signInKeyForm = "sign-in-key-form"
    case signInRedirectNotHTTPS = "sign-in-redirect-not-https"
    case appWithData = "app-with-data"
    case appURLTooLong = "app-url-too-long"
    case formPageUnknown = "form-page-unknown"
    case formPageUnreachable = "form-page-unreachable"
    case formWithoutEnd = "form-without-end"
    case formBranchIgnored = "form-branch-ignored"
    case formDateForm = "form-date-form"
    case formDatesCrossed = "form-dates-crossed"
    case formIndexOutside = "form-index-outside"
    case invitationLogo = "invitation-logo"
    case invitationLogoMissing = "invitation-logo-missing"

    /// The id in findings, in docs and on the command line.
    public var id: String { rawValue }

    /// Where the rule's page is served.
    public var docs: String { "/docs/rules/\(rawValue)" }

    /// What the rule is about, in a few words.
    public var title: String { RuleTable.row(of: self).title }

    /// How grave a breach is, from the one table of severities; nil where the rule is off.
    public func severity(_ profile: Profile, _ mode: Mode) -> Severity? {
        RuleTable.row(of: self)[profile, mode]
    }
}
