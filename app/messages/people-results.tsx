import { Avatar } from "#app/ui/avatar.tsx";
import { Link } from "#app/ui/link.tsx";
import type { FoundPeople, Person } from "#domain/messages/message.ts";

type PeopleResultsProps = { found: FoundPeople | undefined; isLoadFailed: boolean; onChoose(): void };

export function PeopleResults({ found, isLoadFailed, onChoose }: PeopleResultsProps) {
  const { partners = [], others = [] } = found ?? {};
  const count = partners.length + others.length;
  const announcement = isLoadFailed
    ? "Search failed. Please try again."
    : found
      ? `${count || "No"} ${count === 1 ? "person" : "people"} found`
      : "Searching…";
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      <p role="status" className={count > 0 ? "sr-only" : "px-3 py-6 text-center text-base text-ink-2"}>
        {announcement}
      </p>
      <People title="Conversations" people={partners} onChoose={onChoose} />
      <People title="Other members" people={others} onChoose={onChoose} />
    </div>
  );
}

function People({ title, people, onChoose }: { title: string; people: Person[]; onChoose(): void }) {
  if (people.length === 0) return null;
  return (
    <section aria-label={title}>
      <p className="px-3 pt-3 pb-1 text-sm font-medium text-ink-2">{title}</p>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <Link
              to={`/messages/${person.id}`}
              state={{ partner: person }}
              onClick={onChoose}
              className="flex items-center gap-3 rounded-md px-3 py-2 -outline-offset-2 hover:bg-hover"
            >
              <Avatar {...person} size={40} />
              <span className="min-w-0 flex-1 truncate text-base font-medium">{person.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
