import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, by its own work or by waiting: begun late, each would be left to run alone at the end. */
const LONGEST = [
  'test/integration/hostile.test.ts',
  'test/e2e/recipes.test.ts',
  'test/faults/failpoints.test.ts',
  'test/e2e/cli.test.ts',
  'test/faults/soak.test.ts',
  'test/e2e/demo.test.ts',
];

/** The order of test files within a group: the longest first, then a kind of test after the other. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? LONGEST.length : place;
    };
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    return (await super.sort(files)).sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
