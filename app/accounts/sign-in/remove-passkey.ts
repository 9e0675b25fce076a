export const removePasskeyTexts = {
  title: "Remove this passkey?",
  question: (name: string) => `You won’t be able to sign in with ${name}.`,
  confirm: "Remove",
};

export function removePasskeyPath(id: string): string {
  return `/account/passkeys/${encodeURIComponent(id)}/remove`;
}
