import { readMembers, readPosts } from "../../scripts/demo/content.ts";
import { seededRandom } from "../../scripts/demo/random.ts";

export type BenchPost = { title: string; text: string };

const sentencesPerPost = 7;

/**
 * Texts with natural word frequencies: shuffled sentences of the sample community's stories, common words in most of them, and some rare
 * names.
 */
export function postWriter(seed: number): () => BenchPost {
  const random = seededRandom(seed);
  const posts = readPosts();
  const sentences = posts.flatMap(({ content }) => content.replace(/[#*_>`[\]]/g, "").match(/[^.!?\n]{30,160}[.!?]/g) ?? []);
  const titleWords = posts.flatMap(({ title }) => title.match(/[\p{L}’]{3,}/gu) ?? []);
  const pick = <Thing>(things: Thing[]) => things[Math.floor(random() * things.length)] as Thing;
  return () => {
    const words = Array.from({ length: 2 + Math.floor(random() * 4) }, () => pick(titleWords));
    const title = `${random() < 0.4 ? "The " : ""}${words.join(" ")}${random() < 0.3 ? ` of ${placeName(random)}` : ""}`;
    const text = Array.from({ length: sentencesPerPost }, () => pick(sentences).trim());
    if (random() < 0.5) text.push(`That was in ${placeName(random)}.`);
    return { title: title.slice(0, 200), text: text.join(" ") };
  };
}

const starts = [
  "Bar",
  "Cal",
  "Dun",
  "El",
  "Fen",
  "Gar",
  "Hol",
  "Ins",
  "Kil",
  "Lor",
  "Mar",
  "Nor",
  "Os",
  "Pen",
  "Ros",
  "Stan",
  "Tor",
  "Ul",
  "Ven",
  "Wex",
];
const middles = ["a", "be", "ca", "do", "en", "fi", "go", "hu", "in", "jo", "ka", "lu", "mi", "no", "or", "pe", "ri", "sa", "ti", "un"];
const ends = ["berg", "by", "dale", "fjord", "ham", "holm", "ing", "mouth", "ness", "port", "stad", "ton", "ville", "wick", "worth"];

/** One of 2.4 million. */
function placeName(random: () => number): string {
  const pick = (parts: string[]) => parts[Math.floor(random() * parts.length)];
  return `${pick(starts)}${pick(middles)}${pick(middles)}${pick(middles)}${pick(ends)}`;
}

/** Any number of people, with names mixed from the sample community's. */
export function nameGenerator(seed: number): () => string {
  const random = seededRandom(seed);
  const names = readMembers().map(({ userName }) => userName.split(" "));
  const pick = (parts: string[]) => parts[Math.floor(random() * parts.length)];
  const [first, last] = [names.map((name) => name[0] as string), names.map((name) => name.at(-1) as string)];
  return () => `${pick(first)} ${pick(last)}${random() < 0.5 ? `-${placeName(random)}` : ""}`;
}
