import { data } from "react-router";

/** `/404` and unknown addresses: the root shows Page Not Found. */
export function loader(): never {
  throw data(null, { status: 404, statusText: "Not Found" });
}

export const action = loader;

export default function NotFound() {
  return null;
}
