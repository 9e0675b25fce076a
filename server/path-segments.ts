/** The parts of a path or of a route, compared as the router does: without case, repeated slashes and `.data`. Not decoded. */
export function pathSegments(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\.data$/, "")
    .split("/")
    .filter(Boolean);
}
