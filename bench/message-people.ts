import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sendMessage } from "#domain/messages/messages.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { freePort } from "../tests/support/process.ts";
import type { Client } from "./message-load.ts";

export type Person = { member: Member; partner: Member; cookie: string };

/** Pairs with an existing conversation, so that creating one is not measured. */
export async function makePairs(site: Site, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < count; index++) {
    const [one, other] = [await addMember({ site }, `One ${index}`), await addMember({ site }, `Other ${index}`)];
    await sendMessage(site, one, { to: other.id, text: "Hello", sendId: `first-${one.id}` });
    for (const [member, partner] of [
      [one, other],
      [other, one],
    ] as const)
      people.push({ member, partner, cookie: (await signIn({ site }, member)).cookie });
  }
  return people;
}

export function siteClient(url: string, { member, partner, cookie }: Person, index: number): Client {
  const ip = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  return {
    url: `${url.replace("http", "ws")}/live`,
    headers: { cookie, origin: url, "x-forwarded-for": ip },
    hello: { subscribe: [`user:${member.id}`] },
    request: (text, sendId) => ({ send: { to: partner.id, text, sendId } }),
    acknowledged: (reply) => (reply.sent as { sendId?: string } | undefined)?.sendId,
    arrived: (reply) => {
      const message = reply.message as { senderId: string; message: string } | undefined;
      return message && message.senderId !== member.id ? message.message : undefined;
    },
  };
}

export function echoClient(port: number): Client {
  return {
    url: `ws://127.0.0.1:${port}`,
    headers: {},
    hello: { subscribe: [] },
    request: (text, sendId) => ({ text, sendId }),
    acknowledged: (reply) => reply.sendId as string | undefined,
    arrived: (reply) => reply.text as string | undefined,
  };
}

export async function startEchoServer(): Promise<{ child: ChildProcess; port: number; pid: number }> {
  const port = await freePort();
  const child = fork(join(import.meta.dirname, "echo-server.ts"), [String(port)]);
  await once(child, "message");
  await wait(500);
  return { child, port, pid: child.pid ?? 0 };
}
