import CLinux
import DeskCrypto
import DeskHTTP
import DeskLog
import Glibc

extension HTTPConnection {
    /// Sends plain bytes; false when the peer is gone or accepted none for too long.
    ///
    /// Order: one caller at a time; `whileWriting` ensures it where there can be several.
    func send(_ bytes: [UInt8]) async -> Bool {
        guard let tls else { return await sendCipher(bytes) }
        do throws(CryptoError) { try tls.write(bytes.span) } catch {
            isBroken = true
            return false
        }
        return await sendCipher(tls.takeOutput())
    }

    /// Sends bytes as they are.
    func sendCipher(_ bytes: [UInt8]) async -> Bool {
        var sent = trySend(bytes, from: 0)
        while sent < bytes.count {
            guard await waitForRoom() else { return false }
            sent += trySend(bytes, from: sent)
        }
        return !isBroken
    }

    /// Sends what is in the loop's output; as `send`, without a copy where the kernel accepts all.
    func sendOutput() async -> Bool {
        if tls != nil {
            let bytes = loop.output
            return await send(bytes)
        }
        let sent = trySend(loop.output, from: 0)
        if sent == loop.output.count { return !isBroken }
        let rest = Array(loop.output[sent...])
        return await sendCipher(rest)
    }

    /// Sends a part of a file; false as for `send`, and when the file is shorter than announced.
    func sendFile(_ file: Int32, _ range: Range<Int>) async -> Bool {
        var offset = off_t(range.lowerBound)
        let end = off_t(range.upperBound)
        while offset < end {
            if tls != nil {
                let piece = readFile(file, at: offset, upTo: min(64 * 1024, Int(end - offset)))
                guard !piece.isEmpty, await send(piece) else { return false }
                offset += off_t(piece.count)
                continue
            }
            let most = min(1024 * 1024, Int(end - offset))
            let count = unsafe sendfile(channel.descriptor, file, &offset, most)
            if count > 0 { continue }
            if count < 0, errno == EINTR { continue }
            guard count < 0, errno == EAGAIN else {
                isBroken = true
                return false
            }
            channel.isWritable = false
            guard await waitForRoom() else { return false }
        }
        return true
    }

    /// Sends a response without waiting: what the kernel does not accept at once is lost.
    func sendAtOnce(_ response: Response) {
        guard case .bytes(let content) = response.body else { return }
        service.counts.countResponse(response.status)
        var bytes: [UInt8] = []
        loop.headWriter.write(
            response.status, response.headers, framing: .length(content.count),
            connection: .closes, into: &bytes)
        bytes += content
        if let tls {
            // Safe: the connection closes; no peer reads the error.
            guard (try? tls.write(bytes.span)) != nil else { return }
            bytes = tls.takeOutput()
        }
        _ = trySend(bytes, from: 0)
    }

    /// Runs `send` when no other task of this connection is sending; tasks wait in order of arrival.
    func whileWriting(_ send: () async -> Bool) async -> Bool {
        if isWriting {
            await unsafe withUnsafeContinuation { unsafe writersWaiting.append($0) }
        }
        isWriting = true
        let isSent = await send()
        if unsafe writersWaiting.isEmpty {
            isWriting = false
        } else {
            // The right to send passes on directly, so that no third task can come in between.
            unsafe writersWaiting.removeFirst().resume()
        }
        return isSent
    }

    private func waitForRoom() async -> Bool {
        guard !isBroken else { return false }
        switch await channel.waitWritable(until: loop.now + service.times.writeStall) {
        case .ready: return true
        case .expired:
            service.counts.stalls.add()
            hasStalled = true
            isBroken = true
            return false
        case .ended:
            isBroken = true
            return false
        }
    }

    /// Writes as much as the kernel accepts now; a failure sets `isBroken` and counts all as sent.
    private func trySend(_ bytes: [UInt8], from start: Int) -> Int {
        var sent = start
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(
                    channel.descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                channel.isWritable = false
                return sent - start
            } else if errno != EINTR {
                isBroken = true
                return bytes.count - start
            }
        }
        return sent - start
    }

    private func readFile(_ file: Int32, at offset: off_t, upTo most: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: most) { room, used in
            used = unsafe max(0, pread(file, room.baseAddress, most, offset))
        }
    }
}
