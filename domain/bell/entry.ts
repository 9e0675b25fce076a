import type { Notice } from "../moderation/notices.server.ts";
import { noticeTitle } from "../moderation/undone.ts";
import type { BundledKind, NotificationKind } from "../notifications/kinds.ts";
import { appealOutcomes, type QueueKind, type ReportStatus, reportNouns } from "../reports/report.ts";

type Person = { id: string; name: string; profileImage: string | null };
type Story = { id: string; title: string };
/** What staff answered to a report or an appeal; `subjectId` is the decision that an appeal is about. */
export type StaffAnswer = { kind: QueueKind; subjectId: string; excerpt: string; status: ReportStatus; answer: string };

type EntryContent =
  /** Of a bookmark nobody learns whose it is: `people` is empty. At most two are named. */
  | { kind: BundledKind; people: Person[]; count: number; story: Story | null }
  | { kind: "story"; author: Person; story: Story }
  | { kind: "message"; partner: Person; count: number }
  | { kind: "decision"; notice: Notice }
  | { kind: "answer"; report: StaffAnswer };

/** One line of what a member is told, from wherever it comes; browser-safe. `at` is in milliseconds. */
export type Entry = EntryContent & { id: string; at: number; isRead: boolean };

/** Whether the bell counts it: unread messages have a number of their own, and are read in their conversation. */
export function isNew({ isRead, kind }: Entry): boolean {
  return !isRead && kind !== "message";
}

/** What one verb needs to find it again. */
export function entryId(kind: NotificationKind, key: string | number): string {
  return `${kind}:${key}`;
}

/** Of how many people a bundle counts; beyond, there are more. */
export const maxBundleCount = 100;

/** A text and whether it stands out. */
export type Part = { text: string; isName?: true };

const name = (text: string): Part => ({ text, isName: true });
const said = (text: string): Part => ({ text });
const quoted = (story: Story | null): Part[] => (story ? [said(" "), name(`“${story.title}”`)] : []);

/** What stands over a decision or an answer. */
export function headingOf(entry: Entry): string | undefined {
  if (entry.kind === "decision") return noticeTitle(entry.notice);
  if (entry.kind !== "answer") return undefined;
  const { kind, status } = entry.report;
  return kind === "appeal" ? appealOutcomes[status] : `Your report of a ${reportNouns[kind]} was answered`;
}

/** “Ana and 11 others liked “The Spoon””; nothing for decisions and answers, which have titles of their own. */
export function describe(entry: Entry): Part[] {
  switch (entry.kind) {
    case "follower":
      return [...nameActors(entry.people, entry.count), said(" started following you")];
    case "like":
      return [...nameActors(entry.people, entry.count), said(" liked"), ...quoted(entry.story)];
    case "bookmark":
      return [said(`${entry.count === 1 ? "Somebody" : `${atMost(entry.count)} people`} bookmarked`), ...quoted(entry.story)];
    case "story":
      return [name(entry.author.name), said(" published"), ...quoted(entry.story)];
    case "message":
      return [said(entry.count === 1 ? "An unread message from " : `${entry.count} unread messages from `), name(entry.partner.name)];
    default:
      return [];
  }
}

export function describeAsText(entry: Entry): string {
  return describe(entry)
    .map(({ text }) => text)
    .join("");
}

function nameActors(people: Person[], count: number): Part[] {
  const [first, second] = people.map((person) => name(person.name));
  if (!first) return [said("Somebody")];
  if (count <= 1 || !second) return [first];
  return count === 2 ? [first, said(" and "), second] : [first, said(` and ${atMost(count, 1)} others`)];
}

function atMost(count: number, besides = 0): string {
  return count < maxBundleCount ? String(count - besides) : `${maxBundleCount - 1}+`;
}

/** Where an entry leads; undefined for what is all there already. */
export function targetOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case "follower":
      return entry.count === 1 && entry.people[0] ? `/profile/${encodeURIComponent(entry.people[0].id)}` : "/profile";
    case "message":
      return `/messages/${encodeURIComponent(entry.partner.id)}`;
    case "decision":
      return `/notices/${encodeURIComponent(entry.notice.id)}`;
    case "answer":
      return entry.report.kind === "appeal" ? `/notices/${encodeURIComponent(entry.report.subjectId)}` : undefined;
    default:
      return entry.story ? `/post/${encodeURIComponent(entry.story.id)}` : undefined;
  }
}
