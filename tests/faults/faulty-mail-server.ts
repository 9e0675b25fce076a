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

type Answer = (error?: Error | null) => void;

/** Rejects temporarily and permanently, stalls, disconnects, and accepts emails without confirming them. */
export async function startFaultyMailServer(): Promise<FaultyMailServer> {
  const sockets = new Map<number, Socket>();
  const arrived = new Map<string, number>();
  const faults: Record<string, number> = {};
  let isBad = true;

  const happens = (name: string, inThousand: number) => {
    const isTime = isBad && randomInt(1000) < inThousand;
    if (isTime) faults[name] = (faults[name] ?? 0) + 1;
    return isTime;
  };
  const hangUp = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy();
  const refusal = (responseCode: number) => Object.assign(new Error("not now, not here"), { responseCode });

  /** @returns whether it caused a fault. */
  function misbehave(where: string, session: SMTPServerSession, answer: Answer): boolean {
    if (happens(`${where}: hung up`, 60)) hangUp(session);
    else if (happens(`${where}: no answer`, 4)) return true;
    else if (happens(`${where}: refused for now`, 60)) answer(refusal(451));
    else if (happens(`${where}: refused for good`, 20)) answer(refusal(550));
    else return false;
    return true;
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect: (session, answer) => void (happens("connection: hung up", 80) ? hangUp(session) : answer()),
    onRcptTo: (_address, session, answer) => void (misbehave("address", session, answer) || answer()),
    onData(stream, session, answer) {
      const address = session.envelope.rcptTo[0]?.address ?? "";
      if (happens("body: hung up on the way", 40)) return hangUp(session);
      text(stream).then(
        () => {
          if (misbehave("body", session, answer)) return;
          arrived.set(address, (arrived.get(address) ?? 0) + 1);
          if (happens("taken, and hung up", 60)) hangUp(session);
          else answer();
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
