let asked: Promise<Set<string>> | undefined;

/** Whether the viewer follows a member. Asked of the server once, and only when it is needed. */
export async function followsMember(userId: string): Promise<boolean> {
  asked ??= fetch("/following/ids", { headers: { accept: "application/json" } })
    .then(async (answer) => new Set<string>(answer.ok ? ((await answer.json()) as { ids: string[] }).ids : []))
    .catch(() => new Set<string>());
  return (await asked).has(userId);
}

export function forgetFollowed(): void {
  asked = undefined;
}
