import { BodyTooLarge } from "#platform/files/limited-form.ts";

/**
 * The same request, whose body ends with `BodyTooLarge` beyond so many bytes. Not needed when the length was said: Node reads
 * exactly that much.
 */
export function withLimitedBody(request: Request, maxBytes: number): Request {
  if (!request.body) return request;
  let seen = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > maxBytes) controller.error(new BodyTooLarge());
      else controller.enqueue(chunk);
    },
  });
  const init: RequestInit & { duplex: "half" } = { body: request.body.pipeThrough(counting), duplex: "half" };
  return new Request(request, init);
}
