extension ServerLimits {
    /// Every limit, in the order of the documentation.
    public static let entries: [Entry] = [
        Entry(
            name: "request-line-bytes",
            bounds: "Largest request line in bytes, its line end included",
            beyond: "414", place: .count(\.requestLineBytes)),
        Entry(
            name: "header-field-bytes",
            bounds: "Largest header field line in bytes, its line end included",
            beyond: "431", place: .count(\.headerFieldBytes)),
        Entry(
            name: "header-bytes",
            bounds: "Largest head in bytes, request line and all fields together",
            beyond: "431", place: .count(\.headerBytes)),
        Entry(
            name: "header-count", bounds: "Largest number of header fields",
            beyond: "431", place: .count(\.headerCount)),
        Entry(
            name: "cookie-bytes", bounds: "Largest cookie in bytes, name and value together",
            beyond: "431", place: .count(\.cookieBytes)),
        Entry(
            name: "chunk-extension-bytes", bounds: "Longest chunk extension in bytes",
            beyond: "400", place: .count(\.chunkExtensionBytes)),
        Entry(
            name: "skipped-body-bytes",
            bounds: "Largest unread body that is skipped to keep the connection",
            beyond: "the connection ends", place: .count(\.skippedBodyBytes)),
        Entry(
            name: "tls-handshake", bounds: "Time for a TLS handshake",
            beyond: "the connection is closed", place: .time(\.tlsHandshake)),
        Entry(
            name: "first-byte", bounds: "Time for the first byte on a new connection",
            beyond: "the connection is closed", place: .time(\.firstByte)),
        Entry(
            name: "head-complete", bounds: "Time from the first byte of a head to its last",
            beyond: "408", place: .time(\.headComplete)),
        Entry(
            name: "body-complete", bounds: "Time for a body of at most `small-body-bytes`",
            beyond: "408", place: .time(\.bodyComplete)),
        Entry(
            name: "small-body-bytes",
            bounds: "Largest body in bytes that has to arrive within `body-complete`",
            beyond: "larger ones have a minimum rate", place: .count(\.smallBodyBytes)),
        Entry(
            name: "upload-bytes-per-second",
            bounds: "Lowest rate of a large body in bytes a second, averaged over `upload-window`",
            beyond: "408", place: .count(\.uploadBytesPerSecond)),
        Entry(
            name: "upload-window", bounds: "Time over which the rate of a large body is averaged",
            beyond: "the rate is judged over this time", place: .time(\.uploadWindow)),
        Entry(
            name: "upload-complete", bounds: "Time for a large body in all",
            beyond: "408", place: .time(\.uploadComplete)),
        Entry(
            name: "keep-alive-idle", bounds: "Time between requests on a kept connection",
            beyond: "the connection is closed", place: .time(\.keepAliveIdle)),
        Entry(
            name: "keep-alive-requests", bounds: "Requests on one connection",
            beyond: "the last one's response closes it", place: .count(\.keepAliveRequests)),
        Entry(
            name: "handler-time", bounds: "Time for a handler to give its response",
            beyond: "503", place: .time(\.handlerTime)),
        Entry(
            name: "write-stall", bounds: "Time in which a peer reads no byte of what is sent",
            beyond: "the connection is closed", place: .time(\.writeStall)),
        Entry(
            name: "linger",
            bounds: "Time in which bytes that a peer sends after the last answer are dropped",
            beyond: "the connection is closed", place: .time(\.linger)),
        Entry(
            name: "linger-bytes", bounds: "Most bytes that are dropped this way",
            beyond: "the connection is closed", place: .count(\.lingerBytes)),
        Entry(
            name: "heartbeat", bounds: "Time between pings to a WebSocket peer",
            beyond: "a ping is sent", place: .time(\.heartbeat)),
        Entry(
            name: "pong", bounds: "Time for the pong to a ping",
            beyond: "the connection is closed", place: .time(\.pong)),
        Entry(
            name: "web-socket-message-bytes",
            bounds: "Largest WebSocket message received, in bytes",
            beyond: "close code 1009", place: .count(\.webSocketMessageBytes)),
        Entry(
            name: "web-socket-frame-bytes", bounds: "Largest WebSocket frame received, in bytes",
            beyond: "close code 1009", place: .count(\.webSocketFrameBytes)),
        Entry(
            name: "web-socket-fragments", bounds: "Fragments of one WebSocket message received",
            beyond: "close code 1009", place: .count(\.webSocketFragments)),
        Entry(
            name: "connections", bounds: "Connections in all",
            beyond: "new ones wait in the kernel's backlog", place: .count(\.connections)),
        Entry(
            name: "connections-per-address",
            bounds:
                "Connections from one address, loopback and those of members and keys aside",
            beyond: "a new one is closed at once", place: .count(\.connectionsPerAddress)),
        Entry(
            name: "accept-backlog", bounds: "Connections waiting to be accepted",
            beyond: "the kernel refuses or drops the attempt", place: .count(\.acceptBacklog)),
        Entry(
            name: "drain-requests", bounds: "Time that running requests get after a drain starts",
            beyond: "their connections are closed", place: .time(\.drainRequests)),
        Entry(
            name: "drain-streams",
            bounds: "Time over which open streams are ended after a drain starts",
            beyond: "ended one by one; clients resume", place: .time(\.drainStreams)),
        Entry(
            name: "last-word",
            bounds: "Time in which a stream that a drain ends may send its last bytes",
            beyond: "the connection is closed", place: .time(\.lastWord)),
        Entry(
            name: "drain-last",
            bounds: "Time that requests get which came during a drain, once the listener is closed",
            beyond: "their connections are closed", place: .time(\.drainLast)),
        Entry(
            name: "drain-all", bounds: "Time for a drain in all",
            beyond: "everything is closed", place: .time(\.drainAll)),
    ]
}
