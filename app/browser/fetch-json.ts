export class RequestRefused extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, { message = "", field }: { message?: string; field?: string }) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** @throws RequestRefused with the server's message, empty without one. */
export async function fetchJson<Result>(url: string, init?: RequestInit): Promise<Result> {
  const response = await fetch(url, init);
  if (response.ok) return response.json();
  throw new RequestRefused(response.status, await response.json().catch(() => ({})));
}
