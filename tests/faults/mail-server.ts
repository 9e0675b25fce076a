import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export type MailServer = {
  url: string;
  arrived(): number;
  close(): Promise<void>;
};

/** A mail server without faults. */
export async function startMailServer(): Promise<MailServer> {
  let arrived = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, respond) {
      text(stream).then(
        () => {
          arrived++;
          respond();
        },
        () => {}, // The client went away before the end: there is no email.
      );
    },
  });
  server.on("error", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived: () => arrived,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
