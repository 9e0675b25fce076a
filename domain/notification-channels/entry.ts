import type { Notice } from "../moderation/notices.server.ts";
import { noticeTitle } from "../moderation/undone-texts.ts";
import type { BundledKind, NotificationKind } from "../notifications/kinds.ts";
import { appealOutcomes, type QueueKind, type ReportStatus, reportNouns } from "../reports/report.ts";

type Person = { id: string; name: string; profileImage: string | null };
type NamedPost = { id: string; title: string };
/** The staff's answer to a report or an appeal; `subjectId` is the decision that was appealed. */
type StaffAnswer = { kind: QueueKind; subjectId: string; excerpt: string; status: ReportStatus; answer: string };

type EntryContent =
  /** `people`: the latest two; empty for bookmarks, which are private. */
  | { kind: BundledKind; people: Person[]; count: number; post: NamedPost | null }
  | { kind: "story"; author: Person; post: NamedPost }
  | { kind: "message"; partner: Person; count: number }
  | { kind: "decision"; notice: Notice }
  | { kind: "answer"; report: StaffAnswer };

/** A notification in a member's list; browser-safe. `at` is in milliseconds. */
export type NotificationEntry = EntryContent & { id: string; at: number; isRead: boolean };

/** Whether the bell counts it. Unread messages have their own badge and are read in their conversation. */
export function isNew({ isRead, kind }: NotificationEntry): boolean {
  return !isRead && kind !== "message";
}

/** Identifies an entry for `markRead`. */
export function entryId(kind: NotificationKind, key: string | number): string {
  return `${kind}:${key}`;
}

/** People in a bundle are counted up to this number. */
export const maxBundleCount = 100;

/** `isName`: emphasized. */
export type Part = { text: string; isName?: true };

const name = (text: string): Part => ({ text, isName: true });
const plain = (text: string): Part => ({ text });
const titleOf = (post: NamedPost | null): Part[] => (post ? [plain(" "), name(`“${post.title}”`)] : []);

/** The heading of a decision or an answer. */
export function headingOf(entry: NotificationEntry): string | undefined {
  if (entry.kind === "decision") return noticeTitle(entry.notice);
  if (entry.kind !== "answer") return undefined;
  const { kind, status } = entry.report;
  return kind === "appeal" ? appealOutcomes[status] : `We’ve answered your report about a ${reportNouns[kind]}`;
}

/** “Ana and 11 others liked “The Spoon””; empty for decisions and answers, which have a heading. */
export function describe(entry: NotificationEntry): Part[] {
  switch (entry.kind) {
    case "follower":
      return [...nameActors(entry.people, entry.count), plain(" started following you")];
    case "like":
      return [...nameActors(entry.people, entry.count), plain(" liked"), ...titleOf(entry.post)];
    case "bookmark":
      return [plain(`${entry.count === 1 ? "Someone" : `${atMost(entry.count)} people`} bookmarked`), ...titleOf(entry.post)];
    case "story":
      return [name(entry.author.name), plain(" published"), ...titleOf(entry.post)];
    case "message":
      return [plain(entry.count === 1 ? "An unread message from " : `${entry.count} unread messages from `), name(entry.partner.name)];
    default:
      return [];
  }
}

/** Whom `describe` names. */
export function peopleIn(entry: NotificationEntry): Person[] {
  if (entry.kind === "story") return [entry.author];
  if (entry.kind === "message") return [entry.partner];
  return "people" in entry ? entry.people : [];
}

export function describeAsText(entry: NotificationEntry): string {
  return describe(entry)
    .map(({ text }) => text)
    .join("");
}

function nameActors(people: Person[], count: number): Part[] {
  const [first, second] = people.map((person) => name(person.name));
  if (!first) return [plain("Someone")];
  if (count <= 1 || !second) return [first];
  return count === 2 ? [first, plain(" and "), second] : [first, plain(` and ${atMost(count, 1)} others`)];
}

function atMost(count: number, besides = 0): string {
  return count < maxBundleCount ? String(count - besides) : `${maxBundleCount - 1}+`;
}

/** The page that an entry links to; undefined if it has none. */
export function targetOf(entry: NotificationEntry): string | undefined {
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
      return entry.post ? `/post/${encodeURIComponent(entry.post.id)}` : undefined;
  }
}
