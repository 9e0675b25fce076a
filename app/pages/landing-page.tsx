import { siteContext } from "#app/context.ts";
import type { Route } from "./+types/landing-page.ts";

export function loader({ context }: Route.LoaderArgs) {
  return { siteName: context.get(siteContext).settings.siteName };
}

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  return <main>{loaderData.siteName}</main>;
}
