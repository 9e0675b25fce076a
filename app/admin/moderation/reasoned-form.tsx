import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import type { RefusedForm } from "#app/forms/refused-form.ts";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { ReasonField } from "./reason-field.tsx";

type ReasonedFormProps = Pick<ButtonProps, "icon" | "variant" | "busyLabel"> & {
  value?: "suspend" | "clear";
  /** The button’s label. */
  button: string;
  hint: string;
  label?: string;
  refused: RefusedForm<{ reason: string }> | undefined;
  className?: string;
  /** Above the reason. */
  children?: ReactNode;
};

/** A form for an action with a reason. `value`: its field `do`, if the page has several. */
export function ReasonedForm({ button, hint, label, value, refused, className = "p-4 lg:p-5", children, ...rest }: ReasonedFormProps) {
  const busy = useNavigation().state === "submitting";
  return (
    <Panel className={className}>
      <Form method="post">
        {children}
        <ReasonField
          label={label}
          hint={hint}
          error={refused?.errors.reason ?? refused?.errors.form}
          defaultValue={refused?.values.reason}
          required
        />
        <Button type="submit" name={value && "do"} value={value} variant="danger" busy={busy} className="mt-4" {...rest}>
          {button}
        </Button>
      </Form>
    </Panel>
  );
}
