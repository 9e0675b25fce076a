import { expect, test } from "vitest";
import { isKnownDevice, knownDeviceId, rememberDevice } from "./known-devices.server.ts";

const site = { url: "https://inkstead.test", secret: "a secret" };
const sent = (setCookie: string) => `theme=dark; ${setCookie.split(";", 1)[0]}; other=1`;

test("a browser is recognized only for accounts that it has signed in to", () => {
  const first = sent(rememberDevice(site, null, "maren"));
  const both = sent(rememberDevice(site, first, "tobias"));
  expect(["maren", "tobias", "ruth"].map((id) => isKnownDevice(site, both, id))).toEqual([true, true, false]);
  expect(isKnownDevice(site, first, "tobias")).toBe(false);
  expect(knownDeviceId(site, both, "maren")).toBe(knownDeviceId(site, first, "maren"));
  expect(knownDeviceId(site, both, "ruth")).toBeUndefined();
});

test("the five latest accounts are remembered", () => {
  let cookie = "";
  for (const id of ["1", "2", "3", "1", "4", "5", "6"]) cookie = sent(rememberDevice(site, cookie, id));
  expect(["1", "2", "3", "4", "5", "6"].filter((id) => isKnownDevice(site, cookie, id))).toEqual(["1", "3", "4", "5", "6"]);
});

test("the cookie can't be forged or moved to another browser", () => {
  expect(isKnownDevice(site, sent(rememberDevice({ ...site, secret: "another" }, null, "maren")), "maren")).toBe(false);
  const [device, mark] = rememberDevice(site, null, "maren").split("=")[1]?.split(";")[0]?.split(".") ?? [];
  expect(isKnownDevice(site, `__Host-inkstead_known=${device}.${mark}`, "maren")).toBe(true);
  expect(isKnownDevice(site, `__Host-inkstead_known=${"A".repeat(16)}.${mark}`, "maren")).toBe(false);
  for (const odd of [
    null,
    undefined,
    "",
    "__Host-inkstead_known=",
    `__Host-inkstead_known=${device}`,
    "__Host-inkstead_known=...",
    "inkstead_known=x",
  ])
    expect(isKnownDevice(site, odd, "maren")).toBe(false);
});

test("the cookie is protected from scripts, other sites and other subdomains", () => {
  expect(rememberDevice(site, null, "maren")).toMatch(
    /^__Host-inkstead_known=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(rememberDevice({ ...site, url: "http://localhost:3000" }, null, "maren")).toMatch(/^inkstead_known=.+SameSite=Lax$/);
});
