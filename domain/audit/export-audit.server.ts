import { csvRow, textStream } from "../csv.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { listAudit } from "./audit.server.ts";
import type { AuditEntry } from "./audit.ts";

const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export function isExportFormat(format: unknown): format is ExportFormat {
  return exportFormats.includes(format as ExportFormat);
}

type Filter = { action?: string | undefined; subject?: string | undefined; userId?: string | undefined };

const rowsPerRead = 500;

/** Newest first, streamed page by page. CSV as in RFC 4180; JSON as one array. */
export function exportAudit(site: Site, viewer: Viewer, filter: Filter, format: ExportFormat): ReadableStream<Uint8Array> {
  requirePermission(viewer, "see the audit log");
  const pages = readPages(site, viewer, filter);
  return textStream(format === "csv" ? asCsv(pages) : asJson(pages));
}

async function* readPages(site: Site, viewer: Viewer, filter: Filter): AsyncGenerator<AuditEntry[]> {
  let after: string | null = null;
  do {
    const page = await listAudit(site, viewer, { ...filter, after, limit: rowsPerRead });
    yield page.entries;
    after = page.next;
  } while (after !== null);
}

async function* asCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield csvRow(["number", "time", "userId", "userName", "action", "subject", "before", "after", "network"]);
  for await (const entries of pages) if (entries.length > 0) yield entries.map((entry) => csvRow(Object.values(rowOf(entry)))).join("");
}

async function* asJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield "[";
  let first = true;
  for await (const entries of pages) {
    for (const entry of entries) {
      yield `${first ? "" : ","}\n${JSON.stringify({ ...rowOf(entry), before: entry.before, after: entry.after })}`;
      first = false;
    }
  }
  yield "\n]\n";
}

function rowOf({ number, createdAt, userId, userName, action, subject, before, after, network }: AuditEntry) {
  const state = (values: AuditEntry["before"]) => (values === null ? "" : JSON.stringify(values));
  const about = { number, time: new Date(createdAt).toISOString(), userId: userId ?? "", userName, action, subject };
  return { ...about, before: state(before), after: state(after), network: network ?? "" };
}
