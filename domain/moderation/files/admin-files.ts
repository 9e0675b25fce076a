export type AdminFile = {
  id: string;
  name: string;
  type: string;
  size: number;
  createdAt: number;
  ownerId: string | null;
  ownerName: string | null;
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
