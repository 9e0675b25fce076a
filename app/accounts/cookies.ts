export function withCookies(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie) => ["set-cookie", cookie]));
}

export function setCookies(headers: Headers, cookies: string[]): void {
  for (const cookie of cookies) headers.append("set-cookie", cookie);
}
