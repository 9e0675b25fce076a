import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Field, TextInput } from "#app/ui/field.tsx";

test("an error at a field is announced and belongs to its control", () => {
  const field = { label: "Email", id: "email", error: "Enter an email", children: createElement(TextInput) };
  const html = renderToString(createElement(Field, field));
  expect(html).toMatch(/<p id="email-error" role="alert"[^>]*>.*Enter an email<\/p>/);
  expect(html).toMatch(/<input [^>]*aria-describedby="email-error"/);
});
