export function ensureInstalled(root: string, everything: boolean): Promise<void>;
export function installedNode(root: string, ownVersion?: string): string;
