import { readInBatches } from "#platform/database/batches.ts";
import { streamFile } from "../files/api-files.server.ts";
import { readNotificationSettings } from "../notifications/preferences.server.ts";
import { listPushDevices } from "../push/push-devices.server.ts";
import { additionsOf } from "../reports/report.ts";
import type { Member, Site } from "../site.ts";
import { type ExportFile, fileName, iso, json, jsonList, rowsPerBatch } from "./entry.ts";

export async function* otherEntries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  yield { name: "reports.json", input: jsonList(reports(site, viewer.id)) };
  yield { name: "notifications.json", input: json(await notifications(site, viewer)) };
  const preferences = await site.db.selectFrom("preferences").select("prefs").where("userId", "=", viewer.id).executeTakeFirst();
  if (preferences) yield { name: "preferences.json", input: json(JSON.parse(preferences.prefs)) };
  yield* filesOfClients(site, viewer.id);
}

async function notifications(site: Site, viewer: Member) {
  const rows = await site.db
    .selectFrom("notifications")
    .select(["kind", "postId", "since", "updatedAt", "readAt"])
    .where("userId", "=", viewer.id)
    .orderBy("updatedAt")
    .orderBy("number")
    .execute();
  const notifications = rows.map(({ kind, postId: story, since, updatedAt, readAt }) => {
    return { kind, story, since: iso(since), until: iso(updatedAt), read: readAt && iso(readAt) };
  });
  const devices = (await listPushDevices(site, viewer)).map(({ browser, since }) => ({ browser, since: iso(since) }));
  const [settings, newsletter] = [await readNotificationSettings(site, viewer), await subscription(site, viewer.id)];
  return { settings, devices, newsletter, notifications };
}

/** Null for an unconfirmed address: someone else may have subscribed it. */
async function subscription({ db }: Site, userId: string) {
  const row = await db
    .selectFrom("subscribers as s")
    .innerJoin("users as u", "u.email", "s.email")
    .select(["s.email", "s.createdAt", "s.confirmedAt", "u.emailVerified"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
  if (!row?.emailVerified) return null;
  const { email, createdAt, confirmedAt } = row;
  return { address: email, askedFor: iso(createdAt), agreed: confirmedAt && iso(confirmedAt), frequency: "weekly" };
}

async function* reports({ db }: Site, userId: string) {
  const read = (last: number) =>
    db
      .selectFrom("reports")
      .select(["number", "kind", "subjectId", "reason", "note", "additions", "status", "answer", "createdAt"])
      .where("reporterId", "=", userId)
      .where("number", ">", last)
      .orderBy("number")
      .limit(rowsPerBatch)
      .execute();
  for await (const { number: _number, kind, subjectId, createdAt, additions, answer, ...report } of readInBatches(
    0,
    read,
    (row) => row.number,
  )) {
    const added = additionsOf(additions).map(({ at, ...addition }) => ({ ...addition, at: iso(at) }));
    yield { about: kind, id: subjectId, ...report, at: iso(createdAt), ...(added.length > 0 && { added }), ...(answer && { answer }) };
  }
}

async function* filesOfClients(site: Site, userId: string): AsyncGenerator<ExportFile> {
  const rows = await site.db
    .selectFrom("files")
    .select(["id", "name", "size", "pieces as chunks", "createdAt"])
    .where("ownerId", "=", userId)
    .where("signature", "is not", null)
    .orderBy("id")
    .execute();
  for (const { createdAt, ...file } of rows) {
    const bytes = await streamFile(site, file, 0, file.size - 1);
    if (bytes) yield { name: `files/${fileName(file)}`, input: bytes as AsyncIterable<Uint8Array>, lastModified: createdAt };
  }
}
