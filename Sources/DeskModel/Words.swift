/// Which way a message travels, seen from the business.
public enum Direction: String, Sendable, CaseIterable {
    /// From the customer to the business.
    case inbound
    /// From the business to the customer.
    case outbound
}

/// Whether a business serves people or tries things out; nothing crosses between the two.
public enum Mode: String, Sendable, CaseIterable {
    /// Real customers.
    case live
    /// The sandbox.
    case test

    /// What flags, settings files and archives called the mode before; still read, no longer written.
    public static let earlierName = "world"
}

/// What a message is, whichever way it travels; an answer has the kind of what it answers.
public enum MessageKind: String, Sendable, CaseIterable {
    /// Words, attachments, or both.
    case text
    /// Up to a handful of answers to tap.
    case quickReply
    /// Rows in sections, one or several to choose.
    case list
    /// Slots in time, one to choose.
    case time
    /// A request for money and its outcome.
    case payment
    /// A link into an app extension and its answer.
    case app
    /// A page with a title and a picture.
    case richLink
    /// Pages of questions.
    case form
    /// A request to sign in.
    case authentication
    /// A request to talk, made from elsewhere.
    case invitation
    /// An interactive payload that travels beside the message.
    case reference
    /// Another interactive message that the protocol allows.
    case interactive
}

/// What agents did with a conversation; apart from whether the customer has left.
public enum ConversationState: String, Sendable, CaseIterable {
    /// An agent should answer.
    case open
    /// Waits for something outside.
    case pending
    /// Sleeps until a stated time or the customer's next message.
    case snoozed
    /// Done; the customer's next message opens it again.
    case closed
}

/// Where a message entered the server.
public enum Origin: String, Sendable, CaseIterable {
    /// An agent's console.
    case console
    /// The sandbox page.
    case sandbox
    /// An integration's call.
    case api
    /// A provider behind our gateway.
    case gateway
    /// The customer's phone page.
    case phone
    /// An upstream gateway.
    case upstream
    /// The scripted customer or a seed file.
    case script
    /// The server itself: an automatic answer.
    case server
}

/// Who wrote or did something.
public enum Author: Hashable, Sendable {
    /// A person at the console.
    case agent(AgentID)
    /// An integration.
    case key(KeyID)
    /// The customer, on the device that its client-made name identifies.
    case customer(device: String)
    /// A provider or upstream by its registered name.
    case provider(String)
    /// A script by its name.
    case script(String)
    /// The operator, by a command on the server's machine; only of what is registered.
    case command
    /// The server itself, such as a snooze that ends.
    case server
    /// A rule of the business.
    case rule(RuleMark)

    /// The kind as written in JSON and the store.
    public var kind: String {
        switch self {
        case .agent: "agent"
        case .key: "key"
        case .customer: "customer"
        case .provider: "provider"
        case .script: "script"
        case .command: "command"
        case .server: "server"
        case .rule: "rule"
        }
    }

    /// The name within the kind; empty for the operator and the server.
    public var name: String {
        switch self {
        case .agent(let id): id.text
        case .key(let id): id.text
        case .customer(let device): device
        case .provider(let name), .script(let name): name
        case .command, .server: ""
        case .rule(let mark): mark.text
        }
    }

    /// Whether the server or a rule is the author: what these send ends no waiting and is no agent's answer.
    public var isByItself: Bool {
        switch self {
        case .server, .rule: true
        case .agent, .key, .customer, .provider, .script, .command: false
        }
    }

    /// The kinds of the authors that are by themselves, as stores hold them.
    public static let kindsByThemselves = ["server", earlierServerKind, "rule"]

    /// What earlier stores and archives hold for the server.
    private static let earlierServerKind = "house"

    /// Reads what `kind` and `name` wrote; nil for an unknown kind or a broken id.
    public init?(kind: String, name: String) {
        switch kind == Self.earlierServerKind ? "server" : kind {
        case "agent":
            guard let id = AgentID(name) else { return nil }
            self = .agent(id)
        case "key":
            guard let id = KeyID(name) else { return nil }
            self = .key(id)
        case "customer": self = .customer(device: name)
        case "provider": self = .provider(name)
        case "script": self = .script(name)
        case "command": self = .command
        case "server": self = .server
        case "rule":
            guard let mark = RuleMark(text: name) else { return nil }
            self = .rule(mark)
        default: return nil
        }
    }
}
