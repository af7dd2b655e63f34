import DeskModel

/// The operations that a business can have wait for a second person's approval.
///
/// What removes rights is none of them: removing a member, ending a key, disabling an endpoint must not wait.
enum GuardedOperation: String, CaseIterable, Sendable {
    case exportTable
    case eraseMessage, eraseConversation, eraseContact, setRetention, removeRetention
    case releaseConversationHold, releaseContactHold, releaseBusinessHold
    case inviteMember, changeMember, changeBusiness
    case makeKey, replaceKey, confirmKeyGrant, makeWidgetSecret
    case makeWebhook, changeWebhook, renewWebhookSecret, enableWebhook
    case putRegistration, renewRegistrationSecret, putUpstream, putWhatsApp
    case setApprovalRules

    /// What a business chooses to guard it.
    var area: ApprovalArea {
        switch self {
        case .exportTable: .exports
        case .eraseMessage, .eraseConversation, .eraseContact, .setRetention, .removeRetention,
            .releaseConversationHold, .releaseContactHold, .releaseBusinessHold:
            .erasures
        case .inviteMember, .changeMember, .changeBusiness: .members
        case .makeKey, .replaceKey, .confirmKeyGrant, .makeWidgetSecret: .keys
        case .makeWebhook, .changeWebhook, .renewWebhookSecret, .enableWebhook,
            .putRegistration, .renewRegistrationSecret, .putUpstream, .putWhatsApp:
            .connections
        case .setApprovalRules: .approvals
        }
    }

    /// Whether one that broke off can be repeated with the same approval: it reads, or erases what is erased already.
    ///
    /// A setting is none of them: what another owner has set back meanwhile would be set again.
    var repeats: Bool {
        switch self {
        case .exportTable, .eraseMessage, .eraseConversation, .eraseContact: true
        case .setRetention, .removeRetention, .releaseConversationHold, .releaseContactHold,
            .releaseBusinessHold, .inviteMember, .changeMember, .changeBusiness,
            .makeKey, .replaceKey, .confirmKeyGrant, .makeWidgetSecret, .makeWebhook,
            .changeWebhook, .renewWebhookSecret, .enableWebhook, .putRegistration,
            .renewRegistrationSecret, .putUpstream, .putWhatsApp, .setApprovalRules:
            false
        }
    }

    /// The members of a body that a second person is shown; secrets are none of them.
    var shown: [String] {
        switch self {
        case .exportTable, .eraseMessage, .eraseConversation, .eraseContact, .removeRetention,
            .releaseConversationHold, .releaseContactHold, .releaseBusinessHold, .confirmKeyGrant,
            .makeWidgetSecret, .enableWebhook, .renewRegistrationSecret:
            []
        case .setRetention: ["days"]
        case .inviteMember: ["email", "role", "language"]
        case .changeMember: ["role"]
        case .changeBusiness: ["requiresSecondFactor"]
        case .makeKey: ["name", "businesses", "scopes", "addresses", "expiresAt", "expiresInDays"]
        case .replaceKey: ["overlapSeconds", "expiresAt", "expiresInDays"]
        case .makeWebhook, .changeWebhook:
            ["url", "description", "types", "filter", "payload", "order", "concurrency", "signing"]
        case .renewWebhookSecret: ["overlapHours"]
        case .putRegistration: ["endpoint", "mspId", "settings"]
        case .putUpstream: ["baseUrl", "mspId", "settings"]
        case .putWhatsApp: ["phoneNumberId", "accountId", "graphUrl", "marksRead"]
        case .setApprovalRules: ["areas"]
        }
    }

    /// What members of a body are where they are left out, as JSON, where that says what the request does.
    var defaults: [(name: String, json: String)] {
        switch self {
        case .inviteMember: [("role", #""agent""#)]
        case .makeKey:
            [
                (
                    "scopes",
                    "[" + KeyScopes.usual.names.map { "\"\($0)\"" }.joined(separator: ",") + "]"
                )
            ]
        case .makeWebhook: [("types", "[]")]
        default: []
        }
    }
}
