import { redirect } from "react-router";

/** Without a slug, `/post` redirects home, as for an unknown story (specification §2). */
export function loader() {
  return redirect("/");
}
