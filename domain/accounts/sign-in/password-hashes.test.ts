import { hashPassword as hashByScrypt } from "better-auth/crypto";
import { expect, test } from "vitest";
import { hashPassword, isOutdated, verifyPassword } from "./password-hashes.server.ts";

test("passwords are hashed by argon2id with OWASP's parameters and a salt", async () => {
  const [one, other] = await Promise.all([hashPassword("a lamp in the window"), hashPassword("a lamp in the window")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword({ hash: one, password: "a lamp in the window" })).toBe(true);
  expect(await verifyPassword({ hash: one, password: "a lamp in the windoW" })).toBe(false);
  expect(isOutdated(one)).toBe(false);
});

test("verifies hashes by other programs", async () => {
  // argon2 -id -m 16 (64 MiB would be slow), as its reference implementation prints it.
  const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await verifyPassword({ hash, password: "password" })).toBe(true);
  expect(isOutdated(hash)).toBe(true);
});

test("Unicode-equivalent passwords match", async () => {
  expect(await verifyPassword({ hash: await hashPassword("Zo\u00eb's lamp"), password: "Zoe\u0308's lamp" })).toBe(true);
});

test("verifies old scrypt hashes and marks them as outdated", async () => {
  const hash = await hashByScrypt("a lamp in the window");
  expect(await verifyPassword({ hash, password: "a lamp in the window" })).toBe(true);
  expect(await verifyPassword({ hash, password: "another" })).toBe(false);
  expect(isOutdated(hash)).toBe(true);
});

test.each(["$2b$10$abc", "$argon2id$v=19$m=19456,t=2,p=1$$", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aaaaaaaaaaaaaaaaaaaaaaaa"])(
  "%s matches no password",
  async (hash) => {
    expect(await verifyPassword({ hash, password: "" })).toBe(false);
  },
);
