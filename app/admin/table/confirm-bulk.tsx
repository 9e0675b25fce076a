import { Form } from "react-router";
import { ReasonField } from "#app/admin/moderation/reason-field.tsx";
import { bulkQuestion } from "#app/admin/posts/post-moderation.ts";
import type { Unconfirmed } from "#app/admin/posts/posts-action.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { actionsWithReason } from "#domain/moderation/posts/moderation.ts";

/** Without JavaScript: asks on the page instead of in a dialog. */
export function ConfirmBulk({ action, ids, hidden, problem, reason }: Unconfirmed["confirm"]) {
  const { title, text, label } = bulkQuestion(action, ids.length, hidden);
  return (
    <Form method="post" action="/admin/posts" className="mt-5 rounded-lg border border-line-strong bg-raised p-5">
      <h2 className="display text-t2">{title}</h2>
      <p className="mt-2 text-base text-ink-2">{text}</p>
      <input type="hidden" name="bulk" value={action} />
      <input type="hidden" name="confirmed" value="yes" />
      {ids.map((id) => (
        <input key={id} type="hidden" name="ids" value={id} />
      ))}
      {hidden.map(({ id }) => (
        <input key={id} type="hidden" name="release" value={id} />
      ))}
      {actionsWithReason.includes(action) && (
        <div className="mt-5 max-w-[440px]">
          <ReasonField error={problem} defaultValue={reason} required />
        </div>
      )}
      <div className="mt-5 flex gap-2">
        <ButtonLink to="/admin/posts">Cancel</ButtonLink>
        <Button type="submit" variant={action === "delete" ? "danger-fill" : "primary"}>
          {label}
        </Button>
      </div>
    </Form>
  );
}
