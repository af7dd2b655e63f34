/// From which pages browsers may send the requests of a route that change something.
public enum RouteOrigins: Sendable {
    /// From pages of this server: the pipeline refuses all others.
    case own
    /// From pages that a business lists: the handler refuses all others, before it reads a body.
    case ofBusiness
    /// From any page: the request is judged by what it has itself, and the handler looks at no cookie.
    case any
}
