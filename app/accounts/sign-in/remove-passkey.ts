export const removePasskeyQuestion = { title: "Remove this passkey?", confirmLabel: "Remove", danger: true };

export function removePasskeyText(name: string): string {
  return `You won’t be able to sign in with ${name}.`;
}

export function removePasskeyPath(id: string): string {
  return `/account/passkeys/${encodeURIComponent(id)}/remove`;
}
