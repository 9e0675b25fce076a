import { defaultSchema, type Options as Schema } from "rehype-sanitize";

export const idPrefix = "md-";

export const storySchema: Schema = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  // With what is in them: it was never meant to be read.
  strip: ["script", "style"],
  tagNames: [...(defaultSchema.tagNames ?? []), "u"],
  attributes: { ...defaultSchema.attributes, code: [["className", /^language-[\w+-]{1,30}$/]] },
};
