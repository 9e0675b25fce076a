import { makeZip } from "client-zip";
import { limitAttempts } from "#domain/limits/attempts.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import type { Member, Site, Viewer } from "../site.ts";
import { accountEntries } from "./account-entries.server.ts";
import type { Entry } from "./entry.ts";
import { listEntries, listNames } from "./list-entries.server.ts";
import { messageEntries } from "./message-entries.server.ts";
import { otherEntries } from "./other-entries.server.ts";
import { storyEntries } from "./post-entries.server.ts";

export type Export = {
  zip: ReadableStream<Uint8Array>;
  /** Estimated size in bytes. */
  about: number;
};

const exportsPerPerson = { max: 10, minutes: 60 };

export async function exportEverything(site: Site, viewer: Viewer): Promise<Export> {
  mustBeAllowed(viewer, "take an account's data away", viewer?.id);
  await limitAttempts(site, { kind: "export", subject: viewer.id }, exportsPerPerson);
  const about = await estimate(site, viewer.id);
  const made = new Date(site.now());
  return { zip: ignoreCancel(makeZip(dated(entries(site, viewer), made))), about };
}

function ignoreCancel(zip: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = zip.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel().catch(() => undefined),
  });
}

async function* dated(all: AsyncGenerator<Entry>, made: Date) {
  for await (const { lastModified = made.getTime(), ...entry } of all) yield { ...entry, lastModified: new Date(lastModified) };
}

async function* entries(site: Site, viewer: Member): AsyncGenerator<Entry> {
  yield { name: "README.txt", input: readme(site, viewer) };
  yield* accountEntries(site, viewer);
  yield* storyEntries(site, viewer);
  yield* listEntries(site, viewer);
  yield* messageEntries(site, viewer);
  yield* otherEntries(site, viewer);
}

function readme({ settings, url, now }: Site, { name }: Member): string {
  return `Everything that ${name} has at ${settings.siteName} (${url}), as of ${new Date(now()).toISOString()}

account.json       name, address, devices, passkeys
decisions.json     what administrators decided on it, why, and your appeals
profile.json/.md   the public profile, with picture.jpg
stories/           published stories, as Markdown that begins with what else there is to know about each
drafts/            the same for drafts
unfinished/        what is being written
history/           what stories, drafts and unfinished work said before, named after the time when it was replaced
pictures/          the pictures of stories, drafts and (in unfinished/) what is being written; those within a text, /files/ID
                   there, are in pictures/in-texts
${listNames.join(", ")}: each as .json and .md
conversations.json whom you write with, what is unread and what is muted
messages/          each conversation as .json and .md, attached files beside them
reports.json       what you reported to the administrators, and what became of it
notifications.json what you were told of your own things, how and on which devices you chose to be told, and the newsletter
preferences.json   what apps keep here for you, if any does
files/             what apps have uploaded for you, if any has

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
