import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOptions } from "./options.ts";

let from: string;
beforeAll(() => {
  from = mkdtempSync(join(tmpdir(), "inkstead-options-"));
  writeFileSync(join(from, "inkstead.db"), "");
});
afterAll(() => rmSync(from, { recursive: true }));

const to = "postgres://me:word@db.example/stories";
const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "word" };

describe("the options of a move", () => {
  test("name source and target", () => {
    const { target, ...rest } = readOptions(["--from", from, "--to", to], {});
    expect(rest).toEqual({ from, files: "on disk", restart: false });
    expect(target).toMatchObject({ databaseUrl: to, dataDir: from, s3: undefined });
  });

  test("take the database from the environment, which hides its password from other accounts", () => {
    expect(readOptions(["--from", from], { DATABASE_URL: to }).target.databaseUrl).toBe(to);
  });

  test("may name a bucket and a new beginning", () => {
    const { target, files, restart } = readOptions(
      ["--from", from, "--to", to, "--files", "s3://letters?region=eu-west-1", "--restart"],
      keys,
    );
    expect({ files, restart, bucket: target.s3?.bucket }).toEqual({ files: "copied", restart: true, bucket: "letters" });
  });

  test("come before the site's own environment", () => {
    const { target } = readOptions(["--from", from, "--to", to], { DATABASE_URL: "postgres://else/where" });
    expect(target.databaseUrl).toBe(to);
  });

  test("leave files in the bucket where they are, also with off-site backups to that bucket", () => {
    const environment = { ...keys, FILES_URL: "s3://letters?region=eu-west-1", BACKUP_RECIPIENT: "age1key" };
    const { target, files } = readOptions(["--from", from, "--to", to], environment);
    expect([files, target.s3, target.offsite]).toEqual(["in bucket", undefined, undefined]);
    const elsewhere = { ...environment, BACKUP_S3_URL: "s3://backups?region=eu-west-1" };
    expect(readOptions(["--from", from, "--to", to], elsewhere).files).toBe("in bucket");
  });

  test.each([
    [[], /^--from is missing\.\n\nUsage:\n {2}DATABASE_URL=\S+ npm run move-to-postgres -- --from/],
    [["--from", "data"], /^DATABASE_URL, or --to, is missing\.\n\nUsage/],
    [["--from", "/nowhere", "--to", to], /^--from \/nowhere is not the data folder of a site on SQLite: there is no inkstead\.db in it\.$/],
    [
      ["--from", "FOLDER", "--to", "mysql://a/b"],
      /^DATABASE_URL, or --to, must be a complete address that begins with postgres:\/\/ or postgresql:\/\/\.$/,
    ],
    [["--from", "FOLDER", "--to", to, "--files", "disk"], /^--files must begin with s3:\/\/\.$/],
    [["--from", "FOLDER", "--to", to, "--files", "s3://letters?region=a"], /^AWS_ACCESS_KEY_ID is missing/],
    [["--from", "FOLDER", "--to", to, "--files", ""], /^--files is empty\./],
    [["--from", "FOLDER", "--to", to, "--fast"], /^Unknown option '--fast'/],
    [["--from", "FOLDER", "--to", to, "more"], /^Unexpected argument 'more'/],
  ])("%j are refused with the reason", (args, message) => {
    expect(() =>
      readOptions(
        args.map((each) => (each === "FOLDER" ? from : each)),
        {},
      ),
    ).toThrow(message);
  });
});
