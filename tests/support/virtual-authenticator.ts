import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value]);

/** A device with one passkey (WebAuthn level 2, ES256, no attestation). `verifies`: it verifies its user. */
export class VirtualAuthenticator {
  readonly #origin: string;
  readonly #verifies: boolean;
  readonly #id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #x: Buffer;
  readonly #y: Buffer;

  constructor(origin: string, { verifies = true } = {}) {
    this.#origin = origin;
    this.#verifies = verifies;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    [this.#x, this.#y] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  }

  /** The response to a registration. */
  register(options: unknown) {
    const client = this.#client("webauthn.create", options);
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
    const key = Buffer.concat([head, this.#x, Buffer.from([0x22, 0x58, 0x20]), this.#y]);
    const data = Buffer.concat([this.#head(0x40), Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, key]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.from([0xa0]),
      text("authData"),
      bytes(data),
    ]);
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** The response to a sign-in. */
  authenticate(options: unknown) {
    const client = this.#client("webauthn.get", options);
    const data = this.#head(0);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#key);
    const [clientDataJSON, authenticatorData] = [client.toString("base64url"), data.toString("base64url")];
    return this.#answer({ clientDataJSON, authenticatorData, signature: signature.toString("base64url") });
  }

  #head(flags: number): Buffer {
    const rpId = new URL(this.#origin).hostname;
    return Buffer.concat([sha256(rpId), Buffer.from([flags | 0x01 | (this.#verifies ? 0x04 : 0)]), Buffer.alloc(4)]);
  }

  #client(type: string, options: unknown): Buffer {
    const { challenge } = options as { challenge: string };
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #answer(response: Record<string, unknown>) {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, authenticatorAttachment: "platform", response };
  }
}
