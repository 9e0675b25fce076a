import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { picture } from "../support/pictures.ts";
import { type Connection, everySdk, failure, ids, type OpenApi, openApi } from "./api.ts";

let api: OpenApi;
beforeEach(async () => {
  api = await openApi();
  Object.assign(api.world.site.settings, { maxFileSize: 100, allowedFileTypes: ["jpg", "png", "pdf", "txt", "zip"] });
});
afterEach(() => api.close());

const megabyte = 1024 * 1024;
const named = (bytes: Uint8Array, name = "a.zip") => new File([new Uint8Array(bytes)], name);
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const publicly = ['read("any")'];
const failOnProgress = () => {
  throw new Error("There is no progress in one request.");
};

const get = (path: string, headers: Record<string, string> = {}) => fetch(path, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe.each(everySdk)("files with %s", (name) => {
  /** The newest browser client takes a folder before the progress callback. */
  const createWithProgress = (
    storage: Connection["storage"],
    id: string,
    file: File,
    onProgress: (progress: { chunksUploaded: number }) => void,
  ) => {
    const rest = name === "appwrite 27.0.0" ? [undefined, onProgress] : [onProgress];
    return (storage.createFile as (...all: unknown[]) => ReturnType<typeof storage.createFile>)(ids.bucket, id, file, undefined, ...rest);
  };

  const connect = (who: "maren" | "tobias" | "ruth" | undefined = "maren") => api.connect(name, who && api.world[who]);
  /** node-appwrite returns bytes where the others return addresses. */
  const urlOf = (path: string) => `${api.endpoint}/storage/buckets/files/files/${path}${path.includes("?") ? "&" : "?"}project=inkstead`;

  test("51 a small file is uploaded in one request", async () => {
    const { storage } = await connect();
    const bytes = randomBytes(1000);
    const file = await createWithProgress(storage, "small", named(bytes, "note.txt"), failOnProgress);
    const { id } = api.world.maren;
    expect(file).toMatchObject({ $id: "small", name: "note.txt", signature: md5(bytes), sizeOriginal: 1000, mimeType: "text/plain" });
    expect(file).toMatchObject({ bucketId: "files", chunksTotal: 1, chunksUploaded: 1 });
    expect(file.$permissions).toEqual([`read("user:${id}")`, `update("user:${id}")`, `delete("user:${id}")`]);
  });

  test("52 exactly 5 MiB are uploaded in one request, 53 and 54 more in chunks", async () => {
    const { storage } = await connect();
    const exact = randomBytes(5 * megabyte);
    expect(await storage.createFile(ids.bucket, "unique()", named(exact))).toMatchObject({ signature: md5(exact), chunksTotal: 1 });
    const large = randomBytes(11 * megabyte);
    const seen: number[] = [];
    const file = await createWithProgress(storage, "unique()", named(large), (progress) => seen.push(progress.chunksUploaded));
    expect(seen.length).toBeGreaterThan(1);
    expect(await storage.getFile(ids.bucket, file.$id)).toMatchObject({
      signature: md5(large),
      chunksTotal: 3,
      chunksUploaded: 3,
      sizeOriginal: large.length,
    });
    await storage.updateFile(ids.bucket, file.$id, undefined, publicly);
    expect((await bytesOf(await get(urlOf(`${file.$id}/download`)))).equals(large)).toBe(true);
    expect((await storage.listFiles(ids.bucket)).total).toBe(2);
    const part = await get(urlOf(`${file.$id}/download`), { range: `bytes=${5 * megabyte - 10}-${5 * megabyte + 9}` });
    expect([part.status, (await bytesOf(part)).equals(large.subarray(5 * megabyte - 10, 5 * megabyte + 10))]).toEqual([206, true]);
  });

  test("55 existing ids, unknown buckets and forbidden types are refused", async () => {
    const { storage } = await connect();
    await storage.createFile(ids.bucket, "taken", named(randomBytes(10)));
    const create = (id: string, file: File, bucket = ids.bucket) => failure(() => storage.createFile(bucket, id, file));
    expect(await create("taken", named(randomBytes(10)))).toMatchObject({ code: 409, type: "storage_file_already_exists" });
    expect(await create("a", named(randomBytes(10)), "other")).toMatchObject({ code: 404, type: "storage_bucket_not_found" });
    expect(await create("a", named(randomBytes(10), "a.exe"))).toMatchObject({ code: 400, type: "storage_file_type_unsupported" });
    api.world.site.settings.maxFileSize = 1;
    expect(await create("a", named(randomBytes(megabyte + 1)))).toMatchObject({ code: 400, type: "storage_invalid_file_size" });
    expect(await storage.createFile(ids.bucket, "b", named(randomBytes(megabyte)))).toMatchObject({ $id: "b" });
  });

  test("56 and 57 public files can be viewed and downloaded by anyone, also in ranges", async () => {
    const { storage } = await connect();
    const { bytes } = await picture();
    await storage.createFile(ids.bucket, "cover", named(bytes, "cover.jpg"), publicly);
    const view = await get(`${urlOf("cover/view")}&impersonateuserid=`);
    expect([view.status, view.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(view.headers.get("content-disposition")).toMatch(/^inline/);
    expect(view.headers.get("x-content-type-options")).toBe("nosniff");
    const download = await get(urlOf("cover/download"));
    expect(download.headers.get("content-disposition")).toMatch(/^attachment; filename="cover.jpg"/);
    expect((await bytesOf(download)).equals(Buffer.from(bytes))).toBe(true);
    await storage.createFile(ids.bucket, "quoted", named(bytes, "Maren's (1) é.jpg"), publicly);
    expect((await get(urlOf("quoted/download"))).headers.get("content-disposition")).toBe(
      "attachment; filename=\"Maren's (1) _.jpg\"; filename*=UTF-8''Maren%27s%20%281%29%20%C3%A9.jpg",
    );
    const etag = download.headers.get("etag") ?? "";
    expect((await get(urlOf("cover/download"), { "if-none-match": etag })).status).toBe(304);
    const part = await get(urlOf("cover/view"), { range: "bytes=0-9" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 0-9/${bytes.length}`]);
    const beyond = await get(urlOf("cover/view"), { range: `bytes=${bytes.length}-` });
    expect([beyond.status, (await beyond.json()).type]).toEqual([416, "storage_invalid_range"]);
  });

  test("private files are visible to their owner and administrators only", async () => {
    const { storage } = await connect();
    await storage.createFile(ids.bucket, "diary", named(randomBytes(10), "diary.txt"));
    for (const who of ["tobias", undefined] as const) {
      const other = who ? await connect(who) : await api.connect(name);
      expect(await failure(() => other.storage.getFile(ids.bucket, "diary"))).toMatchObject({ code: 404, type: "storage_file_not_found" });
      expect(await failure(() => other.storage.deleteFile(ids.bucket, "diary"))).toMatchObject({ code: 404 });
      expect((await other.storage.listFiles(ids.bucket)).total).toBe(0);
    }
    for (const path of ["view", "download", "preview"]) expect((await get(urlOf(`diary/${path}`))).status).toBe(404);
    const { storage: staff } = await connect("ruth");
    expect(await staff.getFile(ids.bucket, "diary")).toMatchObject({ $id: "diary" });
    // Staff remove files in the admin area, with a reason and a record.
    expect(await failure(() => staff.updateFile(ids.bucket, "diary", "g.txt", publicly))).toMatchObject({ code: 401 });
    expect(await failure(() => staff.deleteFile(ids.bucket, "diary"))).toMatchObject({ code: 401 });
    expect(await storage.getFile(ids.bucket, "diary")).toMatchObject({ name: "diary.txt" });
    const visitor = await api.connect(name);
    expect(await failure(() => visitor.storage.createFile(ids.bucket, "x", named(randomBytes(10))))).toMatchObject({ code: 401 });
  });

  test("a file can be renamed, made public and removed", async () => {
    const { storage } = await connect();
    await storage.createFile(ids.bucket, "f", named(randomBytes(10), "f.txt"));
    expect(await storage.updateFile(ids.bucket, "f", "g.txt", publicly)).toMatchObject({ name: "g.txt" });
    expect((await get(urlOf("f/view"))).status).toBe(200);
    expect(await storage.deleteFile(ids.bucket, "f")).toEqual({ message: "" });
    expect((await get(urlOf("f/view"))).status).toBe(404);
  });

  test("a new name follows the rules of an upload", async () => {
    const { storage } = await connect();
    await storage.createFile(ids.bucket, "f", named(randomBytes(10), "f.txt"), publicly);
    expect(await failure(() => storage.updateFile(ids.bucket, "f", "Setup.exe"))).toMatchObject({
      code: 400,
      type: "storage_file_type_unsupported",
    });
    expect(await storage.updateFile(ids.bucket, "f", "../Setup\u202e.txt")).toMatchObject({ name: "Setup.txt" });
    expect((await get(urlOf("f/download"))).headers.get("content-disposition")).toContain('filename="Setup.txt"');
  });

  test("files are listed by queries only", async () => {
    const { storage, sdk } = await connect();
    for (const id of ["a", "b", "c"]) await storage.createFile(ids.bucket, id, named(randomBytes(10), `${id}.txt`));
    const list = await storage.listFiles(ids.bucket, [sdk.Query.orderDesc("name"), sdk.Query.limit(2)]);
    expect([list.total, list.files.map((file) => file.$id)]).toEqual([3, ["c", "b"]]);
    expect((await storage.listFiles(ids.bucket, [], "b.t")).total).toBe(1);
    const bad = await failure(() => storage.listFiles(ids.bucket, [sdk.Query.equal("unknown", 1)]));
    expect(bad).toMatchObject({ code: 400, type: "general_argument_invalid" });
  });

  test("58 previews have the next larger size of a fixed list", async () => {
    const { storage } = await connect();
    await storage.createFile(ids.bucket, "cover", named((await picture("cover.jpg", 1600, 900)).bytes, "cover.jpg"), publicly);
    const preview = async (query: string) => {
      const response = await get(urlOf(`cover/preview?${query}`));
      expect([query, response.status]).toEqual([query, 200]);
      const { format, width, height } = await sharp(await bytesOf(response)).metadata();
      return [format, width, height];
    };
    expect(await preview("")).toEqual(["jpeg", 1200, 675]);
    expect(await preview("width=100")).toEqual(["jpeg", 192, 108]);
    expect(await preview("width=96&height=96&gravity=top-left&output=webp&quality=50")).toEqual(["webp", 96, 96]);
    expect(await preview("width=96&height=150&borderWidth=9&borderColor=ff0000&borderRadius=20&output=png")).toEqual(["png", 116, 212]);
    expect(await preview("width=192&height=96&rotation=80&opacity=0.5&background=fff&output=png")).toEqual(["png", 96, 192]);
    for (const wrong of [
      "width=4001",
      "height=-1",
      "quality=101",
      "opacity=2",
      "rotation=361",
      "gravity=up",
      "output=exe",
      "background=red",
    ]) {
      const response = await get(urlOf(`cover/preview?${wrong}`));
      expect([wrong, response.status, (await response.json()).type]).toEqual([wrong, 400, "general_argument_invalid"]);
    }
    await storage.createFile(ids.bucket, "text", named(randomBytes(10), "a.txt"), publicly);
    expect((await get(urlOf("text/preview?width=50"))).headers.get("content-type")).toBe("image/jpeg");
  });
});

test("53 60 MiB in parallel, in any order", async () => {
  const { storage } = await api.connect("appwrite 27.0.0", api.world.maren);
  const bytes = randomBytes(60 * megabyte);
  const file = await storage.createFile(ids.bucket, "unique()", named(bytes));
  expect(await storage.getFile(ids.bucket, file.$id)).toMatchObject({ signature: md5(bytes), chunksTotal: 12, chunksUploaded: 12 });
});

describe("chunks", () => {
  const size = 11 * megabyte;
  const whole = randomBytes(size);
  const chunkBytes = 5 * megabyte;
  let session: string;
  beforeEach(async () => {
    session = await api.signIn(api.world.maren);
  });

  async function send(number: number, { as = session, range = "" } = {}) {
    const [start, end] = [number * chunkBytes, Math.min(size, (number + 1) * chunkBytes) - 1];
    const form = new FormData();
    form.set("fileId", "in-chunks");
    form.set("file", named(whole.subarray(start, end + 1)));
    const headers = {
      "x-appwrite-project": "inkstead",
      "x-appwrite-session": as,
      "content-range": range || `bytes ${start}-${end}/${size}`,
    };
    const response = await fetch(`${api.endpoint}/storage/buckets/files/files`, { method: "POST", headers, body: form });
    return { status: response.status, ...((await response.json()) as { signature: string; chunksUploaded: number; type: string }) };
  }

  test("may arrive in any order, twice and concurrently", async () => {
    expect(await send(2)).toMatchObject({ status: 201, signature: "", chunksUploaded: 1 });
    expect(await send(2)).toMatchObject({ status: 201, signature: "", chunksUploaded: 1 });
    await Promise.all([send(0), send(1), send(1)]);
    const { storage } = await api.connect("appwrite 18.2.0", api.world.maren);
    expect(await storage.getFile(ids.bucket, "in-chunks")).toMatchObject({ signature: md5(whole), chunksUploaded: 3 });
    expect(await send(0)).toMatchObject({ status: 409, type: "storage_file_already_exists" });
  });

  test("can only be sent by the file's owner", async () => {
    await send(0);
    expect(await send(1, { as: await api.signIn(api.world.tobias) })).toMatchObject({ status: 409 });
  });

  test("with an invalid range are refused", async () => {
    for (const range of [
      "bytes 0-1/2",
      `bytes 1-${chunkBytes}/${size}`,
      "bytes 5-4/10",
      "pages 1-2/3",
      `bytes 0-${size - 1}/${size}`,
      "bytes 0-5242879/5",
    ])
      expect(await send(0, { range })).toMatchObject({ status: 400, type: "storage_invalid_content_range" });
  });
});
