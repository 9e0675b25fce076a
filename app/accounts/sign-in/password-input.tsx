import { type ComponentProps, useState } from "react";
import { IconButton } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { Eye, EyeOff, Lock } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

export function PasswordInput(props: Omit<ComponentProps<typeof TextInput>, "type" | "leading" | "trailing">) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  const toggle = (
    <IconButton size="sm" label={shown ? "Hide password" : "Show password"} icon={shown ? EyeOff : Eye} onClick={() => setShown(!shown)} />
  );
  return <TextInput {...props} type={shown ? "text" : "password"} leading={Lock} trailing={hydrated && toggle} className="pr-11" />;
}

type CurrentPasswordFieldProps = { id: string; name?: string; label?: string; error: string | undefined };

export function CurrentPasswordField({ id, name = "password", label = "Your password", error }: CurrentPasswordFieldProps) {
  return (
    <Field label={label} id={id} error={error}>
      <PasswordInput name={name} autoComplete="current-password" />
    </Field>
  );
}
