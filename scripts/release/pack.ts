import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { machineTextsIn } from './machine-texts.ts';
import { NOTICES, type Notice, readNotices } from './notices.ts';

/** The maximum output of npm, in bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs npm, and resolves to what it prints. */
export const npm = async (cwd: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('npm', [...args, '--loglevel=error'], { cwd, maxBuffer: MAX_OUTPUT })).stdout;

export interface Packed {
  readonly file: string;
  readonly sha512: string;
  /** The entries of its `THIRD-PARTY-LICENSES`. */
  readonly notices: readonly Notice[];
}

/**
 * Packs the built package in `folder` as `npm publish` does, into `target`. The tarball depends only on the contents of the files: npm sets
 * their times and owners, and this function sets their modes, which would depend on the umask of a checkout.
 *
 * @throws if a file contains a path of this machine or the address of a registry.
 */
export async function pack(folder: string, target: string): Promise<Packed> {
  const staging = await mkdtemp(join(tmpdir(), 'telecine-pack-'));
  try {
    const notices: Notice[] = [];
    const registry = await npm(folder, 'config', 'get', 'registry');
    for (const path of await packedFiles(folder)) {
      await copyWithMode(join(folder, path), join(staging, path));
      const content = await readFile(join(staging, path), 'utf8');
      const [found] = machineTextsIn(content, registry);
      if (found !== undefined) throw new Error(`${join(folder, path)} must not contain "${found}".`);
      if (basename(path) === NOTICES) notices.push(...readNotices(content));
    }
    const [{ filename }] = JSON.parse(
      await npm(staging, 'pack', '--json', '--ignore-scripts', '--pack-destination', target),
    ) as [{ filename: string }];
    const sha512 = createHash('sha512')
      .update(await readFile(join(target, filename)))
      .digest('hex');
    return { file: filename, sha512, notices };
  } finally {
    await rm(staging, { recursive: true });
  }
}

async function packedFiles(folder: string): Promise<readonly string[]> {
  const [{ files }] = JSON.parse(await npm(folder, 'pack', '--dry-run', '--json', '--ignore-scripts')) as [
    { files: readonly { readonly path: string }[] },
  ];
  return files.map(({ path }) => path);
}

async function copyWithMode(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target);
  const { mode } = await stat(source);
  await chmod(target, (mode & 0o100) === 0 ? 0o644 : 0o755);
}
