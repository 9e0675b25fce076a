import { readInBatches } from "#platform/database/batches.ts";
import { originalKey } from "#platform/files/file-keys.ts";
import { slugOf } from "../posts/slug.ts";
import type { Member, Site } from "../site.ts";
import { type ExportFile, fileName, iso, json, jsonList, plainMarkdown, rowsPerBatch } from "./entry.ts";

type Partner = { conversationId: string; id: string; name: string; unread: number; muted: boolean };

export async function* messageEntries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  const list: object[] = [];
  for (const partner of await partners(site, viewer.id)) {
    const path = `messages/${await slugOf(partner.name)}-${partner.id}`;
    list.push({ with: partner.name, member: partner.id, unread: partner.unread, muted: partner.muted, messages: `${path}.json` });
    yield { name: `${path}.json`, input: jsonList(rows(site, viewer, partner, path)) };
    yield { name: `${path}.md`, input: readable(site, viewer, partner, path) };
    for await (const { file } of messages(site, viewer.id, partner.conversationId)) {
      const bytes = file && (await site.files.get(originalKey(file.id)));
      if (file && bytes) yield { name: `${path}/${fileName(file)}`, input: bytes };
    }
  }
  yield { name: "conversations.json", input: json(list) };
}

async function partners(site: Site, userId: string): Promise<Partner[]> {
  const own = site.db
    .selectFrom("conversations as c")
    .where((eb) => eb.or([eb("c.firstUserId", "=", userId), eb("c.secondUserId", "=", userId)]))
    .select((eb) => [
      "c.id as conversationId",
      eb.case().when("c.firstUserId", "=", userId).then(eb.ref("c.secondUserId")).else(eb.ref("c.firstUserId")).end().as("partnerId"),
    ]);
  const rows = await site.db
    .selectFrom(own.as("o"))
    .innerJoin("users as u", "u.id", "o.partnerId")
    .leftJoin("participants as own", (join) => join.on("own.userId", "=", userId).onRef("own.partnerId", "=", "o.partnerId"))
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select((eb) => ["o.conversationId", "u.id", eb.fn.coalesce("p.userName", "u.name").as("name")])
    .select(["own.unreadCount as unread", "own.muted"])
    // Withheld messages don't create a conversation for their receiver.
    .where((eb) => eb.or([eb("own.userId", "is", null), eb("own.lastNumber", "is not", null)]))
    .orderBy("u.id")
    .execute();
  return rows.map(({ unread, muted, ...partner }) => ({ ...partner, unread: unread ?? 0, muted: Boolean(muted) }));
}

async function* rows(site: Site, viewer: Member, partner: Partner, path: string) {
  for await (const { number, senderId, message, isRead, createdAt, file } of messages(site, viewer.id, partner.conversationId)) {
    const from = senderId === viewer.id ? viewer.name : partner.name;
    yield { number, from, senderId, message, read: isRead, sentAt: iso(createdAt), ...(file ? { file: `${path}/${fileName(file)}` } : {}) };
  }
}

async function* readable(site: Site, viewer: Member, partner: Partner, path: string): AsyncGenerator<string> {
  yield `# ${plainMarkdown(viewer.name)} and ${plainMarkdown(partner.name)}\n`;
  for await (const { from, message, sentAt, file } of rows(site, viewer, partner, path)) {
    const quoted = message.split("\n").map((line) => `> ${line}`);
    yield `\n**${plainMarkdown(from)}**, ${sentAt}\n\n${quoted.join("\n")}\n${file ? `\nFile: ${file}\n` : ""}`;
  }
}

async function* messages({ db }: Site, viewerId: string, conversationId: string) {
  const read = (last: number) =>
    db
      .selectFrom("messages as m")
      .leftJoin("files as f", "f.id", "m.fileId")
      .select(["m.number", "m.senderId", "m.message", "m.isRead", "m.createdAt", "f.id as fileId", "f.name as fileName"])
      .where("m.conversationId", "=", conversationId)
      .where("m.number", ">", last)
      .where((eb) => eb.or([eb("m.senderId", "=", viewerId), eb("m.withheld", "=", false)]))
      .orderBy("m.number")
      .limit(rowsPerBatch)
      .execute();
  for await (const { fileId, fileName, ...message } of readInBatches(0, read, (row) => row.number))
    yield { ...message, file: fileId ? { id: fileId, name: fileName ?? "" } : null };
}
