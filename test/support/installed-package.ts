import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { command, type Outcome } from '../../scripts/setup/command.ts';
import { testFolder } from './folders.ts';
import { waitUntil } from './wait.ts';

/** A published package in an empty project. */
export interface InstalledPackage {
  /** The folder of the project. */
  readonly project: string;
  /** The folder of the installed package. */
  readonly folder: string;
  /** The files in the tarball. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/**
 * Installs a package as it is published at the first call.
 *
 * @param name Without the scope.
 * @param build Writes the package to a folder.
 */
export function installedPackage(
  name: string,
  build: (folder: string) => Promise<void>,
): () => Promise<InstalledPackage> {
  let installed: Promise<InstalledPackage> | undefined;
  return () => {
    installed ??= install(name, build);
    return installed;
  };
}

async function install(name: string, build: (folder: string) => Promise<void>): Promise<InstalledPackage> {
  const { tarball, files } = await packed(name, build);
  const project = await testFolder(`${name}-package`);
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return { project, folder: join(project, 'node_modules/@telecine', name), files };
}

interface PackedPackage extends Pick<InstalledPackage, 'files'> {
  readonly tarball: string;
}

/** Builds and packs a package once per run: the first test process does it, and others wait for that. */
async function packed(name: string, build: (folder: string) => Promise<void>): Promise<PackedPackage> {
  const root = join(inject('clips'), `${name}-package`);
  const done = join(root, 'packed.json');
  const isFirst = await mkdir(root).then(
    () => true,
    () => false,
  );
  if (!isFirst) await waitUntil('the package to be built', async () => existsSync(done) || undefined, 170);
  else {
    const built = join(root, 'built');
    await build(built);
    const { stdout } = await npm(built, 'pack', '--json', '--pack-destination', root);
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: InstalledPackage['files'] }];
    await writeFile(`${done}.new`, JSON.stringify({ tarball: join(root, filename), files } satisfies PackedPackage));
    await rename(`${done}.new`, done);
  }
  return JSON.parse(await readFile(done, 'utf8')) as PackedPackage;
}

const npm = (cwd: string, ...args: readonly string[]) => promisify(execFile)('npm', [...args], { cwd });

const MODULES = resolve(import.meta.dirname, '../../node_modules');

/** Runs the compiler, on one thread: several check much of a program twice. */
export const tsc = (...args: readonly string[]): Promise<Outcome> =>
  command(process.execPath, [join(MODULES, '.bin/tsc'), '--singleThreaded', ...args]);

/** Gives a project the types of Node, as `npm install @types/node` does. */
export async function addNodeTypes(project: string): Promise<void> {
  await mkdir(join(project, 'node_modules/@types'), { recursive: true });
  await symlink(join(MODULES, '@types/node'), join(project, 'node_modules/@types/node')).catch(() => undefined);
}
