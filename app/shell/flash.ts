import { redirect } from "react-router";

/** A message that outlives one redirect: a cookie carries it to the next page, which shows and clears it. */
export type Toast = { tone: "success" | "error" | "info"; text: string };

const name = "inkstead_toast";
const attributes = "Path=/; SameSite=Lax; HttpOnly";

export function toastCookie(toast: Toast): string {
  return `${name}=${encodeURIComponent(JSON.stringify(toast))}; Max-Age=60; ${attributes}`;
}

export const clearedToastCookie = `${name}=; Max-Age=0; ${attributes}`;

/** Sends the person on and shows the toast there, with and without JavaScript. */
export function redirectWithToast(to: string, toast: Toast, headers = new Headers()): Response {
  headers.append("set-cookie", toastCookie(toast));
  return redirect(to, { headers });
}

/** The toast that this request brings along, if it is one of ours. */
export function readToast(request: Request): Toast | null {
  const cookie = request.headers
    .get("cookie")
    ?.split(/;\s*/)
    .find((each) => each.startsWith(`${name}=`));
  if (!cookie) return null;
  try {
    const { tone, text } = JSON.parse(decodeURIComponent(cookie.slice(name.length + 1)));
    return typeof text === "string" && ["success", "error", "info"].includes(tone) ? { tone, text: text.slice(0, 300) } : null;
  } catch {
    return null;
  }
}
