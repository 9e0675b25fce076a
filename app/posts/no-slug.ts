import { redirect } from "react-router";

/** The address of a story without its last part leads home, as that of a story which isn't there does (specification §2). */
export function loader() {
  return redirect("/");
}
