/**
 * The parts of a path or of a route, compared as the router does: without case, repeated slashes and the end of a data request, `.data` or
 * `/_.data`. Not decoded.
 */
export function pathSegments(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/(?:\/_)?\.data$/, "")
    .split("/")
    .filter(Boolean);
}
