import { isTest, lineOf, type Source, visit } from "./source.ts";

/** Words that this code once used with a meaning of its own, and their replacements. */
const retired: Record<string, string> = {
  whisper: "broadcast",
  whispers: "broadcasts",
  departure: "account deletion",
  tally: "counter",
  tallies: "counters",
  portrait: "avatar",
  portraits: "avatars",
  rehearsal: "restore test",
  rehearse: "test a restore, or warm up",
  rehearsed: "tested",
  upkeep: "maintenance of a database file, or backups",
  patience: "a timeout in milliseconds, as sendTimeoutMs",
  slips: "typos",
  felt: "member-facing",
  door: "handler, route or endpoint",
  doors: "handlers, routes or endpoints",
  askers: "clients or requesters",
  hears: "receives",
  hearing: "listeners",
  unheard: "not acknowledged",
  shelf: "storage",
  storm: "faults",
  handful: "a number",
};

/** Files in which the word has its ordinary meaning. */
const ordinary: Record<string, RegExp> = {
  portrait: /^scripts\/demo\//,
  portraits: /^scripts\/demo\//,
  tallies: /^tests\/first-release\.test/,
  upkeep: /^tests\/first-release\.test/,
};

/** Comments have American spelling, like code and screens. */
const british =
  /colour(?!s\.css)|behaviour|neighbour|honour|centre\b|grey\b|licence|catalogue|(?:organ|sanit|serial|normal|optim|recogn|summar)is(?:[ei]|ation)/i;

const everywhere = /^(tests\/tidy|platform\/database\/migrations\/|scripts\/demo\/stories)/;

/** Retired words in file names, identifiers and comments, and British spellings in comments. */
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
      for (const { value, start } of source.comments) {
        const where = `${source.path}:${lineOf(source, start)}`;
        note(value, where);
        const [spelling] = british.exec(value) ?? [];
        if (spelling) found.push(`${where} has the British spelling “${spelling}”`);
      }
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

/** The words of `readTally`, `read-tally.ts` and prose, in lower case. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}
