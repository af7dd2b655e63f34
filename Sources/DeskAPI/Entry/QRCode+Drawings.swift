extension QRCode {
    /// The code as an SVG picture, quiet zone included, sharp at any size.
    public var svg: String {
        let size = side + 2 * Self.quietModules
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard isDark(column, row) else {
                    column += 1
                    continue
                }
                var length = 1
                while isDark(column + length, row) { length += 1 }
                path +=
                    "M\(column + Self.quietModules) \(row + Self.quietModules)"
                    + "h\(length)v1h-\(length)z"
                column += length
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" \
            width="\(size * 8)" height="\(size * 8)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)h-\(size)z"/>\
            <path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The code as a PNG picture of black and white, quiet zone included.
    ///
    /// Limit: `scale` is 1 to 32 pixels a module.
    public func png(scale: Int = 10) -> [UInt8]? {
        let scale = min(max(scale, 1), 32)
        let size = (side + 2 * Self.quietModules) * scale
        var picture = BitPicture(width: size, height: size)
        for row in 0..<side {
            for column in 0..<side where isDark(column, row) {
                picture.fillBlack(
                    fromColumn: (column + Self.quietModules) * scale,
                    row: (row + Self.quietModules) * scale, side: scale)
            }
        }
        return picture.png()
    }

    /// The code in half blocks, two modules a character: light ones are drawn, so that it reads on a
    /// dark terminal; colours are set, so that it reads on a light one too.
    public var terminal: String {
        let edge = 2
        var lines: [String] = []
        for row in stride(from: -edge, to: side + edge, by: 2) {
            var line = "\u{1B}[40;97m"
            for column in -edge..<(side + edge) {
                let isLastHalf = row + 1 >= side + edge
                switch (isDark(column, row), isDark(column, row + 1) || isLastHalf) {
                case (false, false): line += "\u{2588}"
                case (false, true): line += "\u{2580}"
                case (true, false): line += "\u{2584}"
                case (true, true): line += " "
                }
            }
            lines.append(line + "\u{1B}[0m")
        }
        return lines.joined(separator: "\n")
    }
}
