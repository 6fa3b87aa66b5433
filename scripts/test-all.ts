// npm run test:all -- [SUITE…] [--without SUITE,…]: runs every suite, one after the other, and says at the end what failed, what was
// retried and how long each took. Takes about two hours on two cores of an otherwise idle machine. The output of each suite is in
// dist/test-all/SUITE.log.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, styleText } from 'node:util';
import { type RunSummary, SUMMARY_MARK } from '../test/support/summary-reporter.ts';

interface Suite {
  readonly name: string;
  /** The script of package.json, with its arguments. */
  readonly script: readonly string[];
  /** Whether the script gives its arguments to vitest. */
  readonly isVitest: boolean;
  /** Whether it has tests with the tag `part`: a part of what the suites of `WHOLE` run. */
  readonly hasParts?: true;
}

const suite = (name: string, ...script: readonly string[]): Suite => ({ name, script, isVitest: false });
const tests = (name: string, ...script: readonly string[]): Suite => ({ name, script, isVitest: true });
const withParts = (name: string, ...script: readonly string[]): Suite => ({
  ...tests(name, ...script),
  hasParts: true,
});

const WHOLE: readonly string[] = ['tasks', 'soak-kill', 'soak-cluster', 'soak-watches', 'soak-media'];

const SUITES: readonly Suite[] = [
  suite('check', 'check'),
  tests('console', 'test:console'),
  tests('tasks', 'test:tasks'),
  suite('docs', 'test:docs'),
  suite('docs-page', 'test:docs-page'),
  suite('cors', 'test:cors'),
  suite('soak-kill', 'soak:kill', '--rounds', '20'),
  suite('soak-cluster', 'soak:cluster', '--rounds', '3'),
  suite('soak-fleet', 'soak:cluster', '--fleet', '--rounds', '1'),
  suite('soak-watches', 'soak:watches', '--rounds', '3'),
  suite('soak-media', 'soak:media', '--count', '500', '--sandbox', 'required'),
  suite('install', 'test:install'),
  withParts('engines', 'test:engines'),
  tests('debian13', 'test:debian13', '--system-only'),
  withParts('rows', 'test:rows'),
];

const { values, positionals } = parseArgs({ options: { without: { type: 'string' } }, allowPositionals: true });
const names = SUITES.map(({ name }) => name);
const without = values.without?.split(',') ?? [];
const unknown = [...positionals, ...without].filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: not a suite. The suites are ${names.join(', ')}.`);
  process.exit(2);
}
const chosen = SUITES.filter(
  ({ name }) => (positionals.length === 0 || positionals.includes(name)) && !without.includes(name),
);

const REPORTERS: readonly string[] = [
  'default',
  './test/support/processor-time-reporter.ts',
  './test/support/summary-reporter.ts',
];

/** Where the whole runs, its parts find nothing more. */
const partsFilter = WHOLE.every((name) => chosen.some((one) => one.name === name)) ? ['--tags-filter', '!part'] : [];

interface Result {
  readonly name: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  /** undefined: the suite does not run vitest. */
  readonly summary: RunSummary | undefined;
}

const repository = resolve(import.meta.dirname, '..');
const logs = join(repository, 'dist/test-all');
mkdirSync(logs, { recursive: true });

const results: Result[] = [];
for (const one of chosen) {
  process.stdout.write(`${one.name.padEnd(14)} …`);
  const result = await run(one);
  results.push(result);
  process.stdout.write(`\r${lineOf(result)}\n`);
}
const report = reportOf(results);
writeFileSync(join(logs, 'summary.txt'), report);
console.log(report);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;

async function run({ name, script, isVitest, hasParts }: Suite): Promise<Result> {
  const begin = performance.now();
  const [npmScript = '', ...args] = script;
  const reporters = isVitest ? REPORTERS.flatMap((reporter) => ['--reporter', reporter]) : [];
  const more = [...args, ...reporters, ...(hasParts ? partsFilter : [])];
  const child: ChildProcess = spawn('npm', ['run', npmScript, ...(more.length === 0 ? [] : ['--', ...more])], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    // With CI set, a test whose tool is missing fails, and a failed test is run once more.
    env: { ...process.env, CI: 'true', NO_COLOR: '1' },
  });
  const log = createWriteStream(join(logs, `${name}.log`));
  child.stderr?.pipe(log, { end: false });
  child.stdout?.pipe(log, { end: false });
  let summary: RunSummary | undefined;
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith(SUMMARY_MARK)) summary = JSON.parse(line.slice(SUMMARY_MARK.length)) as RunSummary;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  log.end();
  // A suite of vitest whose summary is missing has not run to its end.
  const isPassed = code === 0 && (!isVitest || summary !== undefined);
  return { name, isPassed, seconds: (performance.now() - begin) / 1000, summary };
}

function lineOf({ name, isPassed, seconds, summary }: Result): string {
  const counts =
    summary === undefined
      ? ''
      : `${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped, ${summary.retriedTests.length} retried`;
  const word = isPassed ? styleText('green', 'passed') : styleText('red', 'FAILED');
  return `${name.padEnd(14)} ${word} ${String(Math.round(seconds)).padStart(5)} s  ${counts}`;
}

function reportOf(all: readonly Result[]): string {
  const listed = (title: string, of: (summary: RunSummary) => readonly string[]): string[] => {
    const lines = all.flatMap(({ name, summary }) =>
      summary === undefined ? [] : of(summary).map((line) => `  ${name}: ${line}`),
    );
    return lines.length === 0 ? [] : ['', title, ...lines];
  };
  const seconds = all.reduce((sum, result) => sum + result.seconds, 0);
  return [
    '',
    ...all.map(lineOf),
    `${'all'.padEnd(14)} ${(seconds / 60).toFixed(1)} minutes`,
    ...listed('Failed:', ({ failedTests }) => failedTests),
    ...listed('Failed once and passed when it was run again:', ({ retriedTests }) => retriedTests),
    ...listed('Slowest files:', ({ slowestFiles }) =>
      slowestFiles.slice(0, 5).map(({ file, ms }) => `${(ms / 1000).toFixed(0).padStart(5)} s  ${file}`),
    ),
    '',
  ].join('\n');
}
