declare module "s3rver" {
  type Stored = { bucket: string; key: string; content: Buffer | NodeJS.ReadableStream; metadata: object };
  type Range = { start: number; end: number };
  type Found = { content: NodeJS.ReadableStream & { destroy(): void }; range?: Range };
  type Store = {
    getObject(bucket: string, key: string, range?: Partial<Range>): Promise<Found | null>;
    putObject(object: Stored): Promise<{ size: number; md5: string }>;
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
    getResourcePath(bucket: string, key: string, resource: string): string;
  };

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    store: Store;
    run(): Promise<{ port: number }>;
  }
}

declare module "s3rver/lib/models/account.js" {
  type Account = { createKeyPair(accessKeyId: string, secretAccessKey: string): void; revokeAccessKey(accessKeyId: string): void };
  const accounts: { DUMMY_ACCOUNT: Account };
  export default accounts;
}
