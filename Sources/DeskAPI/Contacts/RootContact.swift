import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

extension RoutedRequest where Services == DeskAPI.Services {
    /// The contact of the path, which stands for itself and for those that were merged into it.
    ///
    /// - Throws: `not_found`, and `already_merged` for one that was merged into another.
    func requireRootContact() async throws(Problem) -> Contact {
        let business = try requireBusinessID()
        guard let id = request.parameters["contact"].flatMap({ ContactID($0) }) else {
            throw .notFound
        }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findContact(id)
        }
        guard let found, found.business == business else { throw .notFound }
        guard found.merge == nil else { throw Problem(Refusal.alreadyMerged) }
        return found
    }
}
