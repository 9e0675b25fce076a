import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Parsed content files of this folder. */
export type DemoMember = {
  key: string;
  userName: string;
  email: string;
  bio: string;
  location: string;
  website: string;
  twitter: string;
  github: string;
  linkedIn: string;
  joinedDaysAgo: number;
  portrait: string | null;
};

export type DemoPost = {
  title: string;
  author: string;
  /** A theme: the start of names in `covers`. */
  cover: string;
  status: "active" | "inactive";
  /** Relative popularity; there are few members. */
  likes: number;
  views: number;
  content: string;
};

export type DemoConversation = {
  between: [string, string];
  startedDaysAgo: number;
  messages: { from: string; text: string; minutesAfter: number; read: boolean }[];
};

const here = import.meta.dirname;

function readJson<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(here, name), "utf8"));
}

export const readMembers = () => readJson<DemoMember[]>("members.json");
export const readConversations = () => readJson<DemoConversation[]>("conversations.json");

export function readPosts(): DemoPost[] {
  const folder = join(here, "stories");
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return files.sort().map((name) => readPost(name, readFileSync(join(folder, name), "utf8")));
}

function readPost(name: string, text: string): DemoPost {
  const [, head, content] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || content === undefined) throw new Error(`${name} has no front matter`);
  const lines = head.split("\n").map((line) => line.split(/:\s*(.*)/s));
  const { title, author, cover, status, likes, views } = Object.fromEntries(lines) as Record<string, string | undefined>;
  if (!title || !author || !cover) throw new Error(`${name} needs a title, an author and a cover`);
  return {
    title,
    author,
    cover,
    status: status === "inactive" ? "inactive" : "active",
    likes: Number(likes ?? 0),
    views: Number(views ?? 0),
    content: content.trim(),
  };
}

/** Returns a theme's covers in turn, so that its stories look different. */
export function coverPicker(): (theme: string) => { name: string; bytes: Buffer } {
  // `night-bus-0.jpg` is the first one of "night-bus".
  const covers = Map.groupBy(readdirSync(join(here, "covers")).sort(), (name) => name.replace(/-\d+\.jpg$/, ""));
  const used = new Map<string, number>();
  return (theme) => {
    const files = covers.get(theme) ?? [];
    const turn = used.get(theme) ?? 0;
    used.set(theme, turn + 1);
    const name = files[turn % files.length];
    if (!name) throw new Error(`there is no cover for "${theme}"`);
    return { name, bytes: readFileSync(join(here, "covers", name)) };
  };
}

export function readPortrait(key: string): { name: string; bytes: Buffer } {
  return { name: `${key}.jpg`, bytes: readFileSync(join(here, "portraits", `${key}.jpg`)) };
}
