import { globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import type { TestProject } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import config from '../../rolldown.config.ts';
import type { Program } from '../../scripts/lib/service.ts';
import { waitUntil } from './wait.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What services and commands of tests run. */
    program: Program;
  }
}

const TREE = resolve(import.meta.dirname, '../..');

/** Once a run: builds the package as it is published, so that tests start what users do. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('program' in vitest.getProvidedContext()) return undefined;
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'telecine-package-')));
  // Some tests start it as another user.
  await chmod(folder, 0o755);
  await build({ ...config, logLevel: 'warn', output: { ...config.output, dir: join(folder, 'dist') } });
  for (const name of ['package.json', 'README.md', 'LICENSE', 'bin'])
    await cp(join(TREE, name), join(folder, name), { recursive: true });
  await installOptional(join(folder, 'node_modules'));
  vitest.provide('program', {
    entry: join(folder, 'bin/telecine.js'),
    compileCache: join(folder, 'node_modules/.compile-cache'),
  });
  return async () => {
    // Guards of services that were killed last: what ends later would write its compiled code anew.
    await waitUntil('the end of all that runs there', async () => !runsFrom(folder) || undefined, 5).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
}

/** The Node of this system, for an older one to hand over to. It has no other dependencies. */
async function installOptional(modules: string): Promise<void> {
  await mkdir(modules);
  for (const name of Object.keys(manifest.optionalDependencies))
    await symlink(join(TREE, 'node_modules', name), join(modules, name));
}

/** Whether a process was started from this folder. */
const runsFrom = (folder: string): boolean =>
  globSync('/proc/[0-9]*/cmdline').some((file) => {
    try {
      return readFileSync(file, 'utf8').includes(folder);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
