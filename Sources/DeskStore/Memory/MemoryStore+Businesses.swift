public import DeskModel

extension MemoryStore: BusinessRegistry {
    /// Adds a business or replaces what may change of it.
    public func save(_ business: Business) async throws(StoreError) {
        try edit { state in
            guard let place = state.businesses.firstIndex(where: { $0.id == business.id }) else {
                state.businesses.append(business)
                return
            }
            state.businesses[place].name = business.name
            state.businesses[place].colour = business.colour
            state.businesses[place].picture = business.picture
        }
    }

    /// Finds a business.
    public func findBusiness(_ id: BusinessID) async throws(StoreError) -> Business? {
        try look { state in state.businesses.first { $0.id == id } }
    }

    /// Lists all businesses, oldest first.
    public func businesses() async throws(StoreError) -> [Business] { try look(\.businesses) }

    /// Adds or replaces an entry link.
    public func save(_ link: EntryLink) async throws(StoreError) {
        try edit { state in
            if let place = state.links.firstIndex(where: { $0.isNamed(link.id, link.business) }) {
                state.links[place] = link
            } else {
                state.links.append(link)
            }
        }
    }

    /// Lists a business's entry links, oldest first.
    public func entryLinks(of business: BusinessID) async throws(StoreError) -> [EntryLink] {
        try look { state in state.links.filter { $0.business == business } }
    }

    /// Removes an entry link; returns whether there was one.
    public func removeEntryLink(
        _ id: String, of business: BusinessID
    ) async throws(StoreError) -> Bool {
        try edit { state in
            let before = state.links.count
            state.links.removeAll { $0.isNamed(id, business) }
            return state.links.count < before
        }
    }
}

extension EntryLink {
    fileprivate func isNamed(_ id: String, _ business: BusinessID) -> Bool {
        self.business == business && self.id.utf8.elementsEqual(id.utf8)
    }
}
