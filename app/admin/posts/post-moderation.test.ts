import { describe, expect, test } from "vitest";
import { bulkResult, requestFailureResult, toastsOf } from "./post-moderation.ts";

function formOf(fields: [name: string, value: string][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

describe("after a request failure the toast says what failed (messaging and administration §8)", () => {
  test.each([
    [[["do", "likes"]], "Failed to adjust likes. Please try again."],
    [[["do", "views"]], "Failed to update views"],
    [[["do", "publish"]], "Failed to update post status"],
    [[["do", "unfeature"]], "Failed to update featured status"],
    [[["do", "pin"]], "Failed to update pinned status"],
    [[["do", "delete"]], "Failed to delete post"],
    [
      [
        ["bulk", "feature"],
        ["ids", "a"],
        ["ids", "b"],
      ],
      "Failed to feature posts",
    ],
    [
      [
        ["bulk", "delete"],
        ["ids", "a"],
      ],
      "Failed to delete posts",
    ],
    [[["do", "something"]], "The connection was lost. Please try again."],
  ] as [fields: [string, string][], text: string][])("%j: %s", (fields, text) => {
    expect(requestFailureResult(formOf(fields))).toEqual({ tone: "error", text });
  });
});

describe("a bulk action counts successes and failures", () => {
  test.each([
    ["feature", { successful: 3, failed: 0 }, [{ tone: "success", text: "3 posts featured" }]],
    ["publish", { successful: 1, failed: 0 }, [{ tone: "success", text: "1 post published" }]],
    ["delete", { successful: 0, failed: 2 }, [{ tone: "error", text: "Failed to delete 2 post(s)" }]],
    [
      "unpublish",
      { successful: 3, failed: 1 },
      [
        { tone: "error", text: "Failed to unpublish 1 post(s)" },
        { tone: "success", text: "3 posts unpublished" },
      ],
    ],
  ])("%s: %j", (action, result, toasts) => {
    expect(toastsOf(bulkResult(action, { ...result, batchId: "1" }))).toEqual(toasts);
  });
});
