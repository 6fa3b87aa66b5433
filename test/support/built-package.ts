import { globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import type { TestProject } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import config from '../../rolldown.config.ts';
import { buildConsole } from '../../scripts/build-console.ts';
import type { Program } from '../../scripts/lib/service.ts';
import { waitUntil } from './wait.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that services and commands of tests run. */
    program: Program;
  }
}

const BROTLI_QUALITY = 4;
const TREE = resolve(import.meta.dirname, '../..');

/** The package in a folder of its own, as it is published. */
interface BuiltPackage {
  readonly folder: string;
  readonly program: Program;
  remove(): Promise<void>;
}

/** Builds the package once per run, so that tests start what users start. */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('program' in vitest.getProvidedContext()) return undefined;
  const { program, remove } = await buildPackage();
  vitest.provide('program', program);
  return remove;
}

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'telecine-package-')));
  // Some tests start it as another user, who must be able to read it.
  await chmod(folder, 0o755);
  await Promise.all([
    build({ ...config, logLevel: 'warn', output: { ...config.output, cleanDir: false, dir: join(folder, 'dist') } }),
    // Tests that look at how small the files are compress them themselves.
    buildConsole(join(folder, 'dist/console'), BROTLI_QUALITY),
  ]);
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'bin', 'docs'])
    await cp(join(TREE, name), join(folder, name), { recursive: true });
  await installOptional(join(folder, 'node_modules'));
  return {
    folder,
    program: { entry: join(folder, 'bin/telecine.js'), compileCache: join(folder, 'node_modules/.compile-cache') },
    async remove() {
      // Crash reapers of killed services may still run; on exit they would write their compiled code again.
      await waitUntil('processes of the package to end', async () => !runsFrom(folder) || undefined, 5).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Links the bundled Node of this system, to which an older Node hands over. The package has no other dependencies. */
async function installOptional(modules: string): Promise<void> {
  await mkdir(modules);
  for (const name of Object.keys(manifest.optionalDependencies))
    await symlink(join(TREE, 'node_modules', name), join(modules, name));
}

/** Whether a process that was started from this folder is running. */
const runsFrom = (folder: string): boolean =>
  globSync('/proc/[0-9]*/cmdline').some((file) => {
    try {
      return readFileSync(file, 'utf8').includes(folder);
    } catch {
      // The process has ended.
      return false;
    }
  });
