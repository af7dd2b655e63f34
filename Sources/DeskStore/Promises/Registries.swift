public import DeskModel

/// The businesses and their printable ways in.
public protocol BusinessRegistry: Sendable {
    /// Adds a business or replaces what may change of it but whether it requires a second factor.
    func save(_ business: Business, author: Author) async throws(StoreError)
    /// Changes a business as it is stored, and returns it; nil when there is none, and then nothing was stored.
    ///
    /// Order: of two callers both changes are made, in one order.
    ///
    /// - Parameter apply: changes what may change; an engine may call it several times.
    func changeBusiness(
        _ id: BusinessID, author: Author, _ apply: @escaping @Sendable (inout Business) -> Void
    ) async throws(StoreError) -> Business?
    /// Finds a business.
    func findBusiness(_ id: BusinessID) async throws(StoreError) -> Business?
    /// Lists all businesses, oldest first.
    func businesses() async throws(StoreError) -> [Business]
    /// Adds the businesses of a first start unless there is a sandbox's, and returns all, oldest first.
    ///
    /// `own` is left out where there is any business. One commit, and once: of several servers that
    /// start at the same time one adds them, and the others are given those.
    func beginBusinesses(
        _ own: Business, sandbox: Business
    ) async throws(StoreError) -> [Business]
    /// Adds or replaces an entry link.
    func save(_ link: EntryLink, author: Author) async throws(StoreError)
    /// Lists a business's entry links, oldest first; without the permanent one.
    func entryLinks(of business: BusinessID) async throws(StoreError) -> [EntryLink]
    /// Removes an entry link; returns whether there was one.
    func removeEntryLink(_ id: String, of business: BusinessID, author: Author)
        async throws(StoreError) -> Bool
}

/// The people who answer, and what they may do where.
public protocol AgentRegistry: Sendable {
    /// Adds an agent or replaces what may change.
    func save(_ agent: Agent, author: Author) async throws(StoreError)
    /// Gives an agent another name; false when there is no such agent.
    func rename(_ agent: AgentID, to name: String) async throws(StoreError) -> Bool
    /// Replaces an agent's password, and ends what was begun with the former one: sessions, links to a new one, known
    /// devices, and what the cause says.
    ///
    /// Order: one commit. False, and nothing changed, when the cause does not hold any more: another password by now, a
    /// link that is used up.
    func replacePassword(
        of agent: AgentID, by replacement: PasswordReplacement
    ) async throws(StoreError) -> Bool
    /// Adds the first agent, as owner of every business; false when there is an agent already.
    func addFirstOwner(_ agent: Agent) async throws(StoreError) -> Bool
    /// Finds an agent by name in the server.
    func findAgent(_ id: AgentID) async throws(StoreError) -> Agent?
    /// Lists the agents with an e-mail address, compared as bytes, oldest first.
    func agents(email: String) async throws(StoreError) -> [Agent]
    /// Lists a business's members, or with nil every agent of the server, oldest first.
    func agents(of business: BusinessID?) async throws(StoreError) -> [Agent]
    /// Lists an agent's memberships.
    func memberships(of agent: AgentID) async throws(StoreError) -> [Membership]
    /// Gives an agent a role in a business; removing it is a step of the log (`MemberChange`).
    func setRole(
        _ role: Role, of agent: AgentID, in business: BusinessID, author: Author
    ) async throws(StoreError)
}

/// The open invitations to join businesses.
public protocol InvitationRegistry: Sendable {
    /// Adds an invitation in place of the one that its address has to its business.
    ///
    /// - Parameter permitted: the roles that permit it, as the table of permissions has them.
    /// - Throws: `refused` when its maker has none of these in the business now, or invites an owner
    ///   and is none.
    func add(_ invitation: Invitation, permitted: Set<Role>) async throws(StoreError)
    /// Finds an invitation by the hash of its link's token, expired ones included.
    func findInvitation(_ token: Digest) async throws(StoreError) -> Invitation?
    /// Lists a business's invitations, oldest first, expired ones included until they are pruned.
    func invitations(of business: BusinessID) async throws(StoreError) -> [Invitation]
    /// Withdraws an invitation; returns whether there was one.
    func removeInvitation(
        _ id: InvitationID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
    /// Uses an invitation up and makes an account a member, in one commit: of several callers one.
    ///
    /// A new account replaces one without a password that has the same address and is a member of
    /// this business alone, so that what it wrote before an import stays its own.
    func accept(
        _ token: Digest, by joining: Joining, at time: Timestamp
    ) async throws(StoreError) -> JoinOutcome
    /// Forgets the invitations that expired before a moment.
    func pruneInvitations(before time: Timestamp) async throws(StoreError)
}

/// The keys of integrations.
public protocol KeyRegistry: Sendable {
    /// Adds a key; false when one of its businesses has as many in force as it may.
    ///
    /// Limit: `APIKey.most` of a business; a key with a predecessor as `hasRoom` says.
    /// - Parameter permitted: the roles that permit it to the maker of a grant, as the table of
    ///   permissions has them; a grant without a maker is the operator's.
    /// - Throws: `refused` when the maker of a grant has none of these in its business now.
    @discardableResult
    func add(_ key: APIKey, author: Author, permitted: Set<Role>) async throws(StoreError) -> Bool
    /// Whether a key may be added to those that its businesses have in force when it is made.
    ///
    /// The first successor of a key may always be, unless it would come after more than
    /// `APIKey.mostPredecessors` that are in force.
    func hasRoom(for key: APIKey) async throws(StoreError) -> Bool
    /// Finds a key by its public part, revoked ones included.
    func findKey(_ id: KeyID) async throws(StoreError) -> APIKey?
    /// Lists keys, oldest first: those that were not revoked before a moment.
    ///
    /// - Parameter business: only those with a grant for it, each with all its grants; nil for all keys.
    func keys(
        of business: BusinessID?, revokedSince time: Timestamp
    ) async throws(StoreError) -> [APIKey]
    /// Refuses a key from a moment on; returns whether it was in use.
    func revokeKey(_ id: KeyID, at time: Timestamp, author: Author) async throws(StoreError) -> Bool
    /// Ends a key's grant for a business; returns whether there was one.
    func removeGrant(
        of key: KeyID, for business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
    /// Lets a member answer for a grant from now on; false without the grant, or when the member has
    /// none of the permitted roles in the business now.
    func confirmGrant(
        of key: KeyID, for business: BusinessID, by member: AgentID, permitted: Set<Role>,
        at time: Timestamp
    ) async throws(StoreError) -> Bool
    /// Remembers that a key was used.
    func touchKey(_ id: KeyID, at time: Timestamp) async throws(StoreError)
    /// Adds a key in the place of another one, which is refused from `end` on, or earlier
    /// where it already was to be; false when that one was revoked or has no grant, or without room.
    ///
    /// - Throws: `refused` as `add` does.
    func replace(
        _ key: KeyID, by next: APIKey, end: Timestamp, author: Author, permitted: Set<Role>
    ) async throws(StoreError) -> Bool
    /// Adds requests of keys, and forgets all but the newest `KeyRequest.kept` of each.
    func note(_ requests: [KeyID: [KeyRequest]]) async throws(StoreError)
    /// The requests of a key that are kept, newest first.
    func requests(of key: KeyID) async throws(StoreError) -> [KeyRequest]
    /// Forgets requests before a moment.
    func pruneKeyRequests(before time: Timestamp) async throws(StoreError)
}

extension KeyRegistry {
    /// Lists all keys, revoked ones included, oldest first.
    public func keys() async throws(StoreError) -> [APIKey] {
        try await keys(of: nil, revokedSince: Timestamp(milliseconds: .min))
    }
}

/// Sessions and one-time links, by the hash of their token.
public protocol SessionRegistry: Sendable {
    /// Begins a session.
    func add(_ session: Session, author: Author) async throws(StoreError)
    /// Finds a session, expired ones included; the caller compares times.
    func findSession(_ token: Digest) async throws(StoreError) -> Session?
    /// Finds a session as it is stored, whatever lookups remember of it.
    func findStoredSession(_ token: Digest) async throws(StoreError) -> Session?
    /// Remembers that a session was used, and until when it lives now.
    func touchSession(
        _ token: Digest, at time: Timestamp, until: Timestamp, author: Author
    ) async throws(StoreError)
    /// Ends a session and returns it: of several callers exactly one gets it.
    func takeSession(_ token: Digest, author: Author) async throws(StoreError) -> Session?
    /// Ends every session of a subject.
    func endSessions(of subject: SessionSubject, author: Author) async throws(StoreError)
    /// Lets every session of a subject end at a moment or earlier, except one.
    func shortenSessions(
        of subject: SessionSubject, except token: Digest, until: Timestamp, author: Author
    ) async throws(StoreError)
    /// Forgets the sessions that expired before a moment.
    func pruneSessions(before time: Timestamp) async throws(StoreError)
}

/// The browsers that agents signed in with before, by the hash of their token.
public protocol DeviceRegistry: Sendable {
    /// Remembers that an agent signed in with a device; of more than `most` the agent's devices, those
    /// used least lately are forgotten.
    func rememberDevice(
        _ token: Digest, of agent: AgentID, at time: Timestamp, atMost most: Int
    ) async throws(StoreError)
    /// The agents who signed in with a device at a moment or later.
    func agents(knownOn token: Digest, since time: Timestamp) async throws(StoreError) -> [AgentID]
    /// Forgets every device of an agent.
    func forgetDevices(of agent: AgentID, author: Author) async throws(StoreError)
    /// Forgets the devices without a sign-in since a moment.
    func pruneDevices(before time: Timestamp) async throws(StoreError)
}

/// The join codes, by which a phone reaches a business.
public protocol JoinCodeRegistry: Sendable {
    /// Adds a code.
    func add(_ code: JoinCode, author: Author) async throws(StoreError)
    /// Finds a code by its public name, expired ones included until they are pruned.
    func findJoinCode(_ id: String) async throws(StoreError) -> JoinCode?
    /// Finds a valid code by the hash of its link.
    func findJoinCode(link: Digest, at time: Timestamp) async throws(StoreError) -> JoinCode?
    /// Finds a valid code by its typed form; a wrong second half costs the code a try.
    func typeJoinCode(
        locator: String, typed: Digest, at time: Timestamp
    ) async throws(StoreError) -> JoinCode?
    /// Forgets the codes that expired before a moment.
    func pruneJoinCodes(before time: Timestamp) async throws(StoreError)
}

/// Templates; versions are immutable, and are added through the log.
public protocol TemplateRegistry: Sendable {
    /// Finds a version, or with nil the newest; of a template that was removed none.
    func findTemplate(
        _ name: TemplateName, of business: BusinessID, version: Int?
    ) async throws(StoreError) -> Template?
    /// Lists the newest version of each template that was not removed, by name.
    ///
    /// Limit: 1 to 300, and 8 MiB of payloads; at least one template is always on a page.
    func templates(
        of business: BusinessID, at edge: PageEdge<TemplateName>, limit: Int
    ) async throws(StoreError) -> Page<Template>
}

/// The labels of businesses; they are made and changed through the log.
public protocol LabelRegistry: Sendable {
    /// Lists a business's labels by their order, then by name, retired ones included.
    ///
    /// Limit: `Label.most`.
    func labels(of business: BusinessID) async throws(StoreError) -> [Label]
}

/// The teams of businesses; they are made and changed through the log.
public protocol TeamRegistry: Sendable {
    /// Lists a business's teams by their names, retired ones included.
    ///
    /// Limit: `Team.most`.
    func teams(of business: BusinessID) async throws(StoreError) -> [Team]
}

/// Who holds which attachment, and the names of the bytes that `BlobStore` keeps.
public protocol AttachmentRegistry: Sendable {
    /// Notes that a holder has an attachment, under the name and media type it was given there last.
    ///
    /// With `end` it is an upload that is forgotten then, unless it is named before: by a message, by
    /// a template, or by holding it without an end.
    func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        until end: Timestamp?, author: Author
    ) async throws(StoreError)
    /// Finds an attachment as its holder knows it; nil when that one does not hold it.
    func findAttachment(
        _ id: AttachmentID, heldBy holder: AttachmentHolder
    ) async throws(StoreError) -> AttachmentUse?
    /// How many bytes a holder was given since a moment.
    func heldBytes(
        by holder: AttachmentHolder, since time: Timestamp
    ) async throws(StoreError) -> Int64
    /// Gives up uploads whose end was before a moment; returns files that nothing else names.
    ///
    /// Order: decided with all namings. A message that names one of these before keeps it; one that
    /// comes later finds nothing. Limit: 300 at a time, those of before that are not forgotten yet
    /// among them.
    func expireUploads(before time: Timestamp) async throws(StoreError) -> [AttachmentID]
    /// Forgets uploads that were given up and whose files are gone, unless they came again.
    func forgetUploads(of files: [AttachmentID]) async throws(StoreError)
}

extension AttachmentRegistry {
    /// Notes that a holder has an attachment without an end.
    public func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        author: Author
    ) async throws(StoreError) {
        try await hold(attachment, by: holder, at: time, until: nil, author: author)
    }
}

/// The first answers to requests that carried an `Idempotency-Key` and stored no message.
public protocol AnswerRegistry: Sendable {
    /// Finds the answer that a scope was given, or the message that it stored.
    func findAnswer(_ scope: String) async throws(StoreError) -> RememberedAnswer?
    /// Notes that the holder of a lease answers the request with a body, unless it was answered.
    ///
    /// The note of a holder that ended before it answered is the next holder's.
    /// - Throws: `superseded` when the lease is another's.
    func beginAnswer(
        _ scope: String, to body: Digest, under lease: Lease, at time: Timestamp
    ) async throws(StoreError) -> AnswerBeginning
    /// Remembers an answer that was begun.
    ///
    /// - Throws: `superseded` when the lease is another's; then nothing is remembered.
    func finish(_ answer: RememberedAnswer, under lease: Lease) async throws(StoreError)
    /// Gives up an answer that was begun and shall not be remembered, unless the lease is another's.
    func giveUpAnswer(_ scope: String, under lease: Lease) async throws(StoreError)
    /// Forgets answers given, and begun, before a moment.
    func pruneAnswers(before time: Timestamp) async throws(StoreError)
}

/// What a store knows of a request when it is to be answered under an `Idempotency-Key`.
public enum AnswerBeginning: Hashable, Sendable {
    /// No request was answered under the key: the caller answers now.
    case begun
    /// It was answered.
    case answered(RememberedAnswer)
    /// The key belongs to a request with another body, whose answer was not finished.
    case belongsToAnother
}

/// What an `Idempotency-Key` led to.
public struct RememberedAnswer: Hashable, Sendable {
    /// How it was answered.
    public enum Content: Hashable, Sendable {
        /// By storing a message.
        case message(ConversationID, MessageID)
        /// With a status and a body.
        case answer(status: Int, body: [UInt8])
    }

    /// Credential, route and key.
    public let scope: String
    /// SHA-256 of the request's body.
    public let body: Digest
    /// How it was answered.
    public let content: Content
    /// When.
    public let time: Timestamp

    /// Puts an answer together.
    public init(scope: String, body: Digest, content: Content, time: Timestamp) {
        self.scope = scope
        self.body = body
        self.content = content
        self.time = time
    }
}

/// Settings of the server and cursors of its readers.
public protocol SettingRegistry: Sendable {
    /// Finds a setting's bytes.
    func findSetting(_ name: String) async throws(StoreError) -> [UInt8]?
    /// Sets or with nil removes a setting.
    func setSetting(
        _ name: String, to value: [UInt8]?, author: Author
    ) async throws(StoreError)
}

/// All that is registered beside the log.
public protocol Registry: BusinessRegistry, AgentRegistry, IdentityRegistry,
    InvitationRegistry, KeyRegistry,
    SessionRegistry, DeviceRegistry, JoinCodeRegistry, TemplateRegistry, LabelRegistry,
    TeamRegistry, AvailabilityRegistry, HoursRegistry, AutomaticAnswerRegistry,
    AssignmentRegistry, ContactRegistry, AttributeRegistry, AttachmentRegistry, AnswerRegistry,
    MentionRegistry, DraftRegistry,
    DueWorkRegistry, PreferenceRegistry, ReaderRegistry, ReportRegistry, MacroRegistry,
    RuleRegistry, SavedViewRegistry, ServiceLevelRegistry, SatisfactionRegistry, LibraryRegistry,
    SuggestionRegistry, BotRegistry,
    WidgetRegistry, RetentionRegistry, LegalHoldRegistry, SecondFactorRegistry, PasskeyRegistry,
    ProvisioningRegistry, ApprovalRegistry, PushRegistry,
    SettingRegistry, SecretRegistry, AuditRegistry, ScriptRunRegistry,
    RegistryFeed,
    OutboxRegistry, WebhookRegistry, WebhookQueue,
    GatewayRegistry, LeaseRegistry
{
    /// Where changes of credentials are applied, on every node, before they are answered.
    var credentials: any CredentialFeed { get }
}

/// What the broker and the handlers need of a store: the log, the views and the registries.
///
/// What an operator does to a store is `Maintenance`.
public protocol Store: EventLog, MessageSource, AgedContent, ConversationViews, OverdueViews,
    SatisfactionViews, ErasureViews, Registry
{}
