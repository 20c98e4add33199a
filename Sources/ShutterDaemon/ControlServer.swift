// SPDX-FileCopyrightText: 2026 The shutterd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import ShutterControl
import ShutterCore

/// The control socket: accepts, authorises, splits into requests, sends replies and events. One request of a client
/// at a time; every bound is here or in `ControlClient`.
package final class ControlServer {
    package struct ClientRequest {
        package var id: RequestID
        package var invocation: Invocation
    }

    private static let mostClients = 64

    private let listener: SocketListener
    private let mayUse: (Peer) -> Bool
    private let group: String
    /// What is not as the configuration wants it.
    package let warning: String?
    private var clients: [ControlClient] = []
    private var waiting: [RequestID: ControlClient] = [:]
    /// Nobody can be let in before: looking without a pause would take all the processor's time.
    private var deafUntil: Timestamp?
    private var nextClient: UInt64 = 0
    private var nextRequest: UInt64 = 0
    /// A client was answered: its next request may have been read already, and no descriptor will tell.
    package private(set) var needsService = false

    /// The socket's permissions keep others out, and the credentials of who is at its other end are looked at all the same.
    /// - Parameter group: whose members may use the socket, besides root and our own user.
    package init(path: String, group: String) throws(SystemError) {
        let number = group.isEmpty ? nil : groupNumber(group)
        listener = try SocketListener(path: path, group: number)
        self.group = group
        let nobodyElse = "only root and the daemon's own user may use \(path)"
        if !group.isEmpty, number == nil {
            warning = "there is no group \(group): \(nobodyElse)"
        } else {
            warning = listener.groupFault.map { "\(nobodyElse), since it cannot be given to the group \(group) (\($0.reason)); its unit needs Group=\(group)" }
        }
        let own = geteuid()
        mayUse = { peer in peer.user == 0 || peer.user == own || number.map { peer.groups.contains($0) } ?? false }
    }

    package var interests: [Poller.Interest] { (deafUntil == nil ? [Poller.Interest(listener.descriptor)] : []) + clients.map(\.interest) }
    package var deadline: Timestamp? { earliest(clients.compactMap(\.deadline).min(), deafUntil) }

    /// Takes new connections and bytes, and returns the requests that are complete.
    package func service(now: Timestamp) -> [ClientRequest] {
        needsService = false
        let requests = serve(clients, now: now)
        let new = admit(now: now)
        clients += new
        return requests + serve(new, now: now)
    }

    package func reply(_ id: RequestID, _ reply: Reply, now: Timestamp) { self.reply(id, line: reply.line, now: now) }

    /// - Parameter line: the reply's. Of a long one it is made on another thread.
    package func reply(_ id: RequestID, line: String, now: Timestamp) {
        guard let client = waiting.removeValue(forKey: id) else { return }
        client.reply(line, now: now)
        needsService = true
    }

    /// Answers a request by sending events from now on.
    package func watch(_ id: RequestID, now: Timestamp) {
        waiting.removeValue(forKey: id)?.watch(now: now)
    }

    /// Answers a request by sending pictures from now on.
    package func preview(_ id: RequestID, _ kind: PreviewKind, now: Timestamp) {
        waiting.removeValue(forKey: id)?.preview(kind, now: now)
    }

    /// The kinds of pictures that somebody wants.
    package var previews: Set<PreviewKind> {
        Set(clients.compactMap { if case .previewing(let kind) = $0.phase { kind } else { nil } })
    }

    package func offer(_ picture: PreviewPicture, now: Timestamp) {
        for client in clients { client.offer(picture, now: now) }
    }

    package func post(_ event: [String: JSONValue]) {
        let watchers = clients.filter { $0.phase == .watching }
        guard !watchers.isEmpty else { return }
        let line = JSONValue.object(event).line
        for watcher in watchers { watcher.post(line) }
    }

    private func serve(_ some: [ControlClient], now: Timestamp) -> [ClientRequest] {
        var requests: [ClientRequest] = []
        for client in some {
            client.service()
            client.advance(to: now)
            while let line = client.nextLine() {
                if let request = read(line, from: client, now: now) { requests.append(request) }
            }
        }
        clients.removeAll(where: \.isClosed)
        return requests
    }

    /// Who is idle has just been looked at and wants nothing, so he makes room; and who is deaf is not heard of either.
    /// Who comes beyond that waits in the kernel's line until those before him have been looked at, or is refused if
    /// all places are taken by others.
    private func admit(now: Timestamp) -> [ControlClient] {
        if let deafUntil, now < deafUntil { return [] }
        defer { deafUntil = listener.isStuck ? now + .milliseconds(100) : nil }
        var leaving = clients.filter(\.isIdle) + clients.filter(\.isDeaf)
        var new: [ControlClient] = []
        func isFull() -> Bool { clients.count + new.count >= Self.mostClients }
        while !isFull() || !leaving.isEmpty || new.isEmpty, let (connection, peer) = listener.accept() {
            nextClient += 1
            let client = ControlClient(id: nextClient, connection: connection, peer: peer)
            if isFull() {
                guard !leaving.isEmpty else {
                    client.dismiss(Failure(.refused, "too-many-clients", "\(Self.mostClients) clients are connected; try again later"), now: now)
                    continue
                }
                let first = leaving.removeFirst()
                first.close()
                clients.removeAll { $0 === first }
            }
            new.append(client)
        }
        return new
    }

    private var advice: String {
        group.isEmpty
            ? "may not control the camera: only root and the daemon's own user may; for others set group in [control]"
            : "is not in group \(group), which may control the camera; add it with: sudo usermod -aG \(group) USER"
    }

    private func read(_ line: Result<String, Failure>, from client: ControlClient, now: Timestamp) -> ClientRequest? {
        do throws(Failure) {
            guard mayUse(client.peer) else {
                client.dismiss(Failure(.notPermitted, "not-permitted", "user \(client.peer.user) \(advice)"), now: now)
                return nil
            }
            let invocation = try Invocation(Request(line: try line.get()))
            nextRequest += 1
            let id = RequestID(nextRequest)
            waiting[id] = client
            return ClientRequest(id: id, invocation: invocation)
        } catch {
            client.reply(Reply.failure(error).line, now: now)
            return nil
        }
    }
}
