/**
 * The changelog's section for the version of a tag such as v0.2.0: `## 0.2.0, 2027-01-31` and the text up to the next version.
 * @throws Error when tag, package.json and changelog disagree.
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag || "missing"}, and package.json says ${version}: it should be v${version}.`);
  const sections = changelog.split(/^## /m).slice(1);
  const [heading = "", ...lines] = (sections.find((section) => section.startsWith(`${version},`)) ?? "").split("\n");
  if (!/, \d{4}-\d\d-\d\d$/.test(heading)) throw new Error(`CHANGELOG.md has no heading “## ${version}, ” with the day of the release.`);
  const notes = lines.join("\n").trim();
  if (notes === "") throw new Error(`CHANGELOG.md has no entry for ${version}.`);
  return `${notes}\n`;
}
