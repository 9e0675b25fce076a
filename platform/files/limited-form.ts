/** More bytes arrived than the form may have. */
export class BodyTooLarge extends Error {}

/**
 * The fields and files of a posted form, read until `maxBytes`; what a sender claims about the length is believed only
 * when it is too much.
 * @throws BodyTooLarge
 */
export async function readLimitedForm(request: Request, maxBytes: number): Promise<FormData> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw new BodyTooLarge();
  const limited = request.body?.pipeThrough(countingStream(maxBytes)) ?? null;
  try {
    return await new Response(limited, { headers: { "content-type": request.headers.get("content-type") ?? "" } }).formData();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof BodyTooLarge) throw cause;
    throw error;
  }
}

function countingStream(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > maxBytes) controller.error(new BodyTooLarge());
      else controller.enqueue(chunk);
    },
  });
}
