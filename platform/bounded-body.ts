/** Too many bytes or fields, or a name that is too long. */
export class BodyTooLarge extends Error {}

/** Also if it is the cause of another error. */
export function isTooLarge(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof BodyTooLarge) return true;
  return false;
}

/** @throws BodyTooLarge. */
export async function readBytes(body: AsyncIterable<Uint8Array> | null, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new BodyTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // A limit further out may have stopped the body.
    throw isTooLarge(error) ? new BodyTooLarge() : error;
  }
  return Buffer.concat(chunks);
}
