import { useRoot } from "#app/shell/root-data.ts";
import { EyeOff } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { longDate } from "#domain/dates.ts";
import { actionTexts, memberFacingMeaning, memberFacingTitles } from "#domain/moderation/moderation-action.ts";
import type { Notice } from "#domain/moderation/notices.server.ts";

const forOthers = { hold: "This story is being reviewed", unpublish: "This story was unpublished", delete: "This story was deleted" };

/** Shown on a hidden story to its author and staff. */
export function PostNotice({ notice, authorId }: { notice: Notice; authorId: string }) {
  const { viewer } = useRoot();
  const isAuthor = viewer?.id === authorId;
  const title = isAuthor ? memberFacingTitles[notice.kind] : forOthers[notice.kind as keyof typeof forOthers];
  return (
    <section aria-label={title} className="mb-8 rounded-lg border border-warning-line bg-warning-soft p-4 sm:p-5">
      <p className="flex items-center gap-2 font-semibold text-warning">
        <EyeOff aria-hidden className="size-[18px] shrink-0" />
        {title}
      </p>
      <p dir="auto" className="mt-2 whitespace-pre-line text-base text-ink [overflow-wrap:anywhere]">
        {notice.reason || actionTexts.noReason}
      </p>
      <p className="mt-2 text-sm text-ink-2">{isAuthor ? memberFacingMeaning(notice) : meaningForStaff(notice)}</p>
      <p className="mt-3">
        <Link
          to={isAuthor ? `/notices/${notice.id}` : `/admin/posts/${notice.postId}`}
          className="text-base font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current"
        >
          {isAuthor ? "Read more and appeal" : "Review in the admin area"}
        </Link>
      </p>
    </section>
  );
}

function meaningForStaff({ endsAt }: Notice): string {
  const text = "Only the author and the site’s staff can see it.";
  return endsAt === null ? text : `${text} It will be permanently deleted on ${longDate(endsAt)}.`;
}
