import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, link, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import { type FailureCode, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { JobOutput, OutputReport } from '@telecine/contract/domain/job.ts';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { fileInputs, type Mount, type Plan } from '@telecine/contract/domain/plan.ts';
import { checkOverwrites, jobOutputs, notOwnFile, plannedFiles } from '@telecine/contract/domain/planned-files.ts';
import { isBelow } from '../sandbox/work-folder.ts';

/** An input file that exists. `identities` has one element, because image sequences are rejected before. */
export type FoundInput = Required<Mount>;

/**
 * Finds the input files of a plan. Throws INPUT_NOT_FOUND, INPUT_INVALID.
 *
 * @param root The media root, with symlinks resolved.
 */
export async function findInputs(root: string, { inputs }: Plan): Promise<readonly FoundInput[]> {
  const found: FoundInput[] = [];
  for (const { path, logical } of fileInputs(inputs)) {
    const hostPath = await readableFile(join(root, path)).catch((error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error)))
        throw failed('INPUT_NOT_FOUND', `Input "${path}" does not exist in the media root.`, 'Check the path.');
      if (!['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'].includes(errnoOf(error))) throw error;
      throw failed('INPUT_INVALID', `Input "${path}" cannot be read (${errnoOf(error)}).`);
    });
    if (!isBelow(relative(root, hostPath)))
      throw failed('INPUT_INVALID', `Input "${path}" is a symlink that leaves the media root.`, 'Send another path.');
    const stats = await stat(hostPath, { bigint: true });
    if (!stats.isFile()) throw failed('INPUT_INVALID', `Input "${path}" is not a file.`, 'Send the path of a file.');
    if (stats.size === 0n)
      throw failed('INPUT_INVALID', `Input "${path}" is empty (0 bytes).`, 'Send a file that contains media.');
    found.push({ logical, hostPath, identities: [idOf(stats)] });
  }
  return found;
}

async function readableFile(path: string): Promise<string> {
  const real = await realpath(path);
  await access(real, constants.R_OK);
  return real;
}

const idOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`;

/** Rejects outputs that exist and may not be replaced, before a run takes time. Throws INPUT_INVALID, OUTPUT_EXISTS. */
export async function checkOutputs(root: string, { outputs }: Plan, inputs: readonly FoundInput[]): Promise<void> {
  for (const { path, replace } of outputs) {
    const found = await stat(join(root, path), { bigint: true }).catch(ignoreErrno('ENOENT', 'ENOTDIR'));
    if (found === undefined) continue;
    if (inputs.some(({ identities }) => identities.includes(idOf(found))))
      throw failed('INPUT_INVALID', `Output "${path}" is the same file as an input.`, 'Send another output path.');
    if (!replace || !found.isFile()) throw outputExists(path);
  }
}

interface FinishedRun {
  readonly root: string;
  /** The scratch folder. It is on the disk of the media root. */
  readonly dir: string;
  readonly plan: Plan;
  readonly reports: readonly OutputReport[];
  readonly inputs: readonly FoundInput[];
}

/**
 * Links the files of a finished run to their paths in the media root, each whole. Checks all files before it links the first. If a link
 * fails, removes the files that it has linked. Throws FFMPEG_FAILED, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED.
 */
export async function publishOutputs({ root, dir, plan, reports, inputs }: FinishedRun): Promise<readonly JobOutput[]> {
  const out = join(dir, 'out');
  const planned = plannedFiles(plan.outputs);
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const name = relative(out, join(entry.parentPath, entry.name));
    // Reject links: a hostile input may have made ffmpeg write a link to another file.
    if (!entry.isFile() || (await lstat(join(out, name))).nlink > 1) throw notOwnFile(name);
    planned.add(name);
  }
  const files = planned.inOrder();
  const existing = new Map<string, string>();
  const prepared: PreparedFile[] = [];
  const targets = new Set<string>();
  for (const { name, path, output } of files) {
    const replaces = plan.outputs[output]?.replace === true;
    const target = join(await makeFolder(root, path), basename(path));
    const before = await lstat(target, { bigint: true }).catch(ignoreErrno('ENOENT'));
    if (before !== undefined && (!replaces || before.isDirectory())) throw outputExists(path);
    if (before !== undefined) existing.set(path, idOf(before));
    if (targets.has(target))
      throw failed('UNSUPPORTED', `"${path}" and another output are the same file.`, 'Send another output path.');
    targets.add(target);
    const source = join(out, name);
    prepared.push({ source, target, path, replaces, sizeBytes: (await lstat(source)).size });
  }
  checkOverwrites(files, existing, new Set(inputs.flatMap(({ identities }) => identities)));
  const outputs = jobOutputs(
    plan.outputs.map((one, index) => ({ files: one, report: reports[index] ?? {} })),
    files,
    prepared,
  );
  const placed: string[] = [];
  try {
    for (const file of prepared) {
      await place(file);
      if (!file.replaces) placed.push(file.target);
    }
  } catch (error) {
    for (const target of placed) await rm(target, { force: true });
    throw error;
  }
  return outputs;
}

interface PreparedFile {
  readonly source: string;
  readonly target: string;
  /** The path as the client knows it. */
  readonly path: string;
  readonly replaces: boolean;
  readonly sizeBytes: number;
}

/** Makes a finished file appear at its target, whole. Throws OUTPUT_EXISTS if the target exists and may not be replaced. */
async function place({ source, target, path, replaces }: PreparedFile): Promise<void> {
  try {
    if (replaces) await rename(source, target);
    else await linkNew(source, target);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw outputExists(path);
    if (errnoOf(error) !== 'EXDEV') throw error;
    // The target is on another disk. Copy the file next to it first, so that the whole file appears at once.
    const copy = join(dirname(target), `${RESERVED_PREFIX}-${randomUUID()}`);
    try {
      await copyFile(source, copy, constants.COPYFILE_EXCL);
      await place({ source: copy, target, path, replaces, sizeBytes: 0 });
    } finally {
      await rm(copy, { force: true });
    }
  }
}

/** Gives a file a second name, which must be new. Without hard links, reserves the name by an empty file, which the file then replaces. */
async function linkNew(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
    await (await open(target, 'wx')).close();
    await rename(source, target);
  }
}

/** Makes the folder of an output. Returns its path with symlinks resolved. Throws UNSUPPORTED if it is not in the media root. */
async function makeFolder(root: string, path: string): Promise<string> {
  const folder = dirname(join(root, path));
  let existing: string | undefined;
  for (let up = folder; existing === undefined; up = dirname(up))
    existing = await realpath(up).catch(ignoreErrno('ENOENT', 'ENOTDIR'));
  if (existing !== root && !isBelow(relative(root, existing)))
    throw failed(
      'UNSUPPORTED',
      `Output "${path}" is below a symlink that leaves the media root.`,
      'Send another path.',
    );
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    // Other errors mean that the path is no folder. ENOENT: it contains a symlink whose target is missing.
    if (!['EEXIST', 'ENOTDIR', 'ENOENT'].includes(errnoOf(error))) throw error;
    throw failed('UNSUPPORTED', `Output "${path}" is below something that is not a folder.`, 'Send another path.');
  });
  return realpath(folder);
}

const failed = (code: FailureCode, message: string, fix?: string): JobFailed =>
  new JobFailed({ code, message, ...(fix !== undefined && { fix }) });

const outputExists = (path: string): JobFailed =>
  failed(
    'OUTPUT_EXISTS',
    `Output "${path}" already exists; nothing was changed.`,
    'Send "y": "" in "parameters" to replace the file, or another output path.',
  );
