export const demoPassword = "a lamp in the window";

export const signIns = [
  { role: "reader", email: "hazel@example.com" },
  { role: "writer", email: "maren@example.com" },
  { role: "administrator", email: "ruth@example.com" },
] as const;

export const administratorKey = "ruth";
