import type { Member } from "#domain/site.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";

/** Nobody writes in another's name. @throws ApiError. */
export function mustBeOwn({ viewer }: Call, userId: string | null | undefined): Member {
  if (!viewer || (userId && userId !== viewer.id)) throw new ApiError("user_unauthorized");
  return viewer;
}
