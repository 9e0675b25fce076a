import { useSearchParams } from "react-router";
import { localPath } from "#app/shell/local-path.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { IconLink } from "#app/ui/button.tsx";
import { X } from "#app/ui/icons.tsx";
import type { Route } from "./+types/menu-page.ts";
import type { FrameHandle } from "./frame.tsx";
import { SiteMenu } from "./menu-sheet.tsx";
import { Wordmark } from "./wordmark.tsx";

export const handle: FrameHandle = { frame: "bare" };

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches, { title: "Menu" });
}

/** The menu of narrow screens, without JavaScript. */
export default function MenuPage() {
  const [query] = useSearchParams();
  const from = localPath(query.get("from"));
  return (
    <div className="flex flex-1 flex-col">
      <h1 className="sr-only">Menu</h1>
      <div className="flex h-14 shrink-0 items-center justify-between border-b border-line px-4">
        <Wordmark className="text-[1.7rem]" />
        <IconLink to={from} label="Close menu" icon={X} className="-mr-2.5" />
      </div>
      <SiteMenu next={from} />
    </div>
  );
}
