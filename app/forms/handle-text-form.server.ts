import type { RouterContextProvider } from "react-router";
import { siteContext, viewerContext } from "#app/context.ts";
import { readForm } from "#domain/forms/read-form.server.ts";
import type { Refusal } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";
import { refuseForm } from "./refused-form.ts";

type ActionArgs = { request: Request; context: Readonly<RouterContextProvider> };

/** Reads a form of texts and runs a verb; a refusal shows the form again with them. @throws refusals with a code in `elsewhere`. */
export async function handleTextForm<Values extends object, Result>(
  { request, context }: ActionArgs,
  readValues: (form: FormData) => Values,
  run: (values: Values, site: Site, viewer: Viewer) => Promise<Result>,
  elsewhere: Refusal["code"][] = [],
) {
  const values = readValues(await readForm(request));
  try {
    return await run(values, context.get(siteContext), context.get(viewerContext));
  } catch (error) {
    return refuseForm(error, values, elsewhere);
  }
}
