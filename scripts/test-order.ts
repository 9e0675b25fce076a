import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start servers wait more than they work. Were they last, the processor would wait with them. */
const waits = ({ moduleId }: TestSpecification) => /\/(tests|scripts)\//.test(moduleId.slice(process.cwd().length));

/** The engines one after the other, since each process is of one engine; of each, first what waits. */
export default class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const order = [...new Set(sorted.map(({ project }) => project))];
    const rank = (file: TestSpecification) => order.indexOf(file.project) * 2 + (waits(file) ? 0 : 1);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
