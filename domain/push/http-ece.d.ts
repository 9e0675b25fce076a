declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  type Keys = { version: "aes128gcm"; privateKey: ECDH; authSecret: string; dh?: string };
  const ece: { encrypt(text: Buffer, keys: Keys): Buffer; decrypt(bytes: Buffer, keys: Keys): Buffer };
  export default ece;
}
