import { defaultSchema, type Options as Schema } from "rehype-sanitize";

export const idPrefix = "md-";

/** For forms and documents, and access keys, which would interfere with the page. */
const removed = ["acceptCharset", "accessKey", "action", "charSet", "encType", "htmlFor", "method"];
const anywhere = (defaultSchema.attributes?.["*"] ?? []).filter((attribute) => !removed.includes(String(attribute)));

export const postSchema: Schema = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  // With their content.
  strip: ["script", "style"],
  tagNames: [...(defaultSchema.tagNames ?? []), "u"],
  attributes: { ...defaultSchema.attributes, "*": anywhere, code: [["className", /^language-[\w+-]{1,30}$/]] },
};
