import type { Generated } from "kysely";

export type FileRow = {
  id: string;
  ownerId: string | null;
  name: string;
  type: string;
  size: number;
  width: number | null;
  height: number | null;
  createdAt: number;
  attachedAt: number | null;
  /** Only complete uploads through the API have one. */
  signature: Generated<string | null>;
  public: Generated<boolean>;
  pieces: Generated<number>;
  updatedAt: Generated<number | null>;
};

/** In bytes, kept by triggers on `files`, `working_copies` and `versions` except `hour…`. */
export type MemberStorageRow = {
  userId: string;
  fileBytes: Generated<number>;
  textBytes: Generated<number>;
  hourBytes: Generated<number>;
  hourEndsAt: Generated<number>;
};
