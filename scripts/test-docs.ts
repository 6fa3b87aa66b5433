// npm run test:docs -- [PAGE…]: runs the commands of README and docs, each page against a service of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { buildPackage } from '../test/support/built-package.ts';
import { ensureCurl, ensureJq, ensureSqlite3, ensureTools } from './setup/tools.ts';
import { blocksBefore, PAGES, readPage } from './test-docs/blocks.ts';
import { runPage } from './test-docs/run-page.ts';

const only = process.argv.slice(2);
const unknown = only.filter((name) => !PAGES.includes(name));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: not a page with commands. The pages are those of PAGES in scripts/test-docs/blocks.ts, such as ${PAGES[0]}.`,
  );
  process.exit(2);
}
const { ffmpegPath, ffprobePath } = await ensureTools();
// The commands of the pages use these.
for (const ensure of [ensureCurl, ensureJq, ensureSqlite3]) await ensure(console.log);
const { folder: published, program, remove } = await buildPackage();
const setup = { folder: published, program, ffmpegPath, ffprobePath };
/** Pages at a time. A page waits for its commands and jobs, one after the other. */
const PARALLEL = 3;

try {
  const results = await pLimit(PARALLEL).map(
    PAGES.filter((name) => only.length === 0 || only.includes(name)),
    async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'telecine-docs-'));
      // If one page rejected, Node would exit while the services of the others run.
      return testPage(page, folder).catch((error: unknown) => {
        console.log(`✗ ${page}: ${error instanceof Error ? error.stack : error}\n    The files are in ${folder}`);
        return false;
      });
    },
  );
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await remove();
}

/** Runs the commands of a page. Resolves to whether none failed. */
async function testPage(page: string, folder: string): Promise<boolean> {
  const blocks = await readPage(page);
  const run = blocks.filter(({ notRun }) => notRun === undefined);
  const failed = run.length === 0 ? [] : await runPage(folder, [...(await blocksBefore(page)), ...blocks], setup);
  console.log(
    [
      `${failed.length === 0 ? '✓' : '✗'} ${page}: ${run.length} of ${blocks.length} blocks run`,
      ...blocks.flatMap(({ line, notRun }) => (notRun === undefined ? [] : [`    ${page}:${line} not run: ${notRun}`])),
      ...failed.map(({ line, command, output }) => `    ${page}:${line} FAILED: ${command}\n${output}`),
      ...(failed.length === 0 ? [] : [`    The files are in ${folder}`]),
    ].join('\n'),
  );
  if (failed.length === 0) await rm(folder, { recursive: true, force: true });
  return failed.length === 0;
}
