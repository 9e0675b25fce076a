import fc from "fast-check";
import type { Endpoint, Schema } from "./endpoints.ts";
import { anyValue, type Ids, jsonValue, longText } from "./values.ts";

export type Body = { type: string; bytes: Buffer };

type Field = [name: string, value: string];

const nested = fc
  .tuple(fc.constantFrom("[", "."), fc.integer({ min: 1, max: 400 }))
  .map(([kind, depth]) => (kind === "[" ? "[0]".repeat(depth) : ".a".repeat(depth)));

/** Names that parsers may build objects and arrays from. */
const oddEndings = fc.oneof(
  fc.constantFrom(
    "[100000000]",
    "[4294967294]",
    "[-1]",
    "[]",
    "[__proto__]",
    ".constructor.prototype",
    "[0].a[99999]",
    ".",
    "[",
    "[a",
    "\0",
  ),
  fc.integer({ min: 0, max: 4_294_967_295 }).map((index) => `[${index}]`),
  nested,
);
const oddNames = ["__intent__", "__state__", "__proto__", "constructor", "", "_method", "toString", "a"];

function fieldName(fields: string[]): fc.Arbitrary<string> {
  const known = fields.length > 0 ? fc.constantFrom(...fields) : fc.constantFrom(...oddNames);
  return fc.oneof(
    { weight: 20, arbitrary: known },
    { weight: 2, arbitrary: fc.tuple(known, oddEndings).map(([name, ending]) => name + ending) },
    { weight: 1, arbitrary: fc.constantFrom(...oddNames) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  );
}

function formFields(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Field[]> {
  const name = fieldName(endpoint.fields);
  const some = fc.array(fc.tuple(name, anyValue(ids)), { maxLength: 14 });
  const each = fc
    .tuple(...endpoint.fields.slice(0, 60).map(() => anyValue(ids)))
    .map((values) => values.map((value, index): Field => [endpoint.fields[index] ?? "", value]));
  const many = fc
    .tuple(name, fc.integer({ min: 100, max: 20_000 }))
    .map(([one, times]) => Array.from({ length: times }, (): Field => [one, ""]));
  const different = fc
    .integer({ min: 100, max: 8_000 })
    .map((times) => Array.from({ length: times }, (_, index): Field => [`f${index}`, "1"]));
  return fc.oneof(
    { weight: 30, arbitrary: some },
    { weight: 12, arbitrary: each },
    { weight: 1, arbitrary: many },
    { weight: 1, arbitrary: different },
  );
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const urlencoded = (fields: Field[]): Body => ({
  type: "application/x-www-form-urlencoded",
  bytes: Buffer.from(fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")),
});

const boundary = "----attack";
const smallPicture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const fileBytes = fc.oneof(
  fc.constant(smallPicture),
  fc.constant(Buffer.concat([smallPicture.subarray(0, 40), Buffer.alloc(500, 1)])),
  fc.constant(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
);

function multipart(fields: Field[], files: { name: string; fileName: string; bytes: Buffer }[]): Body {
  const plain = (text: string) => text.toWellFormed().replaceAll(/["\r\n]/g, "_");
  const parts = [
    ...fields.map(([name, value]) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${plain(name)}"\r\n\r\n${value.toWellFormed()}\r\n`),
    ),
    ...files.map(({ name, fileName, bytes }) =>
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${plain(name)}"; filename="${plain(fileName)}"\r\nContent-Type: image/png\r\n\r\n`,
        ),
        bytes,
        Buffer.from("\r\n"),
      ]),
    ),
  ];
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]) };
}

function multipartForm(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Body> {
  const file = fc.record({
    name: fc.constantFrom("file", "featuredImage", "profileImage", "picture", ...endpoint.fields),
    fileName: anyValue(ids).map((name) => name.slice(0, 200)),
    bytes: fileBytes,
  });
  return fc
    .tuple(formFields(endpoint, ids), fc.array(file, { maxLength: 3 }))
    .map(([fields, files]) => multipart(fields.slice(0, 3_000), files));
}

/** Mostly as described, sometimes of another type. */
export function fromSchema(schema: Schema | undefined, ids: Ids, depth = 0): fc.Arbitrary<unknown> {
  const other = jsonValue(ids);
  if (!schema || depth > 4) return other;
  const matching = described(schema, ids, depth);
  return fc.oneof({ weight: 7, arbitrary: matching }, { weight: 1, arbitrary: other });
}

function described(schema: Schema, ids: Ids, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum?.length) return fc.constantFrom(...schema.enum);
  if (schema.anyOf?.length) return fc.oneof(...schema.anyOf.map((each) => fromSchema(each, ids, depth + 1)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "integer" || type === "number") return fc.oneof(fc.integer(), fc.double(), fc.constant(1e308));
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(fromSchema(schema.items, ids, depth + 1), { maxLength: 8 });
  if (type !== "object") return anyValue(ids);
  const properties = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fromSchema(each, ids, depth + 1)] as const);
  return fc.record(Object.fromEntries(properties), { requiredKeys: [] });
}

function json(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Body> {
  return fromSchema(endpoint.body, ids).map((value) => ({ type: "application/json", bytes: Buffer.from(JSON.stringify(value) ?? "") }));
}

/** Megabytes of filler, and types that don't match the content. */
const malformed: fc.Arbitrary<Body> = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    `multipart/form-data; boundary=${boundary}`,
    "multipart/form-data",
    "multipart/mixed",
    "text/plain",
    "application/x-www-form-urlencoded; charset=utf-16",
    "",
  ),
  bytes: fc.oneof(
    { weight: 6, arbitrary: fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 6, arbitrary: longText.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 3_000_000 }).map((length) => Buffer.alloc(length, "a=1&")) },
    { weight: 3, arbitrary: fc.integer({ min: 100, max: 30_000 }).map((depth) => Buffer.from("[".repeat(depth))) },
  ),
});

/** A body from valid to absurd. */
export function bodyFor(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Body> {
  const form = formFields(endpoint, ids).map(urlencoded);
  const files = multipartForm(endpoint, ids);
  if (endpoint.kind === "api") {
    const usual = endpoint.isMultipart ? files : json(endpoint, ids);
    return fc.oneof(
      { weight: 12, arbitrary: usual },
      { weight: 1, arbitrary: files },
      { weight: 1, arbitrary: form },
      { weight: 1, arbitrary: malformed },
    );
  }
  return fc.oneof({ weight: 12, arbitrary: form }, { weight: 3, arbitrary: files }, { weight: 1, arbitrary: malformed });
}
