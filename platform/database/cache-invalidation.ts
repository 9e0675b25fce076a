/** Statements that can't hide public content. Unknown statements count as hiding. */
const harmless = new RegExp(
  `^(?:${[
    "(?:select|begin|commit|savepoint|release|rollback|set|pragma|explain)\\b",
    `(?:insert into|update|delete from) "?(?:${[
      ...["attempts", "sessions", "session_verifications", "known_devices", "security_events", "verifications", "events", "uptime"],
      ...["likes", "bookmarks", "views", "daily_counters", "conversations", "messages", "participants", "deleted_messages"],
      ...["working_copies", "copy_files", "finished_drafts", "versions", "preferences", "backup_runs", "jobs", "audit_log", "faults"],
      ...["outbox", "refused_addresses", "newsletters", "deletion_cleanups"],
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
 * Whether cached public pages may still be shown, without a query: `version` changes when content may have been hidden or removed.
 * Additions such as likes don't change it.
 */
export class CacheInvalidation {
  #commits = 0;
  #otherProcesses: () => string | undefined = () => "";
  #sessions: () => string | undefined = () => undefined;
  readonly #listeners = new Set<() => void>();

  static mayHideContent(sql: string): boolean {
    return !harmless.test(sql.trimStart());
  }

  /** Undefined if changes by other processes can't be known. */
  contentVersion(): string | undefined {
    try {
      const otherProcesses = this.#otherProcesses();
      return otherProcesses === undefined ? undefined : `${this.#commits} ${otherProcesses}`;
    } catch {
      return undefined;
    }
  }

  changed(): void {
    this.#commits++;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Stays the same while no session may have changed. Undefined where that isn't known. */
  sessionVersion(): string | undefined {
    try {
      return this.#sessions();
    } catch {
      return undefined;
    }
  }

  trackSessions(sessions: () => string): void {
    this.#sessions = sessions;
  }

  trackOtherProcesses(otherProcesses: () => string | undefined): void {
    this.#otherProcesses = otherProcesses;
  }
}
