import DeskModel

extension RuleTable {
    /// The table, in the order of the docs.
    public static let groups: [Group] = [
        schemaGroup, envelopeGroup, textGroup, interactiveGroup,
        pictureGroup, kindGroup,
    ]

    private static let schemaGroup = Group(
        heading: "What a schema says",
        rows: [
            Row(
                .missingKey, "A required key is missing", .error, .error,
                .refuses, "documented: 400 where a required field is missing"),
            Row(
                .unknownKey, "A key that the protocol does not have", .warning, .warning,
                .ignores, "running clients and captures carry such keys"),
            Row(
                .oldSpelling, "A name of 2016 to 2020", .warning, .warning,
                .accepts, "documented until 2020; clients that still write them run"),
            Row(
                .memberAdvised, "A member that is better stated", .warning, .warning,
                .accepts, "samples and captures lack such members"),
            Row(
                .valueIgnored, "A value without effect", .warning, .warning,
                .ignores, "running clients write such values"),
            Row(
                .wrongType, "The wrong kind of JSON value", .error, .error,
                .refuses, "documented: 400 where the body is malformed"),
            Row(
                .numberAsText, "A number in quotation marks", .warning, .warning,
                .accepts, "captures and running clients"),
            Row(
                .wrongValue, "None of the values allowed here", .error, .error,
                .unknown,
                "the values are documented; those known to be accepted besides have rules of their own"
            ),
            Row(
                .wrongForm, "A text that does not have the form it needs", .error, .error,
                .unknown,
                "the forms are documented; those known to be accepted besides have rules of their own"
            ),
            Row(
                .tooLong, "A text is longer than the device shows", .warning, .warning,
                .ignores,
                "512 characters in two vendors' documentation, no refusal was seen; the device cuts"
            ),
            Row(
                .tooShort, "A text is empty or too short", .error, .error,
                .unknown, "an empty required text says no more than a missing one"),
            Row(
                .identifierEmpty, "An empty identifier", .warning, .warning,
                .accepts, "one running client"),
            Row(
                .titleEmpty, "A text that people read is empty", .warning, .warning,
                .unknown, "no refusal was seen"),
            Row(
                .tooMany, "More entries than a device shows well", .warning, .warning,
                .accepts, "no maximum is published; the numbers are Frontdesk's"),
            Row(
                .tooFew, "Fewer entries than needed", .error, .error,
                .refuses, "documented: at least one"),
            Row(
                .outOfRange, "A number outside its range", .error, .warning,
                .unknown, "the meaning of the numbers"),
            Row(
                .notUnique, "An entry occurs twice", .warning, .warning,
                .accepts, "no refusal was seen"),
            Row(
                .schemaMismatch, "The value matches none of the shapes allowed", .error, .error,
                .unknown, "only what no other rule can word"),
        ])

    private static let envelopeGroup = Group(
        heading: "Type and envelope",
        rows: [
            Row(
                .unknownType, "No such type of message", .error, .error,
                .refuses, "documented: the five types of each direction"),
            Row(
                .closeOutbound, "Only a customer can close", .error, .error,
                .refuses, "documented: close comes from the customer alone"),
            Row(
                .businessForm, "Not the name of a business", .error, .warning,
                .unknown, "captures show UUIDs only"),
            Row(
                .businessPrefix, "urn:biz: before the business's name", .warning, .warning,
                .accepts, "links and buttons write it; messages of 2017 do"),
            Row(
                .customerForm, "Not the name of a customer", .error, .error,
                .refuses, "documented: 404 where the destination is not recognised"),
            Row(
                .envelopeDisagrees, "The envelope says something else than the request", .error,
                .error,
                .unknown, "documented: headers repeat the members; Frontdesk decides"),
            Row(
                .envelopeIncomplete, "The envelope must be complete here", .error, .error,
                .refuses, "documented: 400 where a required field is missing"),
            Row(
                .localeForm, "Not the name of a language", .warning, .warning,
                .ignores, "it is for routing only"),
            Row(
                .schemaNamed, "The message names its schema", .warning, .warning,
                .ignores, "as any key that the protocol does not have"),
        ])

    private static let textGroup = Group(
        heading: "Text and attachments",
        rows: [
            Row(
                .textEmpty, "A text without text", .error, .warning,
                .unknown, "body is required; no refusal of an empty one was seen"),
            Row(
                .placeholderCount, "U+FFFC and attachments do not match", .warning, .warning,
                .ignores, "documented: surplus ones are ignored"),
            Row(
                .attachmentTooLarge, "An attachment over 100 MB", .error, .error,
                .refuses, "documented limit"),
            Row(
                .attachmentLost, "A file that cannot be fetched", .warning, .warning,
                .accepts, "customers' messages keep their text when a file is lost"),
            Row(
                .mediaType, "Not a media type", .warning, .warning,
                .accepts, "documented: no message is refused for its media type"),
            Row(
                .controlCharacter, "A character that cannot be seen", .warning, .warning,
                .accepts, "no refusal was seen"),
            Row(
                .hexAsBase64, "Hexadecimal digits where base64 belongs", .error, .warning,
                .fails, "documented: decoding never fails, so the file is not found"),
        ])

    private static let interactiveGroup = Group(
        heading: "Interactive messages",
        rows: [
            Row(
                .featureMissing, "An interactive message without a feature", .error, .error,
                .refuses, "production clients: quickReply and timePicker are refused"),
            Row(
                .featureAmbiguous, "Several features in one message", .error, .error,
                .unknown, "documented: one feature"),
            Row(
                .dataAndReference, "Data and reference at once", .error, .warning,
                .unknown, "documented: one of the two; customers' forms may carry both"),
            Row(
                .bidForm, "Not the identifier of an extension", .error, .error,
                .refuses, "documented: the two forms of a bid"),
            Row(
                .capabilityMissing, "The customer's devices cannot show this", .error, .error,
                .unknown, "documented: a business must not send what the device lacks"),
            Row(
                .identifierTwice, "An identifier occurs twice", .warning, .warning,
                .accepts, "captures"),
            Row(
                .referenceBoundary, "Over 10 KB where no reference is accepted", .error, .warning,
                .none, "the caller that asks for it has no way for references"),
            Row(
                .referenceExpected, "The answer will come by reference", .info, .info,
                .accepts, "documented: over 10 KB answers come by reference"),
            Row(
                .selectionDisagrees, "Index and identifier name different answers", .warning,
                .warning,
                .accepts, "the device sends it"),
        ])

    private static let pictureGroup = Group(
        heading: "Pictures and links",
        rows: [
            Row(
                .pictureUnknown, "A picture that is not there", .warning, .warning,
                .ignores, "one running client"),
            Row(
                .pictureIdentifierEmpty, "An empty picture identifier", .warning, .warning,
                .ignores, "captures"),
            Row(
                .pictureNotBase64, "A picture that is not base64", .error, .warning,
                .unknown, "documented: base64"),
            Row(
                .pictureUnreadable, "Not a picture that is known here", .warning, .warning,
                .unknown, "devices read more formats than are documented"),
            Row(
                .pictureTooLarge, "The picture is too large", .error, .warning,
                .unknown, "documented: 200 kB for a link; no refusal was seen"),
            Row(
                .pictureTypeDiffers, "The media type is not the picture's", .warning, .warning,
                .accepts, "documented: no message is refused for its media type"),
            Row(
                .linkScheme, "A link that devices do not open", .error, .warning,
                .ignores, "documented: schemes of apps do not work"),
            Row(
                .linkEncodedTwice, "A link that was percent-encoded twice", .warning, .warning,
                .accepts, "documented: the largest class of support tickets"),
        ])

    private static let kindGroup = Group(
        heading: "Kinds",
        rows: [
            Row(
                .quickReplyCount, "Two to five answers", .error, .error,
                .refuses, "documented; a production client checks it"),
            Row(
                .slotNotUTC, "A time that is not in UTC", .warning, .warning,
                .accepts, "one running client"),
            Row(
                .slotWithoutOffset, "A time that does not say where", .error, .warning,
                .unknown, "documented: UTC; which hour is meant is not known"),
            Row(
                .slotsOverlap, "Slots overlap", .warning, .warning,
                .accepts, "nothing forbids it; two people may be free at once"),
            Row(
                .slotPast, "A slot in the past", .warning, .warning,
                .ignores, "one vendor: the device does not show it"),
            Row(
                .paymentTotalNotPositive, "Nothing to pay", .error, .error,
                .refuses, "documented: more than zero"),
            Row(
                .paymentTotalDiffers, "The total is not the sum of its lines", .warning, .warning,
                .accepts, "nothing compares them"),
            Row(
                .paymentMinorUnits, "More decimals than the currency has", .warning, .warning,
                .accepts, "nothing forbids it"),
            Row(
                .paymentWithout3DS, "supports3DS is missing", .warning, .warning,
                .accepts, "one running client"),
            Row(
                .paymentEndpointNotHTTPS, "A payment endpoint without encryption",
                live: (.error, .error), test: (.warning, .warning),
                .refuses, "documented: https"),
            Row(
                .paymentGatewayMismatch, "The payment goes to another host", .error, .error,
                .refuses, "one production client: payment gateway url mismatch"),
            Row(
                .networkUnknown, "No known card network", .warning, .warning,
                .ignores, "the list grows; a network that the device lacks is not offered"),
            Row(
                .signInKeyForm, "Not the key of a sign-in", .error, .warning,
                .fails, "captures: the device answers that it failed to make a key"),
            Row(
                .signInRedirectNotHTTPS, "A page that gets a code without encryption",
                live: (.error, .error), test: (.warning, .warning),
                .refuses, "documented: https"),
            Row(
                .appWithData, "An app message carries no data", .error, .error,
                .refuses, "captured: 400, third party interactive data disallows use of 'data'"),
            Row(
                .appURLTooLong, "The URL of an app message is too long", .error, .error,
                .refuses, "one client's limit of 64 KB"),
            Row(
                .formPageUnknown, "A page that does not exist", .error, .warning,
                .fails, "the form ends where the page should be"),
            Row(
                .formPageUnreachable, "A page that no other leads to", .warning, .warning,
                .ignores, "no path leads to it"),
            Row(
                .formWithoutEnd, "A form that never ends", .error, .warning,
                .fails, "its answers cannot be sent"),
            Row(
                .formBranchIgnored, "A branch that several answers cannot follow", .warning,
                .warning,
                .ignores, "one vendor: only where one answer is chosen"),
            Row(
                .formDateForm, "A date that is not in dateFormat", .warning, .warning,
                .accepts, "one running client writes times behind its dates"),
            Row(
                .formDatesCrossed, "Dates that leave nothing to choose", .error, .warning,
                .fails, "there is no day to choose"),
            Row(
                .formIndexOutside, "An index beyond the items", .warning, .warning,
                .ignores, "there is no such item"),
            Row(
                .invitationLogo, "A logo with a template without picture", .error, .warning,
                .unknown, "one client: it must be left out"),
            Row(
                .invitationLogoMissing, "A template with picture without a logo", .error, .warning,
                .unknown, "the template's picture is the logo"),
        ])
}
