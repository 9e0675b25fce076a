import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { originalKey } from "#platform/files/file-keys.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { sweepUnattached } from "../files/files.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import { sendAttachment } from "./attachments.server.ts";
import { setBlocked } from "./blocking.server.ts";
import { readMessages } from "./chat.server.ts";
import { listConversations } from "./conversations.server.ts";
import { deleteChat, deleteMessage } from "./deleting.server.ts";
import { attachmentMaxBytes } from "./message.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

let sends = 0;
const send = (name: string, bytes: Uint8Array, sendId = `a${sends++}`) =>
  sendAttachment(world.site, world.maren, { to: world.tobias.id, sendId, upload: { name, bytes } });
const fileOf = async () => (await readMessages(world.site, world.tobias, world.maren.id)).messages.at(-1)?.file;
const rows = async () => (await world.site.db.selectFrom("files").select("id").execute()).length;

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
/** The first entry's header, which tells the type. */
const zipOf = (name: string, content = "x") =>
  bytes(
    "PK\x03\x04",
    [20, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0],
    [content.length, 0, 0, 0],
    [content.length, 0, 0, 0],
    [name.length, 0, 0, 0],
    name,
    content,
  );
const compound = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], [...new Uint8Array(600)]);
const word = Buffer.concat([compound, Buffer.from("WordDocument", "utf16le"), Buffer.alloc(600)]);
const pdf = bytes("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
const rar = bytes("Rar!\x1a\x07\x01\x00", [...new Uint8Array(40)]);

describe("allowed types by content", () => {
  test.each([
    ["a PDF", "notes.pdf", pdf, "notes.pdf", "application/pdf"],
    ["a PDF with another ending", "notes.exe", pdf, "notes.exe.pdf", "application/pdf"],
    ["a Word document", "old.doc", word, "old.doc", "application/msword"],
    ["a text", "list.txt", bytes("Bread\r\nsalt\n"), "list.txt", "text/plain"],
    ["a text in another alphabet", "список.txt", Buffer.from("Хлеб, соль", "utf8"), "список.txt", "text/plain"],
    ["a ZIP file", "all.zip", zipOf("a.txt"), "all.zip", "application/zip"],
    ["a RAR file", "all.rar", rar, "all.rar", "application/x-rar-compressed"],
    ["a name with folders", "C:\\secret\\..\\notes.pdf", pdf, "notes.pdf", "application/pdf"],
    ["a name with a mark for right-to-left", "a\u202efdp.pdf", pdf, "afdp.pdf", "application/pdf"],
  ])("%s", async (_what, name, content, kept, type) => {
    await send(name, content);
    expect(await fileOf()).toMatchObject({ name: kept, type, size: content.byteLength, ratio: null });
  });

  test.each([
    ["a script", "run.sh", bytes("#!/bin/sh\nrm -rf /\n")],
    ["a page", "page.html", bytes("<!doctype html><script>alert(1)</script>")],
    ["a drawing that can hold scripts", "a.svg", bytes('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
    ["a program", "tool.exe", bytes("MZ\x90\x00", [...new Uint8Array(200)])],
    ["a program named .txt", "tool.txt", bytes("MZ\x90\x00", [...new Uint8Array(200)])],
    ["a program named .png", "tool.png", bytes("MZ\x90\x00", [...new Uint8Array(200)])],
    ["a spreadsheet in Word's container", "table.doc", compound],
    ["nothing", "empty.txt", bytes("")],
  ])("not %s", async (_what, name, content) => {
    await expect(send(name, content)).rejects.toMatchObject({ code: "invalid" });
    expect(await rows()).toBe(0);
  });

  test("exactly 10 MB are allowed", async () => {
    await send("large.txt", Buffer.alloc(attachmentMaxBytes, "a"));
    await expect(send("larger.txt", Buffer.alloc(attachmentMaxBytes + 1, "a"))).rejects.toMatchObject({
      code: "too-large",
      message: "File size must be less than 10MB",
    });
    expect(await rows()).toBe(1);
  });
});

describe("a sent file", () => {
  test("is a message with its name, and with a picture's ratio", async () => {
    const { name, bytes } = await picture();
    await send(name, bytes);
    const [message] = (await readMessages(world.site, world.tobias, world.maren.id)).messages;
    expect(message).toMatchObject({ message: name, file: { type: "image/jpeg" } });
    expect(message?.file?.ratio).toBeGreaterThan(0);
    expect((await listConversations(world.site, world.tobias)).conversations[0]?.lastMessage).toMatchObject({
      preview: name,
      isFile: true,
    });
  });

  test.each(["jpeg", "png", "webp"] as const)("has its location removed and its orientation kept as a picture (%s)", async (format) => {
    const photo = await sharp({ create: { width: 60, height: 30, channels: 3, background: "#336" } })
      .withExif({ IFD0: { Copyright: "Maren Holt" }, IFD3: { GPSLatitude: "58/1 12/1 33/1", GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .toFormat(format)
      .toBuffer();
    expect(await sharp(photo).metadata()).toHaveProperty("exif");
    await send(`walk.${format}`, photo);
    const sent = await sharp(await world.site.files.get(originalKey((await fileOf())?.id ?? ""))).metadata();
    expect(sent).toMatchObject({ format, width: 30, height: 60 });
    expect(sent).not.toHaveProperty("exif");
  });

  test("stays animated as an animated PNG", async () => {
    const still = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#336" } })
      .withIccProfile("p3")
      .png()
      .toBuffer();
    const chunk = bytes("acTL", [0, 0, 0, 1, 0, 0, 0, 0]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(chunk));
    const headEnd = 33;
    const moving = Buffer.concat([still.subarray(0, headEnd), bytes([0, 0, 0, 8]), chunk, sum, still.subarray(headEnd)]);
    await send("wave.png", moving);
    const file = await fileOf();
    expect(file).toMatchObject({ type: "image/apng" });
    expect(Buffer.compare((await world.site.files.get(originalKey(file?.id ?? ""))) ?? Buffer.alloc(0), moving)).toBe(0);
  });

  test("can be read by both people and administrators only", async () => {
    await send("notes.pdf", pdf);
    const { site, maren, tobias, ruth, salma } = world;
    const id = (await fileOf())?.id ?? "";
    for (const viewer of [maren, tobias, ruth])
      expect(await findReadableFile(site, viewer, id)).toMatchObject({ name: "notes.pdf", isPublic: false });
    for (const viewer of [null, salma]) await expect(findReadableFile(site, viewer, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("is deleted with its message, including the bytes", async () => {
    const { id } = await send("notes.pdf", pdf);
    const fileId = (await fileOf())?.id ?? "";
    await deleteMessage(world.site, world.tobias, id);
    await expect(findReadableFile(world.site, world.maren, fileId)).rejects.toMatchObject({ code: "not-found" });
    expect([await rows(), await world.site.files.size(`${fileId}/original`)]).toEqual([0, undefined]);
  });

  test("is left to the sweep with all others of a long chat if the store is down", async () => {
    const { site, maren, tobias } = world;
    await send("first.pdf", pdf);
    const { id: conversationId } = await site.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
    const between = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ id: `x${index}`, conversationId, number: index + 2, sendId: `x${index}`, senderId: maren.id, receiverId: tobias.id },
      ...{ message: "x", isRead: true, fileId: null, createdAt: index },
    }));
    for (const half of [between.slice(0, 500), between.slice(500)]) await site.db.insertInto("messages").values(half).execute();
    await site.db.updateTable("conversations").set({ lastNumber: 1_001 }).execute();
    await send("last.pdf", pdf);
    let tries = 0;
    const deleteFolder = async () => {
      tries++;
      throw new Error("the store doesn't answer");
    };
    await deleteChat({ ...site, files: { ...site.files, deleteFolder } }, maren, tobias.id);
    expect([tries, await rows()]).toEqual([1, 2]);
    expect(await sweepUnattached(site, site.now())).toBe(2);
  });

  test("is one message with one file after a retry", async () => {
    const answers = await Promise.all([send("notes.pdf", pdf, "once"), send("notes.pdf", pdf, "once")]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await send("notes.pdf", pdf, "once")).toEqual(answers[0]);
    expect([await rows(), (await readMessages(world.site, world.maren, world.tobias.id)).messages.length]).toEqual([1, 1]);
  });
});

test("is swept if a crash prevents its message", async () => {
  const { site, maren, tobias } = world;
  const put = async (key: string, content: Uint8Array) => {
    await site.files.put(key, content);
    throw new Error("killed");
  };
  const upload = { name: "notes.pdf", bytes: pdf };
  const crashing = { ...site, files: { ...site.files, put } };
  await expect(sendAttachment(crashing, maren, { to: tobias.id, sendId: "1", upload })).rejects.toMatchObject({ code: "unavailable" });
  expect(await rows()).toBe(1);
  expect(await sweepUnattached(site, site.now())).toBe(1);
  expect(await rows()).toBe(0);
});

test("from a blocked person can be read by them only", async () => {
  const { site, maren, tobias } = world;
  await setBlocked(site, tobias, maren.id, true);
  await send("notes.pdf", pdf);
  const id = (await readMessages(site, maren, tobias.id)).messages[0]?.file?.id ?? "";
  expect(await findReadableFile(site, maren, id)).toMatchObject({ name: "notes.pdf" });
  await expect(findReadableFile(site, tobias, id)).rejects.toMatchObject({ code: "not-found" });
});
