import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export type Letter = { to: string; subject: string; text: string };

export type Mail = {
  /** False when letters only go to the data folder, so nobody can be asked to open a link from one. */
  delivers: boolean;
  send(letter: Letter): Promise<void>;
};

const tenSeconds = 10_000;

/** Mail through an SMTP server (`smtp://user:password@host:port`). `from` is a complete sender. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport({ url, connectionTimeout: tenSeconds, greetingTimeout: tenSeconds, socketTimeout: tenSeconds });
  return {
    delivers: true,
    async send(letter) {
      await transport.sendMail({ from, ...letter });
    },
  };
}

/** Each letter becomes an .eml file in the folder, for the operator to open. */
export function folderMail(folder: string, from: string): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  let count = 0;
  return {
    delivers: false,
    async send(letter) {
      const { message } = await transport.sendMail({ from, ...letter });
      await mkdir(folder, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${process.pid}-${count++}.eml`;
      await writeFile(join(folder, `.${name}`), message as Buffer);
      await rename(join(folder, `.${name}`), join(folder, name));
    },
  };
}
