import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

export type FaultyMailServer = {
  url: string;
  /** Deliveries by address. */
  arrived: Map<string, number>;
  /** Faults by kind. */
  faults: Record<string, number>;
  /** Stops all faults. */
  recover(): void;
  close(): Promise<void>;
};

type Respond = (error?: Error | null) => void;

/** Rejects temporarily and permanently, stalls, disconnects, and accepts emails without confirming them. */
export async function startFaultyMailServer(): Promise<FaultyMailServer> {
  const sockets = new Map<number, Socket>();
  const arrived = new Map<string, number>();
  const faults: Record<string, number> = {};
  let isBad = true;

  const happens = (name: string, inThousand: number) => {
    const isDue = isBad && randomInt(1000) < inThousand;
    if (isDue) faults[name] = (faults[name] ?? 0) + 1;
    return isDue;
  };
  const disconnect = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy();
  const refusal = (responseCode: number) => Object.assign(new Error("refused by the test"), { responseCode });

  /** @returns whether it caused a fault. */
  function causeFault(where: string, session: SMTPServerSession, respond: Respond): boolean {
    if (happens(`${where}: disconnected`, 60)) disconnect(session);
    else if (happens(`${where}: no response`, 4)) return true;
    else if (happens(`${where}: temporary refusal`, 60)) respond(refusal(451));
    else if (happens(`${where}: permanent refusal`, 20)) respond(refusal(550));
    else return false;
    return true;
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect: (session, respond) => void (happens("connection: disconnected", 80) ? disconnect(session) : respond()),
    onRcptTo: (_address, session, respond) => void (causeFault("address", session, respond) || respond()),
    onData(stream, session, respond) {
      const address = session.envelope.rcptTo[0]?.address ?? "";
      if (happens("body: disconnected midway", 40)) return disconnect(session);
      text(stream).then(
        () => {
          if (causeFault("body", session, respond)) return;
          arrived.set(address, (arrived.get(address) ?? 0) + 1);
          if (happens("accepted, then disconnected", 60)) disconnect(session);
          else respond();
        },
        () => {}, // The client went away before the end: there is no email.
      );
    },
  });
  server.on("error", () => {});
  server.server.on("connection", (socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.on("close", () => sockets.delete(remotePort));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    faults,
    recover: () => {
      isBad = false;
    },
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}
