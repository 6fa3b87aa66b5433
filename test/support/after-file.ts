/** Work for the end of the test file that runs, such as the removal of what its tests left. */
type Work = (failed: boolean) => Promise<void>;

const all: Work[] = [];

/** Registers work for the end of this test file. It runs after all hooks of its tests, and before its services are killed. */
export const afterFile = (work: Work): void => void all.push(work);

/** Called by `setup-file.ts` after the tests of a file. `failed`: whether one of them failed. */
export async function endFile(failed: boolean): Promise<void> {
  for (const work of all.splice(0)) await work(failed);
}
