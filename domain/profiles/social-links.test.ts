import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { type SocialNetwork, socialLink } from "./social-links.ts";

test.each<[SocialNetwork, string, string | null]>([
  ["website", "maren.example.com", "https://maren.example.com/"],
  ["website", "http://maren.example.com/a", "http://maren.example.com/a"],
  ["website", "HTTPS://Maren.example.com", "https://maren.example.com/"],
  ["website", "  ", null],
  ["website", "javascript:alert(1)", null],
  ["twitter", "@maren", "https://twitter.com/maren"],
  ["twitter", "maren", "https://twitter.com/maren"],
  ["github", "maren", "https://github.com/maren"],
  ["github", "https://github.com/maren", "https://github.com/maren"],
  ["linkedIn", "maren-oduya", "https://www.linkedin.com/in/maren-oduya"],
  ["linkedIn", "", null],
])("%s %j leads to %s", (network, typed, address) => {
  expect(socialLink(network, typed)).toBe(address);
});

test("any input leads to a web page or nowhere", () => {
  const networks = fc.constantFrom<SocialNetwork>("website", "twitter", "github", "linkedIn");
  fc.assert(
    fc.property(networks, fc.oneof(fc.string({ unit: anyCharacter }), fc.webUrl(), fc.constant("data:text/html,x")), (network, typed) => {
      expect(socialLink(network, typed) ?? "https://nowhere").toMatch(/^https?:\/\//);
    }),
  );
});
