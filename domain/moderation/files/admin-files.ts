export type AdminFile = {
  id: string;
  name: string;
  type: string;
  /** Bytes; claimed by the sender until all of it has arrived. */
  size: number;
  createdAt: number;
  /** Null when the sender's account is gone. */
  ownerId: string | null;
  ownerName: string | null;
  /** It has a width, so that it can be shown. */
  isPicture: boolean;
  uses: FileUse[];
};

export type FileUse =
  | { kind: "story"; id: string; title: string }
  | { kind: "profile"; id: string }
  | { kind: "message" | "unfinished" | "public" | "arriving" };

export const fileSorts = ["newest", "largest"] as const;
export type FileSort = (typeof fileSorts)[number];

export const adminFileTexts = {
  removed: "File removed",
  reasonRequired: "Add a reason. It’s recorded in the audit log.",
};
