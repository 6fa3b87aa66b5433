// npm run test:docs -- [PAGE…]: runs the commands of README and docs, each page against a service of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { buildPackage } from '../test/support/built-package.ts';
import { ensureCurl, ensureJq, ensureSqlite3, ensureTools } from './setup/tools.ts';
import { blocksBefore, PAGES, readPage } from './test-docs/blocks.ts';
import { runPage } from './test-docs/run-page.ts';

const { ffmpegPath, ffprobePath } = await ensureTools();
// The commands of the pages use these.
for (const ensure of [ensureCurl, ensureJq, ensureSqlite3]) await ensure(console.log);
const { folder: published, program, remove } = await buildPackage();
const setup = { folder: published, program, ffmpegPath, ffprobePath };
const only = process.argv.slice(2);
/** Pages at a time. A page waits for its commands and jobs, one after the other. */
const PARALLEL = 3;

const failures = await pLimit(PARALLEL).map(
  PAGES.filter((name) => only.length === 0 || only.includes(name)),
  async (page) => {
    const blocks = await readPage(page);
    const run = blocks.filter(({ notRun }) => notRun === undefined);
    const folder = await mkdtemp(join(tmpdir(), 'telecine-docs-'));
    const failed = run.length === 0 ? [] : await runPage(folder, [...(await blocksBefore(page)), ...blocks], setup);
    console.log(
      [
        `${failed.length === 0 ? '✓' : '✗'} ${page}: ${run.length} of ${blocks.length} blocks run`,
        ...blocks.flatMap(({ line, notRun }) =>
          notRun === undefined ? [] : [`    ${page}:${line} not run: ${notRun}`],
        ),
        ...failed.map(({ line, command, output }) => `    ${page}:${line} FAILED: ${command}\n${output}`),
        ...(failed.length === 0 ? [] : [`    The files are in ${folder}`]),
      ].join('\n'),
    );
    if (failed.length === 0) await rm(folder, { recursive: true, force: true });
    return failed.length;
  },
);
await remove();
if (failures.some((count) => count > 0)) process.exitCode = 1;
