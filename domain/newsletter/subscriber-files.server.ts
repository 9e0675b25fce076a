import { readInBatches } from "#platform/database/batches.ts";
import { checkEmail, normalizeEmail } from "../accounts/account.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { csvRow, textStream } from "../csv.server.ts";
import { pluralize } from "../format.ts";
import { subscriberToken } from "../mail/subscriber-address.server.ts";
import { requirePermission } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";

const rowsAtOnce = 500;

export async function exportSubscribers(site: Site, viewer: Viewer): Promise<ReadableStream<Uint8Array>> {
  requirePermission(viewer, "manage emails");
  await transaction(site, (tx) => recordAudit(tx, viewer, { action: "subscribers.exported", subject: "subscribers" }));
  return textStream(lines(site));
}

async function* lines({ db }: Site): AsyncGenerator<string> {
  yield csvRow(["email", "subscribed"]);
  const read = (last: string) =>
    db
      .selectFrom("subscribers")
      .select(["email", "confirmedAt"])
      .where("confirmedAt", "is not", null)
      .where("email", ">", last)
      .orderBy("email")
      .limit(rowsAtOnce)
      .execute();
  for await (const { email, confirmedAt } of readInBatches("", read, (row) => row.email))
    yield csvRow([email, new Date(confirmedAt ?? 0).toISOString()]);
}

export type ImportResult = { added: number; known: number; refused: number };

/**
 * Lines of an address and a required date of consent. Subscribers are unchanged, pending ones confirmed; refused addresses are skipped.
 * @throws Invalid for `csv`, listing the wrong lines.
 */
export async function importSubscribers(site: Site, viewer: Viewer, csv: string): Promise<ImportResult> {
  requirePermission(viewer, "manage emails");
  const people = readLines(csv, site.now());
  const done: ImportResult = { added: 0, known: 0, refused: 0 };
  for (let start = 0; start < people.length; start += rowsAtOnce) {
    const { added, known, refused } = await insertSubscribers(site, people.slice(start, start + rowsAtOnce));
    done.added += added;
    done.known += known;
    done.refused += refused;
  }
  await transaction(site, (tx) => recordAudit(tx, viewer, { action: "subscribers.imported", subject: "subscribers", after: done }));
  return done;
}

type Person = { email: string; confirmedAt: number };

const linesNamed = 20;

function readLines(csv: string, now: number): Person[] {
  const people = new Map<string, Person>();
  const wrong: string[] = [];
  for (const [index, line] of csv.split(/\r?\n/).entries()) {
    if (line.trim() === "" || (index === 0 && /^"?email"?\s*,/i.test(line))) continue;
    const [email = "", date = ""] = line.split(",").map((field) => field.trim().replaceAll(/^['"]+|"$/g, ""));
    const confirmedAt = Date.parse(date);
    if (checkEmail(email)) wrong.push(`Line ${index + 1}: there’s no email address`);
    else if (!(confirmedAt > 0 && confirmedAt <= now)) wrong.push(`Line ${index + 1}: the date of consent is missing or can’t be read`);
    else people.set(normalizeEmail(email), { email: normalizeEmail(email), confirmedAt });
  }
  if (wrong.length > 0) throw new Invalid(listLineNumbers(wrong), "csv");
  if (people.size === 0) throw new Invalid("There are no addresses in this file", "csv");
  return [...people.values()];
}

function listLineNumbers(wrong: string[]): string {
  const more = wrong.length - linesNamed;
  const rest = more > 0 ? [`and ${pluralize(more, "more line")}`] : [];
  return ["Nothing was imported. Please correct these lines:", ...wrong.slice(0, linesNamed), ...rest].join("\n");
}

function insertSubscribers(site: Site, people: Person[]): Promise<ImportResult> {
  return transaction(site, async ({ db, now }) => {
    const emails = people.map(({ email }) => email);
    const refused = await db.selectFrom("refused_addresses").select("address").where("address", "in", emails).execute();
    const isRefused = new Set(refused.map(({ address: email }) => email));
    const able = people.filter(({ email }) => !isRefused.has(email));
    const rows = able.map(({ email, confirmedAt }) => ({ email, token: subscriberToken(site, email), createdAt: now(), confirmedAt }));
    const added =
      rows.length === 0
        ? []
        : await db
            .insertInto("subscribers")
            .values(rows)
            .onConflict((conflict) =>
              conflict
                .column("email")
                .doUpdateSet((eb) => ({ confirmedAt: eb.ref("excluded.confirmedAt") }))
                .where("subscribers.confirmedAt", "is", null),
            )
            .returning("email")
            .execute();
    return { added: added.length, known: able.length - added.length, refused: isRefused.size };
  });
}
