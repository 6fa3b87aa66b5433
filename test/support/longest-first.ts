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
  'test/integration/chunks.test.ts',
  'test/integration/measurements.test.ts',
  'test/integration/chunks-quality.test.ts',
  'test/engines/watched-disks.test.ts',
  'test/engines/cluster-soak.test.ts',
  'test/engines/chunks.test.ts',
  'test/engines/postgres.test.ts',
  // Slow on a bucket, because it is listed rarely.
  'test/e2e/watch-lives.test.ts',
  'test/engines/across-services.test.ts',
  'test/engines/other-buckets.test.ts',
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

/**
 * The projects in the order of their files. Vitest ends a process once the next file is of another project, so files of one project are
 * together. The one whose tests wait least is last: it fills the processors until the end.
 */
const PROJECT_ORDER = ['budgets', 'e2e', 'faults', 'integration', 'growth', 'image', 'unit'];

/** Orders the test files: by project, the slowest first. With `--sequence.shuffle`, projects and their files at random by the seed. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle) {
      const place = ({ project, moduleId }: TestSpecification): string =>
        hash('sha1', `${seed} ${project.name}`) + hash('sha1', `${seed} ${moduleId}`);
      return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    }
    const orderOf = ({ project }: TestSpecification): number => PROJECT_ORDER.indexOf(project.name);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => orderOf(a) - orderOf(b) || rankOf(a) - rankOf(b));
  }
}
