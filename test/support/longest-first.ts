import { hash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest test files. If they started late, they would still run when all others have ended. */
const LONGEST = [
  // In a run of all rows.
  'test/e2e/right-requests.test.ts',
  'test/e2e/common-requests.test.ts',
  'test/e2e/run-warnings.test.ts',
  'test/growth/values.test.ts',
  'test/growth/operations.test.ts',
  'test/engines/cluster-soak.test.ts',
  'test/engines/chunks.test.ts',
  'test/engines/media-s3-faults.test.ts',
  'test/console/pictures.test.ts',
  'test/console/pictures-of-states.test.ts',
  // In each run.
  'test/budgets/budgets.test.ts',
  'test/e2e/cli.test.ts',
  'test/e2e/chunks.test.ts',
  'test/e2e/policy.test.ts',
  'test/e2e/input-urls.test.ts',
  'test/faults/failpoints.test.ts',
  'test/faults/drain.test.ts',
  'test/integration/contracts.test.ts',
  'test/integration/hostile.test.ts',
  'test/integration/chunks-outputs.test.ts',
  'test/integration/quality.test.ts',
];

/** Orders the test files: the slowest first, unit tests last. With `--sequence.shuffle`, at random by the seed. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle) {
      const place = (file: TestSpecification): string => hash('sha1', `${seed} ${file.project.name} ${file.moduleId}`);
      return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    }
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      if (place !== -1) return place;
      return project.name === 'unit' ? LONGEST.length + 1 : LONGEST.length;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
