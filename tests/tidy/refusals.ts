import { folderOf, isTest, lineOf, type Source, visit } from "./source.ts";

const classNames =
  /^(Refusal|NotFound|NotAllowed|SignInRequired|ReauthenticationRequired|Conflict|Invalid|TooMany|TooLarge|Unavailable|UnderMaintenance)$/;
const home = "domain/refusals.ts";

/** Development can load a module twice, so a refusal is identified by its code and details and has no subclasses. */
export function refusalClasses(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => ["app", "domain", "server"].includes(folderOf(path)) && !isTest(path) && path !== home)
    .flatMap((source) => {
      const found: string[] = [];
      visit(source, {
        BinaryExpression: ({ operator, right, start }) => {
          if (operator === "instanceof" && right.type === "Identifier" && classNames.test(right.name))
            found.push(`${source.path}:${lineOf(source, start)} instanceof ${right.name}`);
        },
        ClassDeclaration: ({ superClass, start }) => {
          if (superClass?.type === "Identifier" && classNames.test(superClass.name))
            found.push(`${source.path}:${lineOf(source, start)} extends ${superClass.name}`);
        },
      });
      return found;
    });
}
