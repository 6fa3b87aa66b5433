import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const git = async (tree: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', tree, ...args])).stdout;

/** The files that differ from the commit of a checkout, and the files that are neither in the commit nor ignored. */
export async function changedFiles(tree: string): Promise<readonly string[]> {
  // Without renames, each entry is two letters, a space and one path.
  const entries = await git(tree, 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all');
  return entries
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}

/** The commit of a checkout, and its time in seconds since 1970. */
export async function checkedOutCommit(tree: string): Promise<{ readonly id: string; readonly seconds: number }> {
  const [id = '', seconds] = (await git(tree, 'log', '-1', '--format=%H %ct')).trim().split(' ');
  return { id, seconds: Number(seconds) };
}
