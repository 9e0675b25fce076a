import { Avatar } from "#app/ui/avatar.tsx";

export type CardAuthor = { id: string; name: string; profileImage: string | null; published: number };

export function AuthorCard({ id, name, profileImage, published }: CardAuthor) {
  return (
    <section className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3 text-sm font-semibold">Author</h2>
      <div className="flex items-center gap-3">
        <Avatar id={id} name={name} profileImage={profileImage} size={44} />
        <div className="min-w-0">
          <p className="truncate text-base font-semibold">{name}</p>
          <p className="text-sm text-ink-2">
            {published} {published === 1 ? "post" : "posts"} published
          </p>
        </div>
      </div>
    </section>
  );
}
