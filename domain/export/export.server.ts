import { makeZip } from "client-zip";
import { enforceRateLimit } from "#domain/limits/rate-limits.server.ts";
import type { ExportRun } from "#domain/memory.ts";
import { minutes } from "#platform/time.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict } from "../refusals.ts";
import type { Member, Site, Viewer } from "../site.ts";
import { accountEntries } from "./account-entries.server.ts";
import type { ExportFile } from "./entry.ts";
import { exportTexts } from "./export.ts";
import { listEntries, listNames } from "./list-entries.server.ts";
import { messageEntries } from "./message-entries.server.ts";
import { otherEntries } from "./other-entries.server.ts";
import { postEntries } from "./post-entries.server.ts";

export type Export = {
  zip: ReadableStream<Uint8Array>;
  estimatedBytes: number;
};

const exportsPerPerson = { max: 10, minutes: 60 };
/** After this time without a read, the client of a running export may be gone, and another one replaces it. */
const abandonedAfterMs = minutes(1);

/** @throws Conflict while another export of the member is running in this process; TooMany. */
export async function exportEverything(site: Site, viewer: Viewer): Promise<Export> {
  requirePermission(viewer, "export an account's data", viewer?.id);
  const run = startRun(site, viewer.id);
  try {
    await enforceRateLimit(site, { kind: "export", subject: viewer.id }, exportsPerPerson);
    const estimatedBytes = await estimate(site, viewer.id);
    const createdAt = new Date(site.now());
    return { zip: follow(makeZip(dated(entries(site, viewer), createdAt)), run), estimatedBytes };
  } catch (error) {
    run.end();
    throw error;
  }
}

type Run = ExportRun & { read(): void; end(): void };

function startRun({ memory, now }: Site, userId: string): Run {
  const other = memory.exports.get(userId);
  if (other && now() - other.readAt < abandonedAfterMs) throw new Conflict(exportTexts.alreadyRunning);
  other?.cancel();
  const run: Run = {
    readAt: now(),
    cancel: () => {},
    read: () => {
      run.readAt = now();
    },
    end: () => {
      if (memory.exports.get(userId) === run) memory.exports.delete(userId);
    },
  };
  memory.exports.set(userId, run);
  return run;
}

/** Records the reads and the end. A cancellation never fails. */
function follow(zip: ReadableStream<Uint8Array>, run: Run): ReadableStream<Uint8Array> {
  const reader = zip.getReader();
  const cancel = () => {
    run.end();
    return reader.cancel().catch(() => undefined);
  };
  run.cancel = () => void cancel();
  return new ReadableStream({
    async pull(controller) {
      run.read();
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        run.end();
        controller.close();
      } catch (error) {
        run.end();
        throw error;
      }
    },
    cancel,
  });
}

async function* dated(all: AsyncGenerator<ExportFile>, createdAt: Date) {
  for await (const { lastModified = createdAt.getTime(), ...entry } of all) yield { ...entry, lastModified: new Date(lastModified) };
}

async function* entries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  yield { name: "README.txt", input: readme(site, viewer) };
  yield* accountEntries(site, viewer);
  yield* postEntries(site, viewer);
  yield* listEntries(site, viewer);
  yield* messageEntries(site, viewer);
  yield* otherEntries(site, viewer);
}

function readme({ settings, url, now }: Site, { name }: Member): string {
  return `All data of ${name} at ${settings.siteName} (${url}), as of ${new Date(now()).toISOString()}

account.json       name, email, devices, passkeys
decisions.json     moderation decisions, their reasons and your appeals
profile.json/.md   your public profile, with picture.jpg
stories/           published stories as Markdown, with their details at the top
drafts/            drafts, in the same form
unfinished/        work in progress
history/           earlier versions of all of these, named by the time they were replaced
pictures/          their pictures; those within a text, /files/ID there, are in pictures/in-texts
${listNames.join(", ")}: each as .json and .md
conversations.json your conversations, with unread counts and mute settings
messages/          each conversation as .json and .md, with attached files
reports.json       your reports and their outcomes
notifications.json your notifications, their settings and devices, and your newsletter subscription
preferences.json   settings stored by apps, if any
files/             files uploaded by apps, if any

Times are in UTC. The .md files are plain text and can be read anywhere.
`;
}

async function estimate(site: Site, userId: string): Promise<number> {
  const [files, texts] = await Promise.all([
    site.db
      .selectFrom("files")
      .select((eb) => eb.fn.sum<number | null>("size").as("bytes"))
      .where("ownerId", "=", userId)
      .executeTakeFirstOrThrow(),
    site.db
      .selectFrom("posts")
      .select((eb) => eb.fn.sum<number | null>(eb.fn("length", ["markdown"])).as("bytes"))
      .where("userId", "=", userId)
      .executeTakeFirstOrThrow(),
  ]);
  return Number(files.bytes ?? 0) + Number(texts.bytes ?? 0) + 10_000;
}
