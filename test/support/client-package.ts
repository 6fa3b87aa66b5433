import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { buildClient } from '../../scripts/build-client.ts';
import { testFolder } from './folders.ts';
import { waitUntil } from './wait.ts';

/** The package `@telecine/client` in an empty project. */
export interface ClientPackage {
  /** The folder of the project. */
  readonly project: string;
  /** The folder of the installed package. */
  readonly folder: string;
  /** The files in the tarball. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Installs the package as it is published at the first call. */
export function clientPackage(): () => Promise<ClientPackage> {
  let installed: Promise<ClientPackage> | undefined;
  return () => {
    installed ??= install();
    return installed;
  };
}

async function install(): Promise<ClientPackage> {
  const { tarball, files } = await packed();
  const project = await testFolder('client-package');
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', tarball);
  return { project, folder: join(project, 'node_modules/@telecine/client'), files };
}

interface PackedClient extends Pick<ClientPackage, 'files'> {
  readonly tarball: string;
}

/** Builds and packs the package once per run: the first test process does it, and others wait for that. */
async function packed(): Promise<PackedClient> {
  const root = join(inject('clips'), 'client-package');
  const done = join(root, 'packed.json');
  const isFirst = await mkdir(root).then(
    () => true,
    () => false,
  );
  if (!isFirst) await waitUntil('the package to be built', async () => existsSync(done) || undefined, 170);
  else {
    const built = join(root, 'built');
    await buildClient(built);
    const { stdout } = await npm(built, 'pack', '--json', '--pack-destination', root);
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: ClientPackage['files'] }];
    await writeFile(`${done}.new`, JSON.stringify({ tarball: join(root, filename), files } satisfies PackedClient));
    await rename(`${done}.new`, done);
  }
  return JSON.parse(await readFile(done, 'utf8')) as PackedClient;
}

const npm = (cwd: string, ...args: readonly string[]) => promisify(execFile)('npm', [...args], { cwd });
