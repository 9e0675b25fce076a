import { Link } from "#app/ui/link.tsx";
import type { FileUse } from "#domain/moderation/files/admin-files.ts";

const words = { message: "A private message", unfinished: "Unfinished work", public: "Public link", arriving: "Still uploading" };

export function FileUses({ uses }: { uses: FileUse[] }) {
  if (uses.length === 0) return <span className="text-ink-3">Not in use</span>;
  return (
    <ul>
      {uses.map((use) => (
        <li key={JSON.stringify(use)} className="truncate">
          {use.kind === "story" ? (
            <Link to={`/post/${use.id}`} className={link}>
              {use.title}
            </Link>
          ) : use.kind === "profile" ? (
            <Link to={`/profile/${use.id}`} className={link}>
              Profile picture
            </Link>
          ) : (
            words[use.kind]
          )}
        </li>
      ))}
    </ul>
  );
}

const link = "underline decoration-line-strong underline-offset-4 hover:text-accent-ink";
