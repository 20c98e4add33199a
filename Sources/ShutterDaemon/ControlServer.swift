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
    private var clients: [ControlClient] = []
    private var waiting: [RequestID: ControlClient] = [:]
    private var nextClient: UInt64 = 0
    private var nextRequest: UInt64 = 0
    /// A client was answered: its next request may have been read already, and no descriptor will tell.
    package private(set) var needsService = false

    /// - Parameter group: whose members may use the socket, besides root and our own user.
    package init(path: String, group: String) throws(SystemError) {
        listener = try SocketListener(path: path)
        self.group = group
        let number = group.isEmpty ? nil : groupNumber(group)
        let own = geteuid()
        mayUse = { peer in peer.user == 0 || peer.user == own || number.map { peer.groups.contains($0) } ?? false }
    }

    package var interests: [Poller.Interest] { [Poller.Interest(listener.descriptor)] + clients.map(\.interest) }
    package var deadline: Timestamp? { clients.compactMap(\.deadline).min() }

    /// Takes new connections and bytes, and returns the requests that are complete.
    package func service(now: Timestamp) -> [ClientRequest] {
        needsService = false
        while let (connection, peer) = listener.accept() { admit(connection, peer, now: now) }
        var requests: [ClientRequest] = []
        for client in clients {
            client.service()
            client.advance(to: now)
            while let line = client.nextLine() {
                if let request = read(line, from: client, now: now) { requests.append(request) }
            }
        }
        clients.removeAll(where: \.isClosed)
        return requests
    }

    package func reply(_ id: RequestID, _ reply: Reply, now: Timestamp) {
        guard let client = waiting.removeValue(forKey: id) else { return }
        client.reply(reply, now: now)
        needsService = true
    }

    /// Answers a request by sending events from now on.
    package func watch(_ id: RequestID, now: Timestamp) {
        waiting.removeValue(forKey: id)?.watch(now: now)
    }

    package func post(_ event: [String: JSONValue]) {
        let watchers = clients.filter { $0.phase == .watching }
        guard !watchers.isEmpty else { return }
        let line = JSONValue.object(event).line
        for watcher in watchers { watcher.post(line) }
    }

    private func admit(_ connection: Descriptor, _ peer: Peer, now: Timestamp) {
        nextClient += 1
        let client = ControlClient(id: nextClient, connection: connection, peer: peer)
        if clients.count >= Self.mostClients {
            guard let idle = clients.firstIndex(where: \.isIdle) else {
                client.dismiss(Failure(.refused, "too-many-clients", "\(Self.mostClients) clients are connected; try again later"), now: now)
                return
            }
            clients.remove(at: idle).close()
        }
        clients.append(client)
    }

    private func read(_ line: Result<String, Failure>, from client: ControlClient, now: Timestamp) -> ClientRequest? {
        do throws(Failure) {
            guard mayUse(client.peer) else {
                client.dismiss(
                    Failure(.notPermitted, "not-permitted", "user \(client.peer.user) is not in group \(group.isEmpty ? "(none set)" : group), which may control the camera; add it with: sudo usermod -aG \(group) USER"),
                    now: now)
                return nil
            }
            let invocation = try Invocation(Request(line: try line.get()))
            nextRequest += 1
            let id = RequestID(nextRequest)
            waiting[id] = client
            return ClientRequest(id: id, invocation: invocation)
        } catch {
            client.reply(.failure(error), now: now)
            return nil
        }
    }
}
