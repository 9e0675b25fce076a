/**
 * Statements that take nothing out of anybody's sight: what people count, say to each other, draft or sign in with. Whatever is not
 * plainly one of them counts as one that does.
 */
const harmless = new RegExp(
  `^(?:${[
    "(?:select|begin|commit|savepoint|release|rollback|set|pragma|explain)\\b",
    `(?:insert into|update|delete from) "?(?:${[
      ...["attempts", "sessions", "session_proofs", "known_devices", "security_events", "verifications", "events", "uptime"],
      ...["likes", "bookmarks", "views", "daily_counters", "conversations", "messages", "participants", "deleted_messages"],
      ...["working_copies", "copy_files", "versions", "preferences", "upkeep_runs", "audit_log", "faults"],
      ...["outbox", "refused_addresses", "newsletters"],
      ...[
        "notifications",
        "notification_preferences",
        "notification_settings",
        "story_emails",
        "push_devices",
        "pushes",
        "webhook_deliveries",
      ],
    ].join("|")})\\b`,
    `with "?added"? as \\(insert into "events"`,
    `update "posts" set "(likesCount|bookmarksCount|views)" = "\\1" [+] (?:\\?|\\$\\d+) where\\b`,
  ].join("|")})`,
);

/**
 * Whether what was made for visitors may still be shown, asked without waiting. It may while `version` is the same: nothing was taken
 * out of sight since. What is new, such as a like, leaves it alone.
 */
export class Visible {
  #commits = 0;
  #elsewhere: () => string | undefined = () => "";
  readonly #listeners = new Set<() => void>();

  static mayHide(sql: string): boolean {
    return !harmless.test(sql.trimStart());
  }

  /** Undefined while this process can't know what others do. */
  version(): string | undefined {
    try {
      const elsewhere = this.#elsewhere();
      return elsewhere === undefined ? undefined : `${this.#commits} ${elsewhere}`;
    } catch {
      return undefined;
    }
  }

  /** Something may have been taken out of sight by this process. */
  changed(): void {
    this.#commits++;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** How changes by other processes are known. */
  trackOthers(elsewhere: () => string | undefined): void {
    this.#elsewhere = elsewhere;
  }
}
