import { redirect } from "react-router";

export type Toast = { tone: "success" | "error" | "info"; text: string };

export const toastCookieName = "inkstead_toast";
const attributes = "Path=/; SameSite=Lax; HttpOnly";

export function toastCookie(...toasts: Toast[]): string {
  return `${toastCookieName}=${encodeURIComponent(JSON.stringify(toasts))}; Max-Age=60; ${attributes}`;
}

export const clearedToastCookie = `${toastCookieName}=; Max-Age=0; ${attributes}`;

/** Redirects and shows the toast there, with and without JavaScript. */
export function redirectWithToast(to: string, toast: Toast | Toast[], headers = new Headers()): Response {
  headers.append("set-cookie", toastCookie(...[toast].flat()));
  return redirect(to, { headers });
}

const maxToasts = 5;

export function readToasts(request: Request): Toast[] {
  const cookie = request.headers
    .get("cookie")
    ?.split(/;\s*/)
    .find((each) => each.startsWith(`${toastCookieName}=`));
  if (!cookie) return [];
  try {
    const stored: unknown = JSON.parse(decodeURIComponent(cookie.slice(toastCookieName.length + 1)));
    return [stored].flat().slice(0, maxToasts).flatMap(readOne);
  } catch {
    return [];
  }
}

function readOne(stored: unknown): Toast[] {
  const { tone, text } = (stored ?? {}) as Partial<Toast>;
  return typeof text === "string" && tone && ["success", "error", "info"].includes(tone) ? [{ tone, text: text.slice(0, 300) }] : [];
}
