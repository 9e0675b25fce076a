let request: Promise<Set<string>> | undefined;

/** Requests the followed members once, on first use. */
export async function followsMember(userId: string): Promise<boolean> {
  request ??= fetch("/following/ids", { headers: { accept: "application/json" } })
    .then(async (response) => new Set<string>(response.ok ? ((await response.json()) as { ids: string[] }).ids : []))
    .catch(() => new Set<string>());
  return (await request).has(userId);
}

export function forgetFollowed(): void {
  request = undefined;
}
