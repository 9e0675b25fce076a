import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start servers wait more than they compute; if they ran last, a core would be idle. */
const startsServers = ({ moduleId }: TestSpecification) => /\/(tests|scripts)\//.test(moduleId.slice(process.cwd().length));

/** One engine after the other, since each process is of one engine; within each, files that start servers first. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const order = [...new Set(sorted.map(({ project }) => project))];
    const rank = (file: TestSpecification) => order.indexOf(file.project) * 2 + (startsServers(file) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
