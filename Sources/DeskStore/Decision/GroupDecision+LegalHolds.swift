package import DeskModel

/// Holds that keep content from being erased.
extension GroupDecision {
    /// Places holds, or gives those that are there another reason.
    mutating func place(_ step: PlaceLegalHolds) throws(Undecided) -> Int {
        _ = try require(step.business)
        for subject in step.subjects {
            guard let id = subject.conversation else { continue }
            let place = try require(id)
            guard conversations[place].row.conversation.business == step.business else {
                throw .refused(.notFound)
            }
        }
        // Everything is known before the first change.
        for subject in step.subjects { _ = try legalHold(on: subject) }
        guard var all = rows.legalHoldCounts[step.business] else {
            throw .needs(.legalHoldCount(of: step.business))
        }
        var count = 0
        for subject in step.subjects {
            let before = try legalHold(on: subject)
            guard before?.reason != step.reason else { continue }
            if before == nil {
                guard all < LegalHold.most else { throw .refused(.unusable) }
                all += 1
            }
            let hold = LegalHold(
                on: subject, of: step.business, reason: step.reason, author: step.author,
                placedAt: step.time)
            rows.legalHolds.updateValue(hold, forKey: subject)
            changes.append(.legalHold(hold))
            let record = ContentChange.placeLegalHold(subject.id, of: step.business)
            changes.append(.registry(.contents(record), author: step.author))
            count += 1
        }
        rows.legalHoldCounts[step.business] = all
        return count
    }

    /// Releases those holds that are there.
    mutating func release(_ step: ReleaseLegalHolds) throws(Undecided) -> Int {
        _ = try require(step.business)
        for subject in step.subjects { _ = try legalHold(on: subject) }
        var count = 0
        for subject in step.subjects {
            guard let hold = try legalHold(on: subject), hold.business == step.business else {
                continue
            }
            rows.legalHolds.updateValue(nil, forKey: subject)
            if let all = rows.legalHoldCounts[step.business] {
                rows.legalHoldCounts[step.business] = all - 1
            }
            changes.append(.releasedLegalHold(subject))
            let record = ContentChange.releaseLegalHold(subject.id, of: step.business)
            changes.append(.registry(.contents(record), author: step.author))
            count += 1
        }
        return count
    }

    /// Goes on only while nothing keeps the content of some conversations of a business; refused as `onHold` otherwise.
    func requireNoHold(
        on ids: [ConversationID], of business: BusinessID
    ) throws(Undecided) {
        for subject in [.business(business)] + ids.map({ LegalHold.Subject.conversation($0) })
        where try legalHold(on: subject) != nil {
            throw .refused(.onHold)
        }
    }

    private func legalHold(on subject: LegalHold.Subject) throws(Undecided) -> LegalHold? {
        guard let found = rows.legalHolds[subject] else { throw .needs(.legalHold(on: subject)) }
        return found
    }

    /// The hold on something, or that there is none.
    package mutating func found(_ hold: LegalHold?, on subject: LegalHold.Subject) {
        rows.legalHolds.updateValue(hold, forKey: subject)
    }

    /// How many holds a business has.
    package mutating func found(legalHoldCount count: Int, of business: BusinessID) {
        rows.legalHoldCounts[business] = count
    }
}
