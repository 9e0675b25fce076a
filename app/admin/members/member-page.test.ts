import { expect, test } from "vitest";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn } from "../../../tests/support/world.ts";

test("the label and the error of a suspension's length belong to its control", async () => {
  const world = await openWorld();
  const { cookie } = await signIn(world, world.ruth, { reauthenticated: true });
  const fields = { do: "suspend", days: "0", reason: "Spam" };
  const answer = await openWeb(world).request(`/admin/users/${world.tobias.id}`, formPost(fields, { cookie }));
  expect(answer.status).toBe(422);
  const html = await answer.text();
  const id = /<label for="([^"]*)"[^>]*>For<\/label>/.exec(html)?.[1];
  const control = /<select [^>]*name="days"[^>]*>/.exec(html)?.[0];
  for (const attribute of [`id="${id}"`, `aria-describedby="${id}-error"`]) expect(control).toContain(attribute);
  expect(html).toContain(`id="${id}-error"`);
  await world.close();
});
