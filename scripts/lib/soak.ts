import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../../test/support/built-package.ts';
import type { Program } from './service.ts';

/** Reads a whole number of an option. Ends the script with its usage if it is less than `least`. */
export function wholeNumberOf(text: string, least: number, usage: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`Usage: ${usage}`);
  process.exit(2);
}

/** The option `--seed`, random by default. */
export const SEED = { type: 'string', default: String(Date.now() % 1e9) } as const;

/**
 * Runs a soak of the built package in a folder of its own and prints its report. The folder stays if there are errors.
 *
 * @param what What runs, for people: `200 rounds`.
 * @param kept Where in the folder the files of errors are.
 */
export async function runSoak(
  { what, seed, kept = '' }: { readonly what: string; readonly seed: number; readonly kept?: string },
  run: (folder: string, program: Program) => Promise<{ readonly faults: readonly unknown[] }>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'telecine-soak-'));
  console.log(`${what}, seed ${seed}, in ${folder}`);
  const from = performance.now();
  const built = await buildPackage();
  const report = await run(folder, built.program).finally(built.remove);
  console.log(JSON.stringify({ ...report, minutes: (performance.now() - from) / 60_000 }, null, 2));
  if (report.faults.length === 0) {
    await rm(folder, { recursive: true });
    console.log('No errors found.');
  } else {
    console.log(`${report.faults.length} errors. The files are in ${join(folder, kept)}. To repeat: --seed ${seed}`);
    process.exitCode = 1;
  }
}
