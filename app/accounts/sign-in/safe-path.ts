import { localPath } from "#app/shell/local-path.ts";

const accountScreens = /^\/(?:login|signup|logout|forgot-password|reset-password)(?:[/?#]|$)/;

/**
 * Where to go on to after signing in: a page of this site, or home. Addresses of other sites in any disguise, and the
 * screens that only lead to signing in, become home.
 */
export function safePath(then: string | null): string {
  const path = localPath(then);
  return accountScreens.test(path) ? "/" : path;
}
