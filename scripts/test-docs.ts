// npm run test:docs: runs the commands of README and docs against a service of their own, page by page.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTools } from './setup/tools.ts';
import { blocksBefore, PAGES, readPage } from './test-docs/blocks.ts';
import { runPage } from './test-docs/run-page.ts';

const { ffmpegPath, ffprobePath } = await ensureTools();
const only = process.argv.slice(2);
let failures = 0;
for (const page of PAGES.filter((name) => only.length === 0 || only.includes(name))) {
  const blocks = await readPage(page);
  const run = blocks.filter(({ notRun }) => notRun === undefined);
  const folder = await mkdtemp(join(tmpdir(), 'telecine-docs-'));
  const failed =
    run.length === 0
      ? []
      : await runPage(folder, [...(await blocksBefore(page)), ...blocks], {
          FFMPEG_PATH: ffmpegPath,
          FFPROBE_PATH: ffprobePath,
        });
  console.log(`${failed.length === 0 ? '✓' : '✗'} ${page}: ${run.length} of ${blocks.length} blocks run`);
  for (const { line, notRun } of blocks)
    if (notRun !== undefined) console.log(`    ${page}:${line} not run: ${notRun}`);
  for (const { line, command, output } of failed) console.log(`    ${page}:${line} FAILED: ${command}\n${output}`);
  failures += failed.length;
  if (failed.length === 0) await rm(folder, { recursive: true, force: true });
  else console.log(`    The files are in ${folder}`);
}
if (failures > 0) process.exitCode = 1;
