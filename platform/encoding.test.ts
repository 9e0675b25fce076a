import { expect, test } from "vitest";
import { encodingFor } from "./encoding.ts";

test.each([
  [undefined, "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0", "gzip"],
  ["br; q=0.0, gzip;q=0.5", "gzip"],
  ["gzip;q=0, br;q=0", "identity"],
  ["br;q=0.1", "br"],
])("%s gets %s", (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding));
