import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { smtpMail } from "./mail.ts";

const emailMessage = { to: "maren@example.com", subject: "Your link", text: "a token" };

describe("mail through a server that does not encrypt", () => {
  let server: SMTPServer;
  let port: number;
  let received: string[];
  beforeEach(async () => {
    received = [];
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      async onData(stream, _session, done) {
        let text = "";
        for await (const chunk of stream) text += String(chunk);
        received.push(text);
        done();
      },
    });
    const listening = server.listen(0, "127.0.0.1");
    await once(listening, "listening");
    ({ port } = listening.address() as AddressInfo);
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const send = (address: string) => smtpMail(address, () => ({ name: "Inkstead", address: "no-reply@inkstead.test" })).send(emailMessage);

  // It leads to this machine, but is not one of its names for itself.
  test("is not sent to another machine", async () => {
    await expect(send(`smtp://0.0.0.0:${port}`)).rejects.toThrow(/TLS/i);
    expect(received).toEqual([]);
  });

  test("is sent where the operator says that it may, and on this machine", async () => {
    await send(`smtp://0.0.0.0:${port}?requireTLS=false`);
    await send(`smtp://127.0.0.1:${port}`);
    expect(received).toHaveLength(2);
  });
});
