import { execFileSync } from 'node:child_process';
import { inject, test } from 'vitest';
import { onPath } from '../../scripts/setup/command.ts';

/** Why this machine lacks a thing; undefined where it is there. */
const LACK = {
  ffmpeg: () => (inject('tools')?.supported ? undefined : 'ffmpeg 5.1 or newer: apt-get install ffmpeg'),
  'any ffmpeg': () => (inject('tools') ? undefined : 'ffmpeg: apt-get install ffmpeg'),
  sandbox: () => (inject('tools')?.bubblewrap ? undefined : 'a working bubblewrap: apt-get install bubblewrap'),
  root: () => (process.getuid?.() === 0 ? undefined : 'root: run the tests as root'),
  curl: () => (onPath('curl') ? undefined : 'curl: apt-get install curl'),
  linux: () => (process.platform === 'linux' ? undefined : 'Linux'),
  'another user': () => (canBecomeNobody() ? undefined : 'root, and a checkout that the user nobody may read'),
} as const satisfies Record<string, () => string | undefined>;

/** Runs what follows as an ordinary user of Debian: nobody. */
export const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] as const;

function canBecomeNobody(): boolean {
  const [file, ...args] = AS_NOBODY;
  try {
    execFileSync(file, [...args, process.execPath, '--check', import.meta.filename], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export type Need = keyof typeof LACK;

/**
 * `test` for tests that need what a machine may lack: `needs('sandbox')('…', async () => …)`. Where it lacks,
 * they count as skipped and standard error says what to install.
 */
export function needs(...all: readonly Need[]) {
  const lacking = all.flatMap((need) => LACK[need]() ?? []);
  for (const what of lacking) process.stderr.write(`\n!!! SKIPPING TESTS: they need ${what}\n`);
  return test.skipIf(lacking.length > 0);
}
