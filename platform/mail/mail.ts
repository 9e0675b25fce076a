import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export type EmailMessage = { to: string; subject: string; text: string };

type Sender = () => { name: string; address: string };

export type Mail = {
  /** False when emails only go to the data folder, so nobody can be asked to open a link from one. */
  delivers: boolean;
  send(emailMessage: EmailMessage): Promise<void>;
  forget?(about: { address: string; links: string[] }): Promise<void>;
};

const tenSeconds = 10_000;

/**
 * Mail through an SMTP server (`smtp://user:password@host:port`). Password and emails go encrypted or not at all, but for a server on
 * this machine and where the address says `?requireTLS=false`.
 */
export function smtpMail(url: string, from: Sender): Mail {
  const transport = createTransport({
    url,
    requireTLS: mustEncrypt(url),
    connectionTimeout: tenSeconds,
    greetingTimeout: tenSeconds,
    socketTimeout: tenSeconds,
  });
  return {
    delivers: true,
    async send(emailMessage) {
      await transport.sendMail({ from: from(), ...emailMessage });
    },
  };
}

function mustEncrypt(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  return !isHere && searchParams.get("requireTLS") !== "false";
}

export function folderMail(folder: string, from: Sender): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  let count = 0;
  return {
    delivers: false,
    async send(emailMessage) {
      const { message } = await transport.sendMail({ from: from(), ...emailMessage });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${process.pid}-${count++}.eml`;
      await writeFile(join(folder, `.${name}`), message as Buffer, { mode: 0o600 });
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
  // Long lines are broken by an equals sign.
  const words = email.replaceAll(/=\r?\n/g, "").split(/\s+/);
  return links.some((link) => words.includes(link));
}
