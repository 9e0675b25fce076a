import { passwordMinLength } from "#domain/accounts/account.ts";

/** The specification has five labels for six scores (§5). Browser-safe. */
const labels = ["Very Weak", "Very Weak", "Weak", "Fair", "Good", "Strong"] as const;

export type PasswordStrength = {
  score: number;
  label: (typeof labels)[number];
  hints: { text: string; met: boolean }[];
};

export function passwordStrength(password: string): PasswordStrength {
  const long = password.length >= passwordMinLength;
  const upper = /\p{Lu}/u.test(password);
  const lower = /\p{Ll}/u.test(password);
  const digit = /\p{Nd}/u.test(password);
  const special = /[^\p{L}\p{N}]/u.test(password);
  const score = [long, upper, lower, digit, special].filter(Boolean).length;
  return {
    score,
    label: labels[score] ?? labels[0],
    hints: [
      { text: `At least ${passwordMinLength} characters`, met: long },
      { text: "Upper and lowercase letters", met: upper && lower },
      { text: "At least one number", met: digit },
    ],
  };
}
