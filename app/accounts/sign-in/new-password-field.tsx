import { useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { Field } from "#app/ui/field.tsx";
import { Check } from "#app/ui/icons.tsx";
import { passwordStrength } from "#domain/accounts/sign-in/password-strength.ts";
import { PasswordInput } from "./password-input.tsx";

type NewPasswordFieldProps = { id: string; name: string; label?: string; error: string | undefined };

export function NewPasswordField({ id, name, label = "Password", error }: NewPasswordFieldProps) {
  const [password, setPassword] = useState("");
  const hintsId = `${id}-hints`;
  return (
    <div>
      <Field id={id} label={label} error={error}>
        <PasswordInput
          name={name}
          autoComplete="new-password"
          aria-describedby={error ? `${id}-error ${hintsId}` : hintsId}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Strength password={password} hintsId={hintsId} />
    </div>
  );
}

const empty = "bg-line-strong/60";
const fills = [empty, "bg-danger", "bg-danger", "bg-chart-3", "bg-success", "bg-success"];
const inks = ["text-danger", "text-danger", "text-danger", "text-warning", "text-success", "text-success"];
const segments = [1, 2, 3, 4, 5];

function Strength({ password, hintsId }: { password: string; hintsId: string }) {
  const { score, label, hints } = passwordStrength(password);
  return (
    <div className="mt-2.5">
      <div className="noscript:hidden">
        <div aria-hidden className="flex gap-1">
          {segments.map((segment) => (
            <span key={segment} className={classNames("h-1.5 flex-1 rounded-full", segment <= score ? fills[score] : empty)} />
          ))}
        </div>
        <p className="mt-2 flex items-center justify-between text-sm" aria-live="polite">
          <span className="text-ink-2">Password strength</span>
          {password !== "" && <span className={classNames("font-medium", inks[score])}>{label}</span>}
        </p>
      </div>
      <ul id={hintsId} className="mt-2 space-y-1 text-sm text-ink-2">
        {hints.map(({ text, met }) => (
          <li key={text} className="flex items-center gap-2">
            <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
              {met ? <Check className="size-4 text-success" /> : <span className="size-1.5 rounded-full border border-control" />}
            </span>
            <span>
              {text}
              {met && <span className="sr-only">, done</span>}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-ink-2">Longer is better: a few words in a row are hard to guess.</p>
    </div>
  );
}
