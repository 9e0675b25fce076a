export function withCookies(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie) => ["set-cookie", cookie]));
}
