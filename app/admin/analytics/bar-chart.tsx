import { type KeyboardEvent, useId, useRef, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { fullCount } from "#domain/format.ts";

type Bar = { date: string; value: number };

type BarChartProps = {
  label: string;
  bars: Bar[];
  /** A class such as `bg-chart-1`. */
  color: string;
  total: number;
};

const maxBarHeight = 150;
const short = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });

/** `Nov 20` */
export function dayName(date: string): string {
  return short.format(new Date(date));
}

export function BarChart({ label, bars, color, total }: BarChartProps) {
  const id = useId();
  const few = bars.length <= 7;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const { current, shown, buttons, show, move } = useDays(bars.length);
  const day = shown === null ? undefined : bars[shown];
  return (
    <figure className="min-w-0" aria-labelledby={id}>
      <figcaption className="flex items-baseline justify-between gap-3">
        <span id={id} className="flex items-center gap-2 text-base text-ink-2">
          <span aria-hidden className={classNames("size-2.5 shrink-0 rounded-xs", color)} />
          {label}
        </span>
        <span className="display num text-t1">{fullCount(total)}</span>
      </figcaption>
      <p aria-hidden className="num mt-1 h-5 text-sm text-ink-2">
        {day
          ? `${dayName(day.date)}: ${fullCount(day.value)}`
          : !few && `At most ${fullCount(Math.max(0, ...bars.map(({ value }) => value)))} a day`}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the bars inside are buttons. */}
      <div
        className={classNames("flex items-end", few ? "gap-1.5" : "gap-px sm:gap-0.5")}
        onKeyDown={move}
        onPointerLeave={() => show(null)}
      >
        {bars.map(({ date, value }, index) => (
          <button
            key={date}
            ref={(button) => {
              buttons.current[index] = button;
            }}
            type="button"
            tabIndex={index === current ? 0 : -1}
            title={`${dayName(date)}: ${fullCount(value)}`}
            onPointerEnter={() => show(index)}
            onFocus={() => show(index)}
            onBlur={() => show(null)}
            className="group flex min-w-0 flex-1 cursor-default flex-col items-center justify-end rounded-xs"
            style={{ height: maxBarHeight + 44 }}
          >
            <span className="sr-only">{`${dayName(date)}: ${fullCount(value)}`}</span>
            {few && (
              <span aria-hidden className="num mb-1 text-2xs text-ink-2">
                {fullCount(value)}
              </span>
            )}
            <span
              aria-hidden
              className={classNames(
                "w-full max-w-10 rounded-t-xs transition-opacity",
                color,
                shown !== null && shown !== index && "opacity-45",
              )}
              style={{ height: value === 0 ? 1 : Math.max(3, Math.round((value / most) * maxBarHeight)) }}
            />
            <span aria-hidden className="num mt-1.5 h-5 w-full overflow-visible text-2xs whitespace-nowrap text-ink-2">
              {tickLabel(bars, index)}
            </span>
          </button>
        ))}
      </div>
      <DayTable label={label} bars={bars} />
    </figure>
  );
}

function tickLabel(bars: Bar[], index: number): string {
  const step = bars.length <= 7 ? 1 : Math.ceil(bars.length / 4);
  const date = bars[index]?.date ?? "";
  if (step === 1) return String(Number(date.slice(8)));
  return index % step === 0 ? dayName(date) : "";
}

function useDays(count: number) {
  const [current, setCurrent] = useState(count - 1);
  const [shown, setShown] = useState<number | null>(null);
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const move = (event: KeyboardEvent) => {
    const from = Math.min(current, count - 1);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(count - 1, to));
    setCurrent(index);
    buttons.current[index]?.focus();
  };
  return { current: Math.min(current, count - 1), shown, buttons, show: setShown, move };
}

function DayTable({ label, bars }: { label: string; bars: Bar[] }) {
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center font-medium text-accent-ink hover:underline max-lg:min-h-11">
        Table<span className="sr-only"> of {label.toLowerCase()}</span>
      </summary>
      <div className="mt-2 max-h-72 overflow-y-auto">
        <table className="w-full">
          <caption className="sr-only">{label} by day</caption>
          <thead>
            <tr className="border-b border-line text-left text-ink-2">
              <th scope="col" className="py-1.5 font-medium">
                Day
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                {label}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ date, value }) => (
              <tr key={date} className="border-b border-line last:border-0">
                <th scope="row" className="num py-1 text-left font-normal">
                  {dayName(date)}
                </th>
                <td className="num py-1 text-right">{fullCount(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
