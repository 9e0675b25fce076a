import { BodyTooLarge, type FormLimits, readLimitedForm } from "#platform/files/limited-form.ts";
import { Invalid, TooLarge } from "../refusals.ts";
import { formLimits } from "./form-limits.ts";

/**
 * Reads a posted form, and is the only one who does: nothing else bounds how much a sender may send. Take fields from it by their names,
 * never all that there are. @throws TooLarge beyond the limits; Invalid when it can't be read as a form.
 */
export async function readForm(
  request: Request,
  limits: FormLimits = formLimits.ordinary,
  tooLarge = "This is too large. Please shorten it and try again.",
): Promise<FormData> {
  try {
    return await readLimitedForm(request, limits);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new TooLarge(tooLarge);
    // Who hung up in the middle reads no answer, and nothing is wrong here.
    const hungUp = (error as NodeJS.ErrnoException).code === "ECONNRESET";
    if (error instanceof TypeError || hungUp) throw new Invalid("We couldn’t read what you sent. Go back and try again.");
    throw error;
  }
}
