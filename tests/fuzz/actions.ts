import type { ServerBuild } from "react-router";

const pages = new URL("../../build/server/index.js", import.meta.url);

/** Paths of all routes of the built site with an action; parameters have existing values. */
export async function actionPaths(): Promise<string[]> {
  const { routes } = (await import(/* @vite-ignore */ pages.href)) as ServerBuild;
  return Object.values(routes)
    .filter((route) => route?.module.action)
    .map((route) => addressOf(routes, route?.id ?? ""));
}

function addressOf(routes: ServerBuild["routes"], id: string): string {
  const parts: string[] = [];
  let isIndex = false;
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) {
    if (route.path) parts.unshift(route.path);
    isIndex ||= route.index === true;
  }
  return `/${parts.join("/")}${isIndex ? "?index" : ""}`.replaceAll(/:\w+\??/g, "night-bus");
}

/** A few at a time: on a busy machine a connection pool times out. */
export async function fewAtATime<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 5) results.push(...(await Promise.all(items.slice(at, at + 5).map(work))));
  return results;
}
