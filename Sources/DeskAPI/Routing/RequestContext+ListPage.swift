import DeskHTTP
package import DeskWeb

extension RequestContext {
    /// The page that the request names of a list that is read whole; the whole list where it names none.
    ///
    /// - Parameter name: what names an element, and no other element of the list.
    /// - Throws: `invalid` for a page that the list does not have.
    package func page<Element: Sendable>(
        of list: [Element], by name: (Element) -> String
    ) throws(Problem) -> ListPage<Element> {
        try ListPage(of: list, request.query, limits: services.limits.web, name: name)
    }
}
