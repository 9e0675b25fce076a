import { join } from "node:path";
import { expect, test } from "vitest";
import { existsIn, missingFiles, readDocuments } from "./tidy/documents.ts";

const root = join(import.meta.dirname, "..");

test("the files that documents name are there", () => {
  const sample = {
    path: "docs/a.md",
    text: "`domain/site.ts`, `tests/tidy/**`, `app/posts/{editor,lists}`, `/admin/posts` and `domain/gone.ts`",
  };
  expect(missingFiles([sample], existsIn(root))).toEqual(["docs/a.md names domain/gone.ts"]);
  const documents = readDocuments(root);
  expect(documents.length).toBeGreaterThan(20);
  expect(missingFiles(documents, existsIn(root))).toEqual([]);
});
