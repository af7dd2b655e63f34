package import DeskModel
package import DeskStore
import Synchronization

/// The names behind ids in answers; read once, then remembered until the agent changes it.
///
/// An agent has a name from accepting the invitation on, and can write nothing before; a key's name is
/// fixed.
package final class AuthorNames: Sendable {
    private struct State {
        var agents: [AgentID: String] = [:]
        var keys: [KeyID: String] = [:]
    }

    /// Most names remembered; beyond it all are forgotten.
    private static let most = 10_000
    private let store: any Store
    private let state = Mutex(State())

    /// No names yet; the store is asked for each.
    package init(store: any Store) { self.store = store }

    /// The name of an author, as far as it is loaded; nil for customers and for the server.
    package func name(of author: Author) -> String? {
        switch author {
        case .agent(let id): state.withLock { $0.agents[id] }
        case .key(let id): state.withLock { $0.keys[id] }
        case .provider(let name), .script(let name): name
        case .rule(let mark): mark.name
        case .customer, .command, .server: nil
        }
    }

    /// The name of an agent, as far as it is loaded.
    package func name(of agent: AgentID) -> String? { name(of: .agent(agent)) }

    /// Remembers a key's name that is at hand.
    package func remember(_ key: KeyID, named name: String) {
        state.withLock { state in
            guard state.keys[key] == nil else { return }
            Self.makeRoom(in: &state)
            state.keys[key] = name
        }
    }

    /// Remembers an agent's name that is at hand, in place of an earlier one.
    package func remember(_ agent: Agent) {
        state.withLock { state in
            guard state.agents[agent.id] != agent.name, !agent.name.isEmpty else { return }
            Self.makeRoom(in: &state)
            state.agents[agent.id] = agent.name
        }
    }

    /// Loads the names of authors that are not known yet.
    package func load(_ authors: some Sequence<Author>) async throws(StoreError) {
        for author in authors where name(of: author) == nil {
            switch author {
            case .agent(let id):
                guard let agent = try await store.findAgent(id), !agent.name.isEmpty else {
                    continue
                }
                state.withLock {
                    Self.makeRoom(in: &$0)
                    $0.agents[id] = agent.name
                }
            case .key(let id):
                guard let key = try await store.findKey(id) else { continue }
                state.withLock {
                    Self.makeRoom(in: &$0)
                    $0.keys[id] = key.name
                }
            case .customer, .provider, .script, .command, .server, .rule: continue
            }
        }
    }

    /// Loads every name that a view of these conversations shows.
    package func load(_ conversations: [Conversation]) async throws(StoreError) {
        var authors = Set(conversations.compactMap { $0.last?.author })
        for agent in conversations.flatMap(\.named) { authors.insert(.agent(agent)) }
        try await load(authors)
    }

    /// Loads every name that a view of this event shows.
    package func load(_ event: Event) async throws(StoreError) {
        var authors: [Author] = []
        authors += event.conversation?.named.map { .agent($0) } ?? []
        if let last = event.conversation?.last { authors.append(last.author) }
        switch event.body {
        case .message(let message): authors.append(message.facts.author)
        case .conversation(let step):
            authors.append(step.author)
            if case .assignee(let from, let to, _) = step.change {
                authors += [from, to].compactMap { $0.map { .agent($0) } }
            }
            switch step.change {
            case .participants(let added, let removed), .watchers(let added, let removed):
                authors += (added + removed).map { .agent($0) }
            case .satisfaction(let step):
                if let agent = step.question.work.assignee { authors.append(.agent(agent)) }
            case .assignee, .priority, .team, .attributes, .labels, .overdue, .waiting, nil: break
            }
        case .note(let note): authors += note.authors
        case .json: break
        }
        try await load(authors)
    }

    /// Loads every name that a view of these notes shows.
    package func load(_ notes: [Note]) async throws(StoreError) {
        try await load(Set(notes.flatMap(\.authors)))
    }

    /// Forgets the names of agents that were changed.
    package func forget(after notice: CredentialNotice) {
        guard case .changes(let changes) = notice else {
            state.withLock { $0 = State() }
            return
        }
        for change in changes {
            let agent: AgentID
            switch change {
            case .people(.saveAgent(let id)), .people(.acceptInvitation(_, to: _, by: let id)):
                agent = id
            case .people, .credentials, .contents, .links: continue
            }
            state.withLock { $0.agents[agent] = nil }
        }
    }

    private static func makeRoom(in state: inout State) {
        if state.agents.count + state.keys.count >= most { state = State() }
    }
}

extension Note {
    /// Who wrote it, and whom it mentions.
    fileprivate var authors: [Author] { [author] + mentions.map { .agent($0) } }
}
