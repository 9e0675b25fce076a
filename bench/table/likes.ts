import type { DemoSite } from "./demo-site.ts";

/** Toggles likes at this rate per second on stories that visitors see, until `end`. */
export function writeLikes({ url, cookies, posts }: DemoSite, perSecond: number): { end(): Promise<void> } {
  const running = new Set<Promise<void>>();
  let failed: unknown;
  let count = 0;
  const toggleLike = async (number: number) => {
    const post = posts[number % posts.length];
    const wanted = Math.floor(number / posts.length / cookies.length) % 2 === 0 ? "yes" : "no";
    const cookie = cookies[Math.floor(number / posts.length) % cookies.length] ?? "";
    const body = new URLSearchParams({ reaction: "like", wanted, scripted: "yes" });
    const { ok, status } = await fetch(`${url}/post/${post}/react`, { method: "POST", body, headers: { cookie, origin: url } });
    if (!ok) throw new Error(`a like failed with ${status}`);
  };
  const timer = setInterval(() => {
    const toggled = toggleLike(count++)
      .catch((error) => (failed = error))
      .then(() => void running.delete(toggled));
    running.add(toggled);
  }, 1000 / perSecond);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(running);
      if (failed) throw failed;
    },
  };
}
