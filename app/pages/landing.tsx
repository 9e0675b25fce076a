import { useRoot } from "#app/shell/root-data.ts";
import { Scene } from "#app/ui/art/scene.tsx";
import { Spot, type SpotName } from "#app/ui/art/spot.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowDown } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import type { LandingData } from "./landing-data.server.ts";
import { LandingPreview } from "./landing-preview.tsx";
import { WhyJoin } from "./why-join.tsx";

export function Landing(data: LandingData) {
  return (
    <>
      <Hero intro={data.sentences.intro} />
      <Stats stats={data.stats} />
      <Features />
      <LandingPreview {...data} />
      <WhyJoin writers={[...data.featured, ...data.latest, ...data.pinned]} community={data.sentences.community} hasPosts={data.hasPosts} />
    </>
  );
}

function Hero({ intro }: { intro: string }) {
  const { registrationOpen } = useRoot().site;
  return (
    <section className="relative overflow-hidden border-b border-line">
      <div className={`${column} relative z-10 pt-10 pb-72 lg:pt-20 lg:pb-[300px] xl:min-h-[760px]`}>
        <h1 className="display max-w-[7.3em] text-d2 leading-[.94]! font-[460]! sm:text-d3 xl:text-d4">
          Stories deserve a <em className="display-em font-[430]!">good</em> home.
        </h1>
        {intro && (
          <p className="mt-6 max-w-[26rem] font-reading text-lg leading-[1.5]! text-ink-2 lg:max-w-[29rem] lg:text-read">{intro}</p>
        )}
        <div className="mt-8 flex flex-wrap items-center gap-3">
          {registrationOpen && (
            <ButtonLink to="/signup" variant="primary" size="lg">
              Sign Up
            </ButtonLink>
          )}
          <ButtonLink to="/#stories" variant="ghost" size="lg" iconAfter={ArrowDown} className="text-ink!">
            Read the stories
          </ButtonLink>
        </div>
      </div>
      <Scene className="absolute inset-x-0 bottom-0 h-[300px] w-full sm:h-[420px] xl:h-[560px]" />
    </section>
  );
}

const labels = [
  { label: "Users", name: "users" },
  { label: "Posts", name: "posts" },
  { label: "Reads", name: "reads" },
  { label: "Online", name: "online", live: true },
] as const;

function Stats({ stats }: Pick<LandingData, "stats">) {
  const { name } = useRoot().site;
  return (
    <section className={column} aria-label={`${name} in numbers`}>
      <dl className="grid grid-cols-2 border-b border-line lg:grid-cols-4">
        {labels.map(({ label, name: stat, ...rest }, index) => (
          <div
            key={label}
            className={classNames(
              "flex flex-col-reverse justify-end border-line py-7 lg:py-10",
              index > 0 && "lg:border-l lg:pl-10",
              index % 2 === 1 && "max-lg:border-l max-lg:pl-6",
              index > 1 && "max-lg:border-t",
            )}
          >
            <dt className="mt-1.5 flex items-center gap-2 text-base text-ink-2">
              {"live" in rest && <span aria-hidden className="size-2 rounded-full bg-success" />}
              {label}
            </dt>
            <dd className="display num text-d1 lg:text-d2">{stats[stat]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Features = ReturnType<typeof useRoot>["site"]["features"];

const cards: { art: SpotName; title: string; text: (on: Features) => string }[] = [
  {
    art: "write",
    title: "Write in plain sight",
    text: () => "A calm editor with just enough markdown, and a preview that looks exactly like the page your readers will get.",
  },
  {
    art: "read",
    title: "Read at your pace",
    text: ({ bookmarks }) =>
      `${bookmarks ? "Bookmark for the train, find it again on any device" : "Read on any device, in the light or in the dark"}, and see at a glance how long a story will keep you.`,
  },
  {
    art: "messages",
    title: "Write back",
    text: ({ messages }) =>
      `Found a sentence that would not leave you alone? ${messages ? "Message its author. Friendships have begun with less." : "Follow its author, and you won’t miss the next one."}`,
  },
];

function Features() {
  const { features } = useRoot().site;
  return (
    <section className={`${column} py-12 lg:py-24`} aria-label="What you can do here">
      <div className="grid divide-y divide-line lg:grid-cols-3 lg:divide-x lg:divide-y-0">
        {cards.map(({ art, title, text }) => (
          <div
            key={title}
            className="flex items-center gap-5 py-7 lg:flex-col lg:items-start lg:gap-0 lg:px-10 lg:py-0 lg:first:pl-0 lg:last:pr-0"
          >
            <Spot name={art} className="w-24 shrink-0 lg:w-36" />
            <div>
              <h2 className="display text-t2 lg:mt-6">{title}</h2>
              <p className="mt-2 font-reading text-md leading-[1.6] text-ink-2">{text(features)}</p>
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
