import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { explainFailure } from "./failures.ts";
import { type Mail, smtpMail } from "./mail.ts";

const emailMessage = { to: "maren@example.com", subject: "Your link", text: "a token" };

const sender = () => ({ name: "Inkstead", address: "no-reply@inkstead.test" });

describe("a mail server without encryption", () => {
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
  afterEach(() => {
    for (const mail of opened.splice(0)) mail.close?.();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });

  const opened: Mail[] = [];
  const open = (address: string, options = {}) => {
    const mail = smtpMail(address, sender, options);
    opened.push(mail);
    return mail;
  };
  const send = (address: string) => open(address).send(emailMessage);

  // It resolves to this machine, but isn't one of the names of localhost.
  test("is rejected on another machine", async () => {
    await expect(send(`smtp://0.0.0.0:${port}`)).rejects.toThrow(/TLS/i);
    expect(received).toEqual([]);
  });

  test("is accepted on this machine or if the operator allows it", async () => {
    await send(`smtp://0.0.0.0:${port}?requireTLS=false`);
    await send(`smtp://127.0.0.1:${port}`);
    expect(received).toHaveLength(2);
  });

  test("emails have headers against automatic replies, and Reply-To", async () => {
    await open(`smtp://127.0.0.1:${port}`, { replyTo: "hello@inkstead.test" }).send(emailMessage);
    expect(received[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(received[0]).toMatch(/^Reply-To: hello@inkstead\.test\r$/m);
  });
});

describe("before the server gets the body", () => {
  const dkim = () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return { domainName: "inkstead.test", keySelector: "mail", privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  };
  const bodies: string[] = [];
  let accepts = true;
  let bodyError: Error | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, answer) => answer(accepts ? null : Object.assign(new Error("no such mailbox"), { responseCode: 550 })),
    async onData(stream, _session, answer) {
      const text = await readText(stream).catch(() => undefined);
      if (text === undefined) return;
      if (!bodyError) bodies.push(text);
      answer(bodyError);
    },
  });
  let address: string;
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    address = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  beforeEach(() => {
    [accepts, bodyError] = [true, null];
    bodies.length = 0;
  });

  async function attempt(beforeBody: () => Promise<void>, options = {}) {
    const mail = smtpMail(address, sender, options);
    let began = false;
    const note = async () => {
      await beforeBody();
      began = true;
    };
    const error = await mail.send(emailMessage, { beforeBody: note }).catch((reason: unknown) => reason);
    mail.close?.();
    return { began, failure: error ? explainFailure(error, began) : undefined };
  }

  test.each([
    ["as it is", () => ({})],
    ["signed", () => ({ dkim: dkim() })],
  ])("`beforeBody` runs once, and nothing is sent if it throws: %s", async (how, options) => {
    const beforeBody = vi.fn(async () => {});
    expect(await attempt(beforeBody, options())).toEqual({ began: true, failure: undefined });
    expect(beforeBody).toHaveBeenCalledOnce();
    expect(bodies).toHaveLength(1);
    expect(/^DKIM-Signature: /m.test(bodies[0] ?? "")).toBe(how === "signed");
    const { began, failure } = await attempt(() => Promise.reject(new Error("somebody else sends it")), options());
    expect([began, failure?.kind]).toEqual([false, "later"]);
    expect(bodies).toHaveLength(1);
  });

  test("`beforeBody` isn't called for a refused address", async () => {
    accepts = false;
    expect(await attempt(async () => {})).toMatchObject({ began: false, failure: { kind: "refused", isRecipientRefused: true } });
  });

  test.each([
    [554, { kind: "refused", isRecipientRefused: false }],
    [451, { kind: "later", isRecipientRefused: false }],
  ])("a %i response to the body is final", async (responseCode, failure) => {
    bodyError = Object.assign(new Error("not this one"), { responseCode });
    expect(await attempt(async () => {})).toMatchObject({ began: true, failure });
  });
});
