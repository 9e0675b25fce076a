export type FileKey = {
  key: string;
  /** If attached, its bytes must exist. */
  attached: boolean;
};

export function originalKey(fileId: string): string {
  return `${fileId}/original`;
}

export function chunkKey(fileId: string, number: number): string {
  return `${fileId}/piece-${number}`;
}

export function keysOf({ id, pieces, attachedAt }: Record<string, string | null>): FileKey[] {
  const [fileId, attached] = [id as string, attachedAt !== null];
  if (Number(pieces) <= 1) return [{ key: originalKey(fileId), attached }];
  return Array.from({ length: Number(pieces) }, (_, number) => ({ key: chunkKey(fileId, number), attached }));
}
