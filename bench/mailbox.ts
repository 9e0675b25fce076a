import { memberPair } from "#domain/messages/message.ts";
import type { Member } from "#domain/site.ts";
import { quantile } from "../scripts/percentiles.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { timeOf } from "./measure.ts";
import { userRow } from "./posts.ts";
import { startNewSite } from "./sites.ts";

/**
 * `npm run bench -- mailbox [sqlite|postgres] [conversations] [messages in each]`: response times of /messages and of a chat,
 * alternating between a member with very many conversations and one with ten.
 */
const engine = await findEngine(process.argv[2]);
const many = Number(process.argv[3] ?? 20_000);
const each = Number(process.argv[4] ?? 50);
const rounds = 60;

await using opened = await startNewSite(engine);
const { site, server } = opened;
const [busy, calm] = [await addMember({ site }, "Busy Member"), await addMember({ site }, "Calm Member")];
const partners = { busy: await fill(busy, many), calm: await fill(calm, 10) };
const cookies = { busy: (await signIn({ site }, busy)).cookie, calm: (await signIn({ site }, calm)).cookie };
console.log(
  `${engine}: ${(many * each).toLocaleString("en-US")} messages in ${many.toLocaleString("en-US")} conversations, against ${10 * each} in 10\n`,
);
console.log("| | many, median | ten, median | many, p95 | ten, p95 |\n|---|---|---|---|---|");
const pages = {
  "/messages": () => "/messages",
  "a chat": (who: "busy" | "calm") => `/messages/${partners[who]}`,
  "the next page of the list": () => "/messages/conversations",
};
for (const [name, path] of Object.entries(pages)) {
  const times = { busy: [] as number[], calm: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const who of ["busy", "calm"] as const) times[who].push(await timeOf(server.url + path(who), { cookie: cookies[who] }));
  const at = (who: "busy" | "calm", share: number) => `${quantile(times[who].slice(10), share).toFixed(1)} ms`;
  console.log(`| ${name} | ${at("busy", 0.5)} | ${at("calm", 0.5)} | ${at("busy", 0.95)} | ${at("calm", 0.95)} |`);
}

/** Inserts the rows that sending creates; a fifth of the conversations is unread. @returns the last partner's id. */
async function fill(member: Member, conversations: number): Promise<string> {
  const now = Date.now();
  let partnerId = "";
  for (let start = 0; start < conversations; start += 10) {
    const rows = Array.from({ length: Math.min(10, conversations - start) }, (_, index) => start + index).map((number) =>
      conversationOf(member, number, now),
    );
    await site.db.transaction().execute(async (db) => {
      await db
        .insertInto("users")
        .values(rows.map(({ user }) => user))
        .execute();
      await db
        .insertInto("conversations")
        .values(rows.map(({ conversation }) => conversation))
        .execute();
      await db
        .insertInto("participants")
        .values(rows.flatMap(({ sides }) => sides))
        .execute();
      await db
        .insertInto("messages")
        .values(rows.flatMap(({ messages }) => messages))
        .execute();
    });
    partnerId = rows.at(-1)?.user.id ?? "";
  }
  return partnerId;
}

function conversationOf(member: Member, index: number, now: number) {
  const id = `${member.id.slice(-7)}${index}`;
  const at = now - index * 60_000;
  const user = userRow(id, `Partner ${index}`, now);
  const [firstUserId, secondUserId] = memberPair(member.id, id);
  const conversation = { id: `c${id}`, firstUserId, secondUserId, lastNumber: each, updatedAt: at };
  const shared = { conversationId: conversation.id, lastNumber: each, lastAt: at, readNumber: 0, muted: false };
  const unread = index % 5 === 0 ? each : 0;
  const sides = [
    { userId: member.id, partnerId: id, unreadCount: unread, ...shared },
    { userId: id, partnerId: member.id, unreadCount: 0, ...shared },
  ];
  const messages = Array.from({ length: each }, (_, number) => ({
    ...{
      id: `m${id}-${number}`,
      conversationId: conversation.id,
      number: number + 1,
      sendId: `m${id}-${number}`,
      senderId: id,
      receiverId: member.id,
    },
    ...{ message: `Message ${number} of many`, folded: `message ${number} of many`, isRead: unread === 0, fileId: null, createdAt: at },
  }));
  return { user, conversation, sides, messages };
}
