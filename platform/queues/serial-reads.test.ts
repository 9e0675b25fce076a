import { expect, test } from "vitest";
import { DatabaseUnreachable } from "../database/errors.ts";
import { createLog } from "../log.ts";
import { serialReads } from "./serial-reads.ts";

const log = createLog("silent");

test("a slow read of an older value never replaces a newer one", async () => {
  const answers: PromiseWithResolvers<string>[] = [];
  let name = "";
  const readOnce = async () => {
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    name = await answer.promise;
  };
  const { reload } = serialReads(readOnce, log, "the name");
  const [first, second] = [reload(), reload()];
  expect(answers).toHaveLength(1);
  answers[0]?.resolve("Night Bus");
  await first;
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.resolve("Day Bus");
  await second;
  expect(name).toBe("Day Bus");
});

test("a failed read is repeated when the database was out, and only then", async () => {
  const errors = [new DatabaseUnreachable("closed"), new DatabaseUnreachable("closed"), new Error("no such table")];
  let reads = 0;
  const { read, reload } = serialReads(
    async () => {
      reads++;
      const error = errors.shift();
      if (error) throw error;
    },
    log,
    "the name",
  );
  await expect(read()).rejects.toThrow(DatabaseUnreachable);
  await reload();
  expect(reads).toBe(2);
  // The repetition ends at the third error.
  await expect.poll(() => errors).toEqual([]);
  await read();
  expect(reads).toBe(4);
});
