import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createTransport, type SendMailOptions } from "nodemailer";

export type EmailMessage = { to: string; subject: string; text: string; html?: string; headers?: Record<string, string> };

type Sender = () => { name: string; address: string };

/** `beforeBody` runs once, before the server gets the email; if it throws, nothing is sent. */
export type SendOptions = { beforeBody?: () => Promise<void> };

export type Mail = {
  /** False if emails are only written to the data folder. */
  delivers: boolean;
  atOnce?: number;
  perMinute?: number;
  send(emailMessage: EmailMessage, sending?: SendOptions): Promise<void>;
  forget?(about: { address: string; links: string[] }): Promise<void>;
  close?(): void;
};

const timeoutMs = 10_000;
const maxConnections = 4;

export type SenderOptions = { replyTo?: string | undefined };

export type SmtpOptions = SenderOptions & {
  perMinute?: number;
  dkim?: { domainName: string; keySelector: string; privateKey: string } | undefined;
};

/** `smtp://user:password@host:port`. Requires TLS, except for a local server or with `?requireTLS=false`. */
export function smtpMail(url: string, from: Sender, { perMinute, dkim, replyTo }: SmtpOptions = {}): Mail {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: maxConnections,
    requireTLS: mustEncrypt(url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(dkim && { dkim }),
  });
  transport.use("stream", (mail, done) => {
    const { beforeBody } = mail.data as SendOptions;
    const create = mail.message.createReadStream.bind(mail.message);
    // Read only after the server has accepted sender and recipient.
    if (beforeBody) mail.message.createReadStream = (options) => Readable.from(gated(beforeBody, create(options)), { objectMode: false });
    done();
  });
  return {
    delivers: true,
    atOnce: maxConnections,
    ...(perMinute !== undefined && { perMinute }),
    async send(emailMessage, sending = {}) {
      await transport.sendMail({ ...envelopeOf(emailMessage, from, replyTo), ...sending } as SendMailOptions);
    },
    close: () => transport.close(),
  };
}

async function* gated(open: () => Promise<void>, body: Readable): AsyncGenerator<Buffer> {
  await open();
  yield* body;
}

/** RFC 3834: prevents automatic replies. */
const byMachine = { "Auto-Submitted": "auto-generated" };

function envelopeOf(emailMessage: EmailMessage, from: Sender, replyTo: string | undefined): SendMailOptions {
  return { ...emailMessage, from: from(), ...(replyTo && { replyTo }), headers: { ...byMachine, ...emailMessage.headers } };
}

function mustEncrypt(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  return !isHere && searchParams.get("requireTLS") !== "false";
}

export function folderMail(folder: string, from: Sender, { replyTo }: SenderOptions = {}): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  let count = 0;
  return {
    delivers: false,
    async send(emailMessage, { beforeBody } = {}) {
      const { message } = await transport.sendMail(envelopeOf(emailMessage, from, replyTo));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${process.pid}-${count++}.eml`;
      await writeFile(join(folder, `.${name}`), message as Buffer, { mode: 0o600 });
      await beforeBody?.();
      await rename(join(folder, `.${name}`), join(folder, name));
    },
    async forget(about) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => each.endsWith(".eml"))) {
        const email = await readFile(join(folder, name), "utf8").catch(() => "");
        if (isAbout(email, about)) await rm(join(folder, name), { force: true });
      }
    },
  };
}

function isAbout(email: string, { address, links }: { address: string; links: string[] }): boolean {
  const [, to = ""] = /^To: (.*)$/im.exec(email.split(/\r?\n\r?\n/, 1)[0] ?? "") ?? [];
  if (to.trim().toLowerCase() === address.toLowerCase()) return true;
  // Joins quoted-printable soft line breaks.
  const words = email.replaceAll(/=\r?\n/g, "").split(/\s+/);
  return links.some((link) => words.includes(link));
}
