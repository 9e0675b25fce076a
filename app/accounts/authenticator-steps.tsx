import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, type ButtonVariant } from "#app/ui/button.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { QrCode } from "#domain/accounts/sign-in/qr-code.server.ts";
import type { NewAuthenticator } from "#domain/accounts/sign-in/second-step.server.ts";
import { SettingsSection } from "./settings-section.tsx";
import { CurrentPasswordField } from "./sign-in/password-input.tsx";

type PasswordStepProps = {
  step: string;
  title: string;
  text: string;
  submit: string;
  variant?: ButtonVariant;
  error: string | undefined;
};

/** A step that asks for the password again. */
export function PasswordStep({ step, title, text, submit, variant, error }: PasswordStepProps) {
  return (
    <Part title={title} text={text}>
      <StepForm step={step} submit={submit} variant={variant}>
        <CurrentPasswordField id={`password-${step}`} error={error} />
      </StepForm>
    </Part>
  );
}

type ConfirmStepProps = { authenticator: NewAuthenticator; qr: QrCode; error: string | undefined };

export function ConfirmStep({ authenticator, qr, error }: ConfirmStepProps) {
  const secret = new URL(authenticator.uri).searchParams.get("secret") ?? "";
  return (
    <>
      <BackupCodes codes={authenticator.backupCodes} />
      <Part title="Scan this code with your app" text="Then enter the code from your app. Nothing changes until you do.">
        <div className="flex flex-col gap-6 sm:flex-row">
          <svg
            role="img"
            aria-label="QR code for your authenticator app"
            viewBox={`0 0 ${qr.size} ${qr.size}`}
            shapeRendering="crispEdges"
            className="size-52 shrink-0 rounded-md border border-line"
          >
            <rect width={qr.size} height={qr.size} fill="#fff" />
            <path d={qr.path} fill="#000" />
          </svg>
          <div className="min-w-0">
            <p className="text-base text-ink-2">Or enter this key in your app:</p>
            <p className="mt-1 break-all font-mono text-base">{secret}</p>
            <a href={authenticator.uri} className="mt-3 inline-block text-base font-medium text-accent-ink underline underline-offset-4">
              Open in an app on this device
            </a>
          </div>
        </div>
        <StepForm step="confirm" submit="Turn on" variant="primary">
          <input type="hidden" name="address" value={authenticator.uri} />
          {authenticator.backupCodes.map((code) => (
            <input key={code} type="hidden" name="backup" value={code} />
          ))}
          <Field label="Code" id="code" error={error}>
            <TextInput name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={12} />
          </Field>
        </StepForm>
      </Part>
    </>
  );
}

export function BackupCodes({ codes }: { codes: string[] }) {
  return (
    <Part
      title="Your backup codes"
      text="Use one of these if you can’t reach your app. Each works once. Save them now: you won’t see them again."
    >
      <Panel className="p-5">
        <ul aria-label="Backup codes" className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono text-base">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </Panel>
    </Part>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <SettingsSection id={title.toLowerCase().replaceAll(" ", "-")} title={title} text={text}>
      <div className="flex flex-col gap-6">{children}</div>
    </SettingsSection>
  );
}

type StepFormProps = { step: string; submit: string; variant?: ButtonVariant | undefined; children: ReactNode };

function StepForm({ step, submit, variant, children }: StepFormProps) {
  const { formData } = useNavigation();
  return (
    <Form method="post" preventScrollReset className="flex flex-col gap-5">
      <input type="hidden" name="step" value={step} />
      {children}
      <Button type="submit" variant={variant} busy={formData?.get("step") === step} className="self-start max-sm:w-full">
        {submit}
      </Button>
    </Form>
  );
}
