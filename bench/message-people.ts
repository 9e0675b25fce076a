import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { postMessage } from "#domain/messages/messages.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { freePort } from "../tests/support/process.ts";
import type { Client } from "./message-load.ts";

export type Person = { member: Member; partner: Member; cookie: string };

/** Pairs that have written each other before, so that beginning a conversation is not what is measured. */
export async function makePairs(on: Site, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < count; index++) {
    const [one, other] = [await addMember({ site: on }, `One ${index}`), await addMember({ site: on }, `Other ${index}`)];
    await postMessage(on, one, { to: other.id, text: "Hello", sendId: `first-${one.id}` });
    for (const [member, partner] of [
      [one, other],
      [other, one],
    ] as const)
      people.push({ member, partner, cookie: (await signIn({ site: on }, member)).cookie });
  }
  return people;
}

export function ourClient(url: string, { member, partner, cookie }: Person, index: number): Client {
  const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  return {
    url: `${url.replace("http", "ws")}/live`,
    headers: { cookie, origin: url, "x-forwarded-for": address },
    hello: { subscribe: [`user:${member.id}`] },
    request: (text, sendId) => ({ send: { to: partner.id, text, sendId } }),
    acknowledged: (answer) => (answer.sent as { sendId?: string } | undefined)?.sendId,
    arrived: (answer) => {
      const message = answer.message as { senderId: string; message: string } | undefined;
      return message && message.senderId !== member.id ? message.message : undefined;
    },
  };
}

export function bareClient(port: number): Client {
  return {
    url: `ws://127.0.0.1:${port}`,
    headers: {},
    hello: { subscribe: [] },
    request: (text, sendId) => ({ text, sendId }),
    acknowledged: (answer) => answer.sendId as string | undefined,
    arrived: (answer) => answer.text as string | undefined,
  };
}

export async function startEcho(): Promise<{ child: ChildProcess; port: number; pid: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "echo-server.ts"), String(port)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  await wait(500);
  return { child, port, pid: child.pid ?? 0 };
}
