public import DeskModel

/// The definitions of attributes.
public protocol AttributeRegistry: Sendable {
    /// Lists a business's definitions by their order, then by name, retired ones included.
    ///
    /// Limit: `AttributeDefinition.most` for each subject.
    func attributes(of business: BusinessID) async throws(StoreError) -> [AttributeDefinition]
}
