import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../scripts/build-client.ts';
import { testFolder } from './folders.ts';

/** The package `@telecine/client` in an empty project. */
export interface ClientPackage {
  /** The folder of the project. */
  readonly project: string;
  /** The folder of the installed package. */
  readonly folder: string;
  /** The files in the tarball. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Builds and packs the package as it is published, and installs the tarball, at the first call. */
export function clientPackage(): () => Promise<ClientPackage> {
  let installed: Promise<ClientPackage> | undefined;
  return () => {
    installed ??= install();
    return installed;
  };
}

async function install(): Promise<ClientPackage> {
  const root = await testFolder('client-package');
  const [built, project] = [join(root, 'built'), join(root, 'project')];
  await buildClient(built);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  const npm = (cwd: string, ...args: readonly string[]) => promisify(execFile)('npm', [...args], { cwd });
  const { stdout } = await npm(built, 'pack', '--json', '--pack-destination', root);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: ClientPackage['files'] }];
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', join(root, filename));
  return { project, folder: join(project, 'node_modules/@telecine/client'), files };
}
