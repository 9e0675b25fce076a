import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export type Letter = { to: string; subject: string; text: string };

/** Asked for with each letter: the site's name may change. */
type Sender = () => { name: string; address: string };

export type Mail = {
  /** False when letters only go to the data folder, so nobody can be asked to open a link from one. */
  delivers: boolean;
  send(letter: Letter): Promise<void>;
  /** Removes the letters that are kept here and hold one of these texts; only where letters are kept. */
  forget?(texts: string[]): Promise<void>;
};

const tenSeconds = 10_000;

/** Mail through an SMTP server (`smtp://user:password@host:port`).  */
export function smtpMail(url: string, from: Sender): Mail {
  const transport = createTransport({ url, connectionTimeout: tenSeconds, greetingTimeout: tenSeconds, socketTimeout: tenSeconds });
  return {
    delivers: true,
    async send(letter) {
      await transport.sendMail({ from: from(), ...letter });
    },
  };
}

/** Each letter becomes an .eml file in the folder, for the operator to open. */
export function folderMail(folder: string, from: Sender): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  let count = 0;
  return {
    delivers: false,
    async send(letter) {
      const { message } = await transport.sendMail({ from: from(), ...letter });
      await mkdir(folder, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${process.pid}-${count++}.eml`;
      await writeFile(join(folder, `.${name}`), message as Buffer);
      await rename(join(folder, `.${name}`), join(folder, name));
    },
    async forget(texts) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => each.endsWith(".eml"))) {
        // Long lines are broken by an equals sign.
        const letter = (await readFile(join(folder, name), "utf8").catch(() => "")).replaceAll(/=\r?\n/g, "");
        if (texts.some((text) => letter.includes(text))) await rm(join(folder, name), { force: true });
      }
    },
  };
}
