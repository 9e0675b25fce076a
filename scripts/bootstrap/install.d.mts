export function ensureInstalled(root: string, everything: boolean): Promise<void>;
export function installedNode(root: string, ownVersion?: string): string;
export function linkNode(root: string, node: string): void;
