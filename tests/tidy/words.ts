import { isTest, lineOf, type Source, visit } from "./source.ts";

/** Words with a second meaning here, and their replacements. */
const retired: Record<string, string> = {
  letters: "emails, or messages",
  whisper: "broadcast",
  whispers: "broadcasts",
  departure: "account deletion",
  tally: "counter",
  tallies: "counters",
  portrait: "avatar",
  portraits: "avatars",
  rehearsal: "restore test",
  rehearse: "test a restore, or warm up",
  patience: "a timeout in milliseconds, as sendTimeoutMs",
  slips: "typos",
  felt: "member-facing",
  door: "handler, route or endpoint",
  doors: "handlers, routes or endpoints",
};

/** Files in which the word has its ordinary meaning. */
const ordinary: Record<string, RegExp> = {
  letters:
    /^(app\/(accounts\/(account-page|own-account)|admin\/messages-page|messages\/|pages\/(home|landing)|posts\/|ui\/art\/)|domain\/(accounts\/(account|sign-in\/password)|format|posts\/|search\/|messages\/)|platform\/(database|markup|files|config|copy)|scripts\/|bench\/|tests\/|server\/(v1\/|live))/,
  door: /^(app\/ui\/art\/|app\/accounts\/|domain\/(accounts|posts)\/|tests\/|scripts\/demo\/)/,
  portrait: /^(scripts\/demo|app\/posts\/story-cards\.test)/,
  portraits: /^scripts\/demo/,
  tally: /^platform\/database\/migrations/,
  tallies: /^(platform\/database|app\/(admin\/load-failures|pages\/first-page)\.test|scripts\/|tests\/)/,
  slips: /^(platform\/database\/(migrations|migrate)|domain\/counters|bench\/)/,
  rehearsal: /^domain\/backups/,
};

const everywhere = /^(tests\/tidy|platform\/database\/migrations\/|scripts\/demo\/(drawing|stories))/;

/** Retired words in file names, identifiers and comments. */
export function retiredWords(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !everywhere.test(path))
    .flatMap((source) => {
      const found: string[] = [];
      const note = (text: string, where: string) => {
        for (const word of wordsOf(text)) {
          const better = Object.hasOwn(retired, word) ? retired[word] : undefined;
          if (better && !ordinary[word]?.test(source.path)) found.push(`${where} says “${word}”: ${better}`);
        }
      };
      note(source.path, source.path);
      for (const { value, start } of source.comments) note(value, `${source.path}:${lineOf(source, start)}`);
      visit(source, { Identifier: ({ name, start }) => note(name, `${source.path}:${lineOf(source, start)}`) });
      return found;
    });
}

/** Vague names of constants: a number's name has its unit and object. */
const vague = ["atOnce", "patience", "kept", "most", "longest", "pause", "calm"];

export function vagueConstants(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !isTest(path) && !everywhere.test(path))
    .flatMap((source) =>
      source.program.body.flatMap((node) => {
        const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
        if (declaration?.type !== "VariableDeclaration") return [];
        return declaration.declarations.flatMap(({ id, init }) => {
          const isNumber = init?.type === "BinaryExpression" || (init?.type === "Literal" && typeof init.value === "number");
          return id.type === "Identifier" && isNumber && vague.includes(id.name) ? [`${source.path} ${id.name}`] : [];
        });
      }),
    );
}

/** The words of `sendLettersTo`, `send-letters.ts` and prose, in lower case. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}
