/**
 * `npm run bench:table`: runs the benches of the most used functions, one after the other, and adds a line with their figures to
 * `bench/history.jsonl`, so that `git log` shows a drift. About 45 minutes. `-- --quick`: only benches that take five minutes together.
 * `-- --only TEXT`: only benches whose name contains the text. `--dry`: adds no line.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from './support/figures.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, dry: { type: 'boolean' } },
});

interface Row {
  readonly bench: string;
  readonly args?: readonly string[];
  readonly isQuick?: true;
}

const ROWS: readonly Row[] = [
  { bench: 'check', isQuick: true },
  { bench: 'first-request', isQuick: true },
  { bench: 'small', isQuick: true },
  { bench: 'submit', isQuick: true },
  { bench: 'convert' },
  { bench: 'responsive' },
  { bench: 'mcp' },
  { bench: 'fresh-worker' },
  { bench: 'bullmq' },
  { bench: 'cluster' },
  { bench: 'workers', args: ['--workers', '1'] },
];

/** The maximum load of the machine before the start. Above it, another program runs and would change the figures. */
const MOST_LOAD = 0.5;

const [load = 0] = loadavg();
if (load > MOST_LOAD) console.log(`The load is ${load.toFixed(2)} before the first bench: figures will be too high.`);
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
const figures: Record<string, Figure> = {};
const failed: string[] = [];
for (const { bench, args = [], isQuick } of ROWS) {
  if ((values.quick === true && isQuick !== true) || (values.only !== undefined && !bench.includes(values.only)))
    continue;
  console.log(`\n── ${bench} ${args.join(' ')}`);
  const child: ChildProcess = fork(join(import.meta.dirname, `${bench}.ts`), args);
  let count = 0;
  child.on('message', (figure) => {
    const { what, ...rest } = figure as Figure & { readonly what: string };
    figures[`${bench}: ${what}`] = rest;
    count += 1;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  // A bench that misses a bound still has figures. A bench without figures has failed.
  if (count === 0 && code !== 0) failed.push(bench);
}
const line = {
  date: new Date().toISOString().slice(0, 16),
  commit: `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--', '..', ':!history.jsonl') === '' ? '' : ' and changes'}`,
  machine: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  node: process.version,
  loadBefore: Number(load.toFixed(2)),
  figures,
};
const missed = Object.entries(figures).filter(([, { isMet }]) => !isMet);
console.log(`\n${Object.keys(figures).length} figures, ${missed.length} missed:`);
for (const [name, { value, operator, limit }] of missed)
  console.log(`  ${name}: ${value}, required ${operator} ${limit}`);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
if (values.dry !== true) appendFileSync(join(import.meta.dirname, 'history.jsonl'), `${JSON.stringify(line)}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
