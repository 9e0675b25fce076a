import type { Check } from "#domain/accounts/account.ts";

export const apiKeyScopes = ["read", "write", "moderate"] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export type ApiKey = { id: string; name: string; scopes: ApiKeyScope[]; createdAt: number; expiresAt: number; lastUsedAt: number | null };

export const apiKeysPerMember = 20;
export const apiKeyNameMaxLength = 100;
export const apiKeyDays = [7, 30, 90, 365] as const;

export const apiKeyTexts = {
  nameRequired: "Give the key a name",
  nameTooLong: `The name cannot exceed ${apiKeyNameMaxLength} characters`,
  scopesRequired: "Choose what the key can do",
  staffOnly: "Only staff can create keys that moderate",
  tooMany: `You’ve reached the limit of ${apiKeysPerMember} keys. Remove one first.`,
};

export const checkApiKeyName: Check = (name) => {
  if (name.trim() === "") return apiKeyTexts.nameRequired;
  return name.trim().length > apiKeyNameMaxLength ? apiKeyTexts.nameTooLong : undefined;
};
