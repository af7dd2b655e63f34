import DeskJSON
public import DeskModel

/// A conversation's messages as an erasure must know them.
package struct KnownChain: Sendable {
    /// One message of the chain.
    package struct Link: Sendable {
        /// Where it lies.
        package let position: Position
        /// Its digest, or the keyed one of a tombstone.
        package let digest: Digest
        /// Its checksum.
        package let checksum: UInt32
        /// The files that it names.
        package let attachments: [AttachmentUse]
        /// Whether it is a tombstone.
        package let isErased: Bool

        /// Puts a link together.
        package init(
            position: Position, digest: Digest, checksum: UInt32, attachments: [AttachmentUse],
            isErased: Bool
        ) {
            self.isErased = isErased
            self.position = position
            self.digest = digest
            self.checksum = checksum
            self.attachments = attachments
        }
    }

    /// All messages, oldest first.
    package var links: [Link]

    /// Puts a chain together.
    package init(links: [Link]) { self.links = links }

    /// The running head over all messages.
    var head: Digest? {
        links.reduce(nil) { head, link in
            MessageChecksum.head(after: head, digest: link.digest, checksum: link.checksum)
        }
    }
}

extension Erasing {
    /// Decides the order; the answer is the numbers of the messages that were erased by it.
    public func decide(
        by decision: inout GroupDecision
    ) throws(Undecided) -> [SequenceNumber] {
        try decision.erase(self)
    }
}

extension GroupDecision {
    /// Replaces messages by their tombstones and the conversation's head by the one that they give.
    ///
    /// A message that is a tombstone already stays as it is. A group does nothing else with a
    /// conversation that it erases in: the chain is what the store has.
    mutating func erase(_ order: Erasing) throws(Undecided) -> [SequenceNumber] {
        let place = try require(order.conversation)
        // Each lookup begins the decision anew: all are made before the first digest is computed.
        for id in order.messages
        where rows.messages[.init(id: id, conversation: order.conversation)] == nil {
            throw .needs(.message(id, in: order.conversation))
        }
        var tombstones: [Position: StoredMessage] = [:]
        var uploads: [AttachmentID: Set<String>] = [:]
        for id in order.messages {
            guard let found = rows.messages[.init(id: id, conversation: order.conversation)] else {
                throw .needs(.message(id, in: order.conversation))
            }
            guard let message = found?.message else { throw .refused(.notFound) }
            guard message.erasedAt == nil else { continue }
            tombstones[message.position] = message.erased(by: order)
            uploads.merge(message.uploads) { $0.union($1) }
        }
        let business = conversations[place].row.conversation.business
        if !tombstones.isEmpty { try requireNoHold(on: [order.conversation], of: business) }
        if !order.objects.isEmpty {
            changes.append(.endedObjects(order.objects, of: business, at: order.time))
        }
        guard !tombstones.isEmpty else { return [] }
        guard var chain = rows.chains[order.conversation] else {
            throw .needs(.chain(order.conversation))
        }
        var row = row(at: place)
        guard chain.links.count == Int(row.conversation.newest.value) else {
            throw .failed(StoreError(.refused, "a message of the same group is not erased"))
        }
        release(filesOf: tombstones, uploads, in: chain, of: row.conversation, at: order.time)
        chain.links = chain.links.map { link in
            guard let tombstone = tombstones[link.position] else { return link }
            return KnownChain.Link(
                position: link.position, digest: tombstone.digest, checksum: tombstone.checksum,
                attachments: [], isErased: true)
        }
        // What is beside the messages may repeat any of them; for their age it goes with the last of them.
        let limit = chain.links.allSatisfy(\.isErased) ? nil : order.limit
        rows.chains[order.conversation] = chain
        row.head = chain.head
        let ordered = tombstones.sorted { $0.key < $1.key }.map(\.value)
        for tombstone in ordered {
            hasTombstones = true
            changes.append(.tombstone(tombstone, conversation: place, olderThan: limit))
            found(
                KnownMessage(message: tombstone, posted: tombstone.digest), as: tombstone.id,
                in: order.conversation)
            if row.conversation.last?.sequence == tombstone.sequence {
                row.conversation.last?.summary = ""
                row.conversation.last?.erasedAt = order.time
            }
        }
        changes.append(.emptiedCopies(ordered, conversation: place, olderThan: limit))
        if let answer = row.conversation.satisfaction?.answer,
            ordered.contains(where: { $0.id == answer.message })
        {
            row.conversation.satisfaction?.answer?.comment = nil
        }
        if limit == nil { eraseMetadata(of: &row, at: place) }
        for tombstone in ordered {
            append(
                .messageErased, to: &row, at: place,
                body: .json(tombstone.erasureData(by: order.author)), at: order.time)
        }
        keep(row, at: place, .ofItsRow)
        return ordered.map(\.sequence)
    }

    /// Goes on only while a business's choice is the one that was judged by, however long ago that was.
    func requireRetention(_ judged: Retention) throws(Undecided) {
        guard let found = rows.retentions[judged.business] else {
            throw .needs(.retention(of: judged.business))
        }
        guard found?.changedAt == judged.changedAt else { throw .refused(.preconditionFailed) }
    }

    /// Ends the conversation's hold on files that only erased messages name, and gives the other
    /// files the name that the newest message has for them.
    ///
    /// What was uploaded to the gateway as one of the files goes with it.
    private mutating func release(
        filesOf tombstones: [Position: StoredMessage], _ uploads: [AttachmentID: Set<String>],
        in chain: KnownChain, of conversation: Conversation, at time: Timestamp
    ) {
        var named: [AttachmentID: AttachmentUse] = [:]
        var erased: Set<AttachmentID> = []
        for link in chain.links {
            for use in link.attachments {
                if tombstones[link.position] == nil {
                    named[use.id] = use
                } else {
                    erased.insert(use.id)
                }
            }
        }
        for id in erased {
            if let use = named[id] {
                changes.append(.hold(use, by: .conversation(conversation.id), at: time))
            } else {
                changes.append(
                    .release(
                        id, and: uploads[id]?.sorted() ?? [], of: conversation.id,
                        business: conversation.business, at: time))
            }
        }
    }

    /// The chain of a conversation's messages.
    package mutating func found(_ chain: KnownChain, of id: ConversationID) {
        rows.chains[id] = chain
    }
}

extension StoredMessage {
    /// The names of what was uploaded to the gateway as its files: the last parts of their addresses.
    fileprivate var uploads: [AttachmentID: Set<String>] {
        // Safe: it was parsed when it was accepted; what is no JSON names nothing.
        guard !facts.attachments.isEmpty, let bytes = payload.carriedBytes,
            let root = try? JSONDocument(parsing: bytes).root,
            let elements = root["attachments"]?.elements
        else { return [:] }
        var uploads: [AttachmentID: Set<String>] = [:]
        for (use, element) in zip(facts.attachments, elements) {
            let addresses = ["url", "mmcs-url"].lazy.compactMap { element[$0]?.string }
            guard let address = addresses.first,
                let name = address.split(separator: "/").last
            else { continue }
            uploads[use.id, default: []].insert(String(name))
        }
        return uploads
    }
}
