import { Form } from "react-router";
import { CheckboxOption } from "#app/accounts/checkbox-option.tsx";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { OnOff } from "#app/admin/shell/on-off.tsx";
import type { FormErrors } from "#app/forms/refused-form.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, FieldError, TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { pluralize } from "#domain/format.ts";
import { type Delivery, type Webhook, webhookEventNames, webhookEvents, webhookLimits } from "#domain/webhooks/webhook.ts";

/** `shown`: JSON of what the form showed before it was edited. */
export type WebhookFormValues = { address: string; events: string[]; shown?: string };

export function WebhookState({ webhook: { offAt, failingSince } }: { webhook: Webhook }) {
  if (offAt === null && failingSince !== null) return <Badge tone="warning">Failing</Badge>;
  return <OnOff on={offAt === null} />;
}

type FormProps = { values: WebhookFormValues; errors: FormErrors<WebhookFormValues>; isNew: boolean; busy: boolean };

export function WebhookForm({ values, errors, isNew, busy }: FormProps) {
  return (
    <Form method="post" noValidate className="flex flex-col gap-5">
      <input type="hidden" name="shown" value={values.shown ?? JSON.stringify(values)} />
      <FormError className="">{errors.form}</FormError>
      <Field label="Address" error={errors.address}>
        <TextInput
          type="url"
          name="address"
          defaultValue={values.address}
          placeholder="https://example.com/inkstead"
          maxLength={webhookLimits.address}
          autoComplete="off"
        />
      </Field>
      <fieldset aria-describedby={errors.events ? "events-error" : undefined}>
        <legend className="mb-1 text-sm font-medium">Events</legend>
        <div className="grid gap-x-6 sm:grid-cols-2">
          {webhookEventNames.map((event) => (
            <CheckboxOption
              key={event}
              name="events"
              value={event}
              checked={values.events.includes(event)}
              label={webhookEvents[event]}
              hint={<code>{event}</code>}
            />
          ))}
        </div>
        {errors.events && <FieldError id="events-error">{errors.events}</FieldError>}
      </fieldset>
      <Button type="submit" name="do" value="save" variant="primary" busy={busy} className="self-start">
        {isNew ? "Add webhook" : "Save"}
      </Button>
    </Form>
  );
}

const states = {
  waiting: { tone: "neutral", label: "Waiting" },
  delivered: { tone: "success", label: "Delivered" },
  failed: { tone: "danger", label: "Failed" },
} as const;

export function DeliveryList({ deliveries, now, busy }: { deliveries: Delivery[]; now: number; busy: boolean }) {
  if (deliveries.length === 0)
    return (
      <Panel className="px-4 py-6 lg:px-5">
        <p className="text-base text-ink-2">No deliveries yet. Send a test event to try it.</p>
      </Panel>
    );
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised" aria-busy={busy}>
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.number} delivery={delivery} now={now} busy={busy} />
      ))}
    </ul>
  );
}

function DeliveryItem({ delivery, now, busy }: { delivery: Delivery; now: number; busy: boolean }) {
  const { number, event, state, tries, dueAt, createdAt, status, answer, problem, body } = delivery;
  const { tone, label } = states[state];
  const failed = state === "waiting" && tries > 0;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 lg:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="text-base font-medium">{event}</code>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="num mt-1 text-sm text-ink-2">
          <TimeAgo time={createdAt} now={now} />
          {status !== null && ` · ${status}`}
          {tries > 0 && ` · ${pluralize(tries, "try", "tries")}`}
          {failed && ` · next try ${dateAndTime(dueAt)}`}
        </p>
        {problem && <p className="mt-2 text-base [overflow-wrap:anywhere]">{problem}</p>}
        <details className="mt-2">
          <summary className="cursor-pointer text-sm font-medium text-ink-2">Details</summary>
          <Payload title="Request" text={body} />
          {answer && <Payload title="Response" text={answer} />}
        </details>
      </div>
      {state !== "waiting" && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="number" value={number} />
          <Button type="submit" name="do" value="again" busy={busy} aria-label={`Send again: ${event}, ${dateAndTime(createdAt)}`}>
            Send again
          </Button>
        </Form>
      )}
    </li>
  );
}

function Payload({ title, text }: { title: string; text: string }) {
  return (
    <>
      <p className="mt-3 text-sm text-ink-2">{title}</p>
      <pre className="mt-1 max-h-72 overflow-auto rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </pre>
    </>
  );
}
