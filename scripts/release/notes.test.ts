import { expect, test } from "vitest";
import { releaseNotes } from "./notes.ts";

const changelog = `# Changelog

What people notice.

## 0.2.0, 2027-01-31

### For readers and writers
- Comments.

## 0.1.0, 2026-12-01

### For readers and writers
- Stories.
`;

test("release notes are the version's section of the changelog", () => {
  expect(releaseNotes("v0.2.0", "0.2.0", changelog)).toBe("### For readers and writers\n- Comments.\n");
  expect(releaseNotes("v0.1.0", "0.1.0", changelog)).toBe("### For readers and writers\n- Stories.\n");
});

test.each([
  ["a tag of another version", "v0.2.0", "0.1.0", changelog, "should be v0.1.0"],
  ["no tag", "", "0.1.0", changelog, "The tag is missing"],
  ["a version that the changelog doesn’t know", "v0.3.0", "0.3.0", changelog, "no heading"],
  ["a version that is not out", "v0.2.0", "0.2.0", changelog.replace("2027-01-31", "unreleased"), "with the day"],
  ["nothing to say", "v0.2.0", "0.2.0", "## 0.2.0, 2027-01-31\n\n## 0.1.0, 2026-12-01\n", "has no entry"],
])("%s is refused", (_what, tag, version, text, reason) => {
  expect(() => releaseNotes(tag, version, text)).toThrow(reason);
});
