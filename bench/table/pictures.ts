import { quantile } from "../../scripts/percentiles.ts";
import { timeOf } from "../measure.ts";
import type { DemoSite } from "./demo-site.ts";
import type { Line } from "./report.ts";

const widths = [640, 960, 1200];
const readersAtOnce = 100;

/** Milliseconds until covers arrive in sizes that nobody has requested before, one after the other and a new one for many readers at once. */
export async function measurePictures({ url, posts }: DemoSite): Promise<Line[]> {
  const covers = await Promise.all(posts.map((post) => findCover(url, post)));
  const [crowded, ...others] = covers;
  const single: number[] = [];
  for (const cover of others) for (const width of widths) single.push(await timeOf(`${url}/files/${cover}/${width}.avif`));
  const crowd = await Promise.all(Array.from({ length: readersAtOnce }, () => timeOf(`${url}/files/${crowded}/1200.avif`)));
  return [lineOf("cover, first request of a size", single), lineOf(`the same, ${readersAtOnce} readers at once`, crowd)];
}

async function findCover(url: string, post: string): Promise<string> {
  const page = await (await fetch(`${url}/post/${post}`)).text();
  const id = /\/files\/([^/"]+)\/1200\.avif/.exec(page)?.[1];
  if (!id) throw new Error(`${post} has no cover`);
  return id;
}

function lineOf(name: string, times: number[]): Line {
  const max = Math.max(...times);
  return { name, figure: `${Math.round(quantile(times, 0.5))} ms, ${Math.round(max)} at most`, values: { ms: max } };
}
