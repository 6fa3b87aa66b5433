// npm run test:release: makes the release of the checked out commit in two new clones, and compares what they wrote. The second clone has
// another path, time zone, language and umask.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changedFiles } from './release/checkout.ts';

const TREE = resolve(import.meta.dirname, '..');

const CLONES = [
  { name: 'a', umask: 0o022, env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' } },
  { name: 'another folder', umask: 0o077, env: { TZ: 'Pacific/Auckland', LC_ALL: 'sv_SE.UTF-8' } },
];

/** The environment without the variables in which npm describes this checkout. */
const OUTER = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

const changed = await changedFiles(TREE);
if (changed.length > 0) console.warn(`Not tested, because no commit contains them: ${changed.join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'telecine-release-'));
try {
  // Use the same commit in both clones, even if another commit is made meanwhile.
  for (const { name, umask } of CLONES) {
    process.umask(umask);
    execFileSync('git', ['clone', '--quiet', TREE, join(folder, name)], { stdio: 'inherit' });
  }
  const [first, second] = CLONES.map(release);
  if (first !== second) {
    console.error(`The two releases differ:\n${first}\n${second}`);
    process.exitCode = 1;
  } else console.log(`The two releases are the same:\n${first}`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the SHA256SUMS of a release from a new clone. */
function release({ name, umask, env }: (typeof CLONES)[number]): string {
  process.umask(umask);
  const clone = join(folder, name);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      cwd: clone,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...OUTER, ...env },
    });
  run('npm', 'ci', '--prefer-offline');
  run('npm', 'run', 'release');
  return readFileSync(join(clone, 'dist/release/SHA256SUMS'), 'utf8');
}
