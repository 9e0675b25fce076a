import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import type { FileStore } from "./file-store.ts";
import { openFiles } from "./open.ts";

const megabyte = 1024 * 1024;
const bytes = (text: string) => Buffer.from(text);

let s3: RunningS3;
let dataDir: string;
beforeAll(async () => {
  s3 = await startS3();
  dataDir = mkdtempSync(join(tmpdir(), "inkstead-store-"));
});
afterAll(async () => {
  await s3.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The contract of every file store. */
describe.each(["disk", "s3"])("files on %s", (kind) => {
  let store: FileStore;
  beforeEach(async () => {
    store = await openFiles({ dataDir: mkdtempSync(join(dataDir, "site-")), s3: kind === "s3" ? s3.place() : undefined });
  });
  afterEach(() => store.close());

  const part = async (key: string, start: number, end: number) => {
    const stream = await store.stream(key, start, end);
    return stream && buffer(stream);
  };

  test("bytes are read back unchanged", async () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    await store.put("a/original", all);
    expect(await store.get("a/original")).toEqual(Buffer.from(all));
    expect(await store.size("a/original")).toBe(256);
    expect(await part("a/original", 0, 255)).toEqual(Buffer.from(all));
  });

  test("stores only the view of a larger buffer", async () => {
    await store.put("a/original", bytes("before, within, behind").subarray(8, 14));
    expect(String(await store.get("a/original"))).toBe("within");
  });

  test("an empty file is a file", async () => {
    await store.put("a/original", new Uint8Array());
    expect(await store.get("a/original")).toEqual(Buffer.alloc(0));
    expect(await store.size("a/original")).toBe(0);
  });

  test("an unknown key is undefined", async () => {
    await store.put("a/original", bytes("text"));
    for (const key of ["a/other", "b/original", "a/original/more", "a"]) {
      expect([await store.get(key), await store.size(key)]).toEqual([undefined, undefined]);
    }
    for (const key of ["a/other", "b/original"]) expect(await store.stream(key, 0, 1)).toBeUndefined();
  });

  test("a second put replaces the first", async () => {
    await store.put("a/original", bytes("first, and longer"));
    await store.put("a/original", bytes("second"));
    expect(String(await store.get("a/original"))).toBe("second");
  });

  test("of parallel puts of one key, one is stored whole", async () => {
    const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100_000 + i));
    await Promise.all(texts.map((text) => store.put("a/original", bytes(text))));
    expect(texts).toContain(String(await store.get("a/original")));
  });

  test.each(["a", "A-Z_a.z-09/original", ".hidden/..two/three..", `${"long/".repeat(30)}end`, "a/96.webp.partial"])(
    "accepts the key %s",
    async (key) => {
      await store.put(key, bytes(key));
      expect(String(await store.get(key))).toBe(key);
      expect(String(await part(key, 0, key.length - 1))).toBe(key);
    },
  );

  test.each([
    "",
    ".",
    "..",
    "../secret",
    "a/../../secret",
    "/etc/passwd",
    "a//b",
    "a/",
    "a\\..\\b",
    "a\0b",
    "ä",
    "a b",
    "a+b",
    "a?b",
    "a%2fb",
  ])("the key %j is refused, as a rejection", async (key) => {
    const attempts = [
      () => store.put(key, bytes("x")),
      () => store.get(key),
      () => store.size(key),
      () => store.stream(key, 0, 1),
      () => store.deleteFolder(key),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/is not a file key/);
  });

  describe("deleting a folder", () => {
    test("removes everything in it and nothing else, and is idempotent", async () => {
      for (const key of ["a/original", "a/96.webp", "a/deep/er", "ab/original", "a.b"]) await store.put(key, bytes(key));
      await store.deleteFolder("a");
      await store.deleteFolder("a");
      for (const key of ["a/original", "a/96.webp", "a/deep/er"]) expect(await store.get(key)).toBeUndefined();
      for (const key of ["ab/original", "a.b"]) expect(String(await store.get(key))).toBe(key);
    });

    test("removes more than a thousand keys", async () => {
      const keys = Array.from({ length: 1_050 }, (_, i) => `many/${Math.floor(i / 50)}/${i}`);
      for (let i = 0; i < keys.length; i += 50) await Promise.all(keys.slice(i, i + 50).map((key) => store.put(key, bytes("x"))));
      await store.deleteFolder("many");
      const left = await Promise.all(["many/0/0", "many/19/999", "many/20/1000", "many/20/1049"].map((key) => store.size(key)));
      expect(left).toEqual([undefined, undefined, undefined, undefined]);
    });
  });

  test("the check passes, also in parallel", async () => {
    await expect(Promise.all([store.check(), store.check(), store.check()])).resolves.toHaveLength(3);
  });

  describe("a stream", () => {
    test("returns a part, both ends included", async () => {
      await store.put("a/original", bytes("0123456789"));
      expect(String(await part("a/original", 2, 5))).toBe("2345");
      expect(String(await part("a/original", 0, 0))).toBe("0");
      expect(String(await part("a/original", 9, 9))).toBe("9");
    });

    test("returns the same bytes across chunks", async () => {
      const all = randomBytes(2 * megabyte + 3);
      await store.put("a/original", all);
      for (const [start, end] of [
        [0, all.length - 1],
        [1, megabyte],
        [megabyte - 1, 2 * megabyte],
        [65_535, 65_536],
        [5, megabyte + 4],
        [2 * megabyte, 2 * megabyte + 2],
      ] as const) {
        expect((await part("a/original", start, end))?.equals(all.subarray(start, end + 1))).toBe(true);
      }
    });

    test("of 20 MB buffers little", async () => {
      const all = randomBytes(20 * megabyte);
      await store.put("large/original", all);
      const before = buffersInUse();
      const stream = await store.stream("large/original", 0, all.length - 1);
      let seen = 0;
      let most = 0;
      let wrong = 0;
      for await (const chunk of stream ?? []) {
        if (!all.subarray(seen, seen + chunk.length).equals(chunk)) wrong++;
        if (Math.floor(seen / megabyte) !== Math.floor((seen + chunk.length) / megabyte)) {
          await sleep(5); // Long enough to read far ahead, were nothing to hold it back.
          most = Math.max(most, buffersInUse() - before);
        }
        seen += chunk.length;
      }
      expect({ seen, wrong }).toEqual({ seen: all.length, wrong: 0 });
      expect(most).toBeLessThan(10 * megabyte);
    });

    test("ends without an error when destroyed", async () => {
      await store.put("large/original", Buffer.alloc(20 * megabyte));
      const stream = await store.stream("large/original", 0, 20 * megabyte - 1);
      const errors: unknown[] = [];
      stream?.on("error", (error) => errors.push(error));
      stream?.once("data", () => setImmediate(() => stream.destroy()));
      await new Promise((resolve) => stream?.once("close", resolve));
      await sleep(50);
      expect([errors, stream?.readableEnded]).toEqual([[], false]);
    });
  });
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of all buffers that are still referenced. */
function buffersInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
