import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { journeys } from "./servers.ts";

/** A mail server that stores each email as a file, which every worker can read. @returns a function that closes it. */
export async function startMailServer(port: number, folder: string): Promise<() => Promise<void>> {
  const emails = join(folder, "emails");
  mkdirSync(emails, { recursive: true });
  let count = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const name = `${String(++count).padStart(6, "0")}.json`;
      writeFileSync(join(emails, `.${name}`), JSON.stringify({ to, source: Buffer.concat(chunks).toString("utf8") }));
      renameSync(join(emails, `.${name}`), join(emails, name));
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
}

export type ReceivedEmail = { subject: string; text: string };

/** Emails to an address, oldest first. */
export function emailsTo(address: string): ReceivedEmail[] {
  const emails = join(journeys().folder, "emails");
  return readdirSync(emails)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(emails, name), "utf8")) as { to: string[]; source: string })
    .filter(({ to }) => to.includes(address))
    .map(({ source }) => parseReceivedEmail(source));
}

/** The first of several alternatives is the plain text. */
function parseReceivedEmail(source: string): ReceivedEmail {
  const end = source.indexOf("\r\n\r\n");
  const head = source.slice(0, end).replace(/\r\n\s+/g, " ");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const subject = header("subject");
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(header("content-type"))?.[1];
  if (boundary) return { subject, text: parseReceivedEmail(source.slice(end + 4).split(`--${boundary}\r\n`)[1] ?? "").text };
  return { subject, text: decode(source.slice(end + 4), header("content-transfer-encoding").toLowerCase()) };
}

/** The mailer chooses the encoding by the content. */
function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
