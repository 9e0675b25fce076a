/** Also of files that aren't pictures. Any other address that a text shows would be requested with its reader's session. */
export function isFilePath(path: string): boolean {
  return filePath.test(path) || apiFilePath.test(path);
}

const filePath = /^\/files\/[\w.-]+(?:\/\d+\.(?:avif|webp|jpeg))?$/;
const apiFilePath = /^\/v1\/storage\/buckets\/[\w.-]+\/files\/[\w.-]+\/(?:view|preview|download)$/;
