import { mustBeAllowed } from "../permissions.ts";
import type { Site, Viewer } from "../site.ts";
import { listAudit } from "./audit.server.ts";
import type { AuditEntry } from "./audit.ts";

export const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export function isExportFormat(format: unknown): format is ExportFormat {
  return exportFormats.includes(format as ExportFormat);
}

type Filter = { action?: string | undefined; subject?: string | undefined; userId?: string | undefined };

const rowsPerRead = 500;

/** Newest first, streamed page by page. CSV as in RFC 4180; JSON as one array. */
export function exportAudit(site: Site, viewer: Viewer, filter: Filter, format: ExportFormat): ReadableStream<Uint8Array> {
  mustBeAllowed(viewer, "see the audit log");
  const pages = readPages(site, viewer, filter);
  return streamOf(format === "csv" ? asCsv(pages) : asJson(pages));
}

function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => parts.return(undefined).then(() => undefined),
  });
}

async function* readPages(site: Site, viewer: Viewer, filter: Filter): AsyncGenerator<AuditEntry[]> {
  let after: string | null = null;
  do {
    const page = await listAudit(site, viewer, { ...filter, after, limit: rowsPerRead });
    yield page.entries;
    after = page.next;
  } while (after !== null);
}

const columns = ["number", "time", "userId", "userName", "action", "subject", "before", "after", "network"] as const;

async function* asCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const entries of pages) {
    const lines = entries.map((entry) => rowOf(entry)).map((row) => columns.map((name) => csvCell(row[name])).join(","));
    if (lines.length > 0) yield `${lines.join("\r\n")}\r\n`;
  }
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
  const time = new Date(createdAt).toISOString();
  return {
    number,
    time,
    userId: userId ?? "",
    userName,
    action,
    subject,
    before: state(before),
    after: state(after),
    network: network ?? "",
  };
}

function csvCell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
