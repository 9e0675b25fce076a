import { Form } from "react-router";
import { useNonce } from "#app/nonce.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Send } from "#app/ui/icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Select } from "#app/ui/select.tsx";
import { Switch } from "#app/ui/switch.tsx";
import { dateAndTime } from "#domain/dates.ts";
import { fullCount } from "#domain/format.ts";
import { type IssueStats, weekdays } from "#domain/newsletter/issue.ts";

type Schedule = { newsletterEnabled: boolean; newsletterDay: number; newsletterHour: number };

const days = weekdays.map((label, index) => ({ value: String(index), label }));
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, "0")}:00 UTC` }));

export function ScheduleForm({ schedule, busy }: { schedule: Schedule; busy: boolean }) {
  return (
    <Panel className="p-4 lg:p-5">
      <Form method="post" className="flex flex-col gap-5">
        <Switch
          name="enabled"
          label="Send a newsletter every week"
          hint="The week’s most-read and featured stories. Nothing goes out in a week without new stories."
          defaultChecked={schedule.newsletterEnabled}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Day">
            <Select name="day" options={days} defaultValue={String(schedule.newsletterDay)} />
          </Field>
          <Field label="Hour">
            <Select name="hour" options={hours} defaultValue={String(schedule.newsletterHour)} />
          </Field>
        </div>
        <Button type="submit" name="do" value="schedule" busy={busy} className="self-start">
          Save schedule
        </Button>
      </Form>
    </Panel>
  );
}

type EmailPreview = { subject: string; text: string; html: string };

export function Preview({ preview, busy }: { preview: EmailPreview | null; busy: boolean }) {
  return (
    <section className="mt-8" aria-labelledby="preview">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id="preview" className="display text-t2">
          Preview
        </h2>
        {preview && (
          <Form method="post">
            <Button type="submit" name="do" value="test" icon={Send} busy={busy}>
              Send me a test
            </Button>
          </Form>
        )}
      </div>
      {preview ? (
        <EmailPreviews {...preview} />
      ) : (
        <p className="text-base text-ink-2">Once a story is published, you can preview the newsletter here and send yourself a test.</p>
      )}
    </section>
  );
}

/** A sandboxed frame: scripts don’t run in it. */
function EmailPreviews({ subject, text, html }: EmailPreview) {
  const nonce = useNonce();
  return (
    <>
      <p className="mb-3 text-base text-ink-2">Subject: {subject}</p>
      <div className="grid gap-6 xl:grid-cols-2">
        <iframe
          title="As HTML"
          sandbox=""
          srcDoc={html.replace("<style>", `<style nonce="${nonce}">`)}
          className="h-[480px] w-full rounded-lg border border-line bg-raised"
        />
        <pre className="self-start rounded-lg border border-line bg-raised p-4 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </pre>
      </div>
    </>
  );
}

const columns = ["Recipients", "Sent", "Failed", "Unsubscribed"];

export function IssueTable({ issues }: { issues: IssueStats[] }) {
  if (issues.length === 0) return null;
  return (
    <section className="mt-8 overflow-x-auto" aria-labelledby="issues">
      <h2 id="issues" className="display mb-4 text-t2">
        Sent newsletters
      </h2>
      <table className="w-full text-base">
        <thead>
          <tr className="border-b border-line text-left text-sm text-ink-2">
            <th scope="col" className="py-2 pr-4 font-medium">
              Newsletter
            </th>
            {columns.map((label) => (
              <th key={label} scope="col" className="py-2 pr-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {issues.map(({ week, dueAt, subject, recipients, sent, failed, unsubscribed }) => (
            <tr key={week} className="border-b border-line">
              <th scope="row" className="py-3 pr-4 text-left font-medium">
                {subject || "Most read this week"}
                <span className="block text-sm font-normal text-ink-2">{dateAndTime(dueAt)}</span>
              </th>
              {[recipients, sent, failed, unsubscribed].map((count, index) => (
                <td key={columns[index]} className="num py-3 pr-4 text-right">
                  {fullCount(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
