import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { CheckedForm } from "#app/forms/use-checked-form.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Button, type ButtonVariant } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { CircleAlert } from "#app/ui/icons.tsx";

type SectionProps = { id: string; title: string; text?: ReactNode; children: ReactNode };

export function SettingsSection({ id, title, text, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-x-12 gap-y-5 border-t border-line py-9 lg:grid-cols-[260px_minmax(0,1fr)]">
      <div>
        <h2 id={id} className="display text-t2">
          {title}
        </h2>
        {text && <p className="mt-1.5 text-base text-ink-2">{text}</p>}
      </div>
      <div className="min-w-0 max-w-[36rem]">{children}</div>
    </section>
  );
}

type SettingsFormProps = {
  form: Pick<CheckedForm, "attributes" | "errors">;
  action: string;
  submit: string;
  busy: string;
  variant?: ButtonVariant | undefined;
  children: ReactNode;
};

export function SettingsForm({ form: { attributes, errors }, action, submit, busy, variant = "secondary", children }: SettingsFormProps) {
  const { formMethod, formAction } = useNavigation();
  const sending = formMethod === "POST" && formAction === action;
  return (
    <Form method="post" action={action} {...attributes} preventScrollReset className="flex flex-col gap-5">
      {errors.form && <FormAlert>{errors.form}</FormAlert>}
      {children}
      <Button type="submit" variant={variant} busy={sending} busyLabel={busy} className="self-start max-sm:w-full">
        {submit}
      </Button>
    </Form>
  );
}

/** For `requireSameMember`. `userId`: the member of a form that was refused. */
export function OpenedBy({ userId }: { userId?: string | undefined }) {
  const { viewer } = useRoot();
  return <input type="hidden" name="userId" value={userId || viewer?.id} />;
}

export function FormAlert({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p
      role="alert"
      className={classNames(
        className,
        "flex gap-2.5 rounded-md border border-danger-line bg-danger-soft px-3.5 py-3 text-base text-danger",
      )}
    >
      <CircleAlert aria-hidden className="mt-[3px] size-[18px] shrink-0" />
      <span>{children}</span>
    </p>
  );
}
