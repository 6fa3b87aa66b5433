import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { addIn, hasEdits, orElse, sendValue } from '@telecine/contract/domain/edit.ts';
import { type HostPath, hostPath, pathsInText } from '@telecine/contract/domain/foreign-path.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { FIRST_NUMBERS, parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import type { Plan, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';
import { EACH_FILE, wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';
import type { Estimated, PlanOfPaths, UnreadableInput } from '../ports/ffmpeg.ts';
import type { PathStat, PathStats } from '../ports/media-store.ts';
import { JOB_ID } from './new-job-id.ts';

export interface CheckedPaths {
  readonly plan: PlanOfPaths;
  /** The stats of the outputs, in the order of the plan. */
  readonly outputs: readonly PathStat[];
  /** The stats of the inputs, in the order of the plan. */
  readonly inputs: readonly PathStat[];
  /** By the index of a missing input: an existing file whose path differs only in its spelling. */
  readonly meant: ReadonlyMap<number, MediaPath>;
  /** The indexes of missing inputs that other jobs will create before this job starts. */
  readonly expected: ReadonlySet<number>;
  /**
   * By the index of an output whose path is from another machine, such as `/home/me/x.mp4`: the path that the client
   * probably means.
   */
  readonly hostPaths: ReadonlyMap<number, MeantPath>;
}

/**
 * Warns about missing inputs, existing outputs, and paths from another machine. A job does not store these warnings,
 * because they are soon outdated.
 */
export function pathWarnings({ plan, outputs, inputs, meant, expected, hostPaths }: CheckedPaths): Warning[] {
  const warnings: Warning[] = [];
  plan.inputs.forEach(({ path, field, sequence }, i) => {
    if (sequence === undefined && inputs[i]?.kind === 'missing' && !expected.has(i))
      warnings.push(
        wildcardWarning(field, path) ?? {
          field,
          code: 'INPUT_NOT_FOUND',
          message: `"${path}" does not exist yet. The job fails with INPUT_NOT_FOUND if it does not exist when the job starts.`,
          fix: meant.has(i)
            ? sendValue(meant.get(i))
            : (severalFiles(path) ?? (JOB_ID.test(path) ? NOT_AN_ID : 'Check the path, or create the file first.')),
        },
      );
  });
  for (const [i, right] of hostPaths) {
    const { field = '/output', path = '' } = plan.outputs[i] ?? {};
    warnings.push({
      field,
      code: 'FOREIGN_PATH',
      message: `"/${path}" looks like a path of another machine. Paths start at your media root, so the output becomes "${path}" in it.`,
      fix: right.hasFolder
        ? orElse(sendValue(right.path), `${JSON.stringify(path)} if that folder of your media root is meant`)
        : sendValue(right.path),
    });
  }
  const hasBackslash = plan.inputs.some(({ path }) => path.includes('\\'));
  for (const { field, path } of plan.outputs)
    if (path.includes('\\') && !hasBackslash)
      warnings.push({
        field,
        code: 'FOREIGN_PATH',
        message: `${JSON.stringify(path)} has a backslash, which is part of a name here: only "/" separates folders.`,
        fix: sendValue(path.replaceAll(/\\+/g, '/')),
      });
  plan.outputs.forEach(({ field, path, replace }, i) => {
    if (outputs[i]?.kind === 'file' && !replace)
      warnings.push({
        field,
        code: 'OUTPUT_EXISTS',
        message: `"${path}" already exists. The job would fail with OUTPUT_EXISTS and leave the file unchanged.`,
        fix: orElse(addIn('parameters', 'y', ''), 'another output to keep the file'),
      });
  });
  return warnings;
}

const NOT_AN_ID = 'Files have paths, and no ids: send the path of an output of that job, or of the upload.';

/**
 * Returns the fix for a path that is really several paths, such as `a.mp4, b.mp4`. Returns undefined for any other
 * path.
 */
function severalFiles(path: MediaPath): string | undefined {
  const paths = pathsInText(path);
  return paths && `For several files, send "inputs": ${JSON.stringify(paths)}.`;
}

/** Returns the warning about a missing input whose name contains a wildcard. Returns undefined if it contains none. */
function wildcardWarning(field: string, path: MediaPath): Warning | undefined {
  const advice = wildcardAdvice(path);
  if (advice === undefined) return undefined;
  const sequence = { input: path, parameters: { pattern_type: 'glob' } };
  return {
    field,
    code: 'INPUT_NOT_FOUND',
    message: `"${path}" does not exist: ${advice.reason}.`,
    fix: !advice.isSequence
      ? EACH_FILE
      : field === '/input'
        ? addIn('parameters', 'pattern_type', 'glob')
        : field.endsWith('/input')
          ? `Send ${JSON.stringify(sequence)}, with the other parameters of the input.`
          : sendValue(sequence),
  };
}

/** Warns about unreadable inputs, and about what the run will certainly do. Leaves out the warnings in `known`. */
export function fileWarnings(
  plan: Pick<Plan, 'inputs'>,
  { unreadable, foreseen }: Pick<Estimated, 'unreadable' | 'foreseen'>,
  known: readonly Warning[],
): readonly Warning[] {
  const inputs = inputWarnings(plan, unreadable);
  const said = new Set([...known, ...inputs].map(({ code, field }) => `${code} ${field}`));
  const isNew = ({ code, field }: Warning): boolean => !said.has(`${code} ${field}`);
  // Report each warning once, although several outputs of a run can have it.
  const once = new Map(foreseen.filter(isNew).map((one) => [JSON.stringify(one), one])).values();
  return [...inputs, ...once];
}

/** Warns about inputs that exist but cannot be read, so that the job would fail. */
const inputWarnings = ({ inputs }: Pick<Plan, 'inputs'>, unreadable: readonly UnreadableInput[]): readonly Warning[] =>
  unreadable.flatMap(({ index, cause: { message, fix } }) => {
    const input = inputs[index];
    if (input === undefined) return [];
    return {
      field: input.field,
      code: 'INPUT_INVALID',
      message: `${message} The job would fail.`,
      // Replace a fix that names an operation of the API: it is about the probe, so it does not help here.
      fix: typeof fix === 'string' || hasEdits(fix) ? fix : 'Send another file.',
    };
  });

/**
 * Warns about image sequences without a first image. Too slow for a plain submission, which stats only the paths in its
 * request. `expected`: the inputs that an earlier job writes.
 */
export async function missingSequences(
  media: PathStats,
  root: MediaRoot,
  { inputs }: { readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'sequence' | 'url'>[] },
  expected: { has(index: number): boolean },
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
  for (const [i, { path, field, sequence, url }] of inputs.entries()) {
    if (sequence === undefined || sequence.glob === true || url !== undefined || expected.has(i)) continue;
    const base = baseName(path);
    const name = parseNumberedName(base);
    if (name === undefined) continue;
    const first = sequence.startNumber ?? 0;
    const numbered = Array.from({ length: FIRST_NUMBERS }, (_, n) => name.format(first + n));
    const folder = path.slice(0, path.length - base.length);
    const stats = await media.statPaths(root, [path, ...numbered.map((one) => `${folder}${one}` as MediaPath)]);
    if (stats.some(({ kind }) => kind !== 'missing')) continue;
    warnings.push({
      field,
      code: 'INPUT_NOT_FOUND',
      message: `"${path}" finds no images: there is none with a number from ${first} to ${first + FIRST_NUMBERS - 1}. The job fails with INPUT_NOT_FOUND if there is none when it starts.`,
      fix: 'Check the name and the digits of the counter, or send "start_number" if the first number is another one.',
    });
  }
  return warnings;
}

/** Names of tags that players show. See https://wiki.multimedia.cx/index.php/FFmpeg_Metadata. */
const TAGS = new Set([
  ...['title', 'artist', 'album', 'album_artist', 'composer', 'genre', 'date', 'year', 'track', 'disc', 'comment'],
  ...['copyright', 'description', 'synopsis', 'language', 'lyrics', 'publisher', 'performer'],
]);

/**
 * Warns if `metadata` of a request contains names of tags, such as `title`. The client probably wants these tags in the
 * output, but `metadata` is only stored with the job.
 */
export function tagWarnings({ metadata, parameters = {}, outputs = [] }: ConversionRequest): Warning[] {
  if (metadata === undefined) return [];
  const tags = Object.entries(metadata).filter(([name]) => TAGS.has(name.toLowerCase()));
  const all = [{ parameters }, ...outputs];
  if (tags.length === 0 || all.some((one) => Object.hasOwn(one.parameters ?? {}, 'metadata'))) return [];
  const pairs = tags.map(([name, value]) => `${name.toLowerCase()}=${value}`);
  return [
    {
      field: '/metadata',
      code: 'NOT_WRITTEN',
      message: `"metadata" beside "parameters" is your own data about the job; ${tags.map(([name]) => JSON.stringify(name)).join(', ')} is not written to the output.`,
      fix: { ...addIn('parameters', 'metadata', pairs), why: 'that writes tags into the output' },
    },
  ];
}

/** What a client probably means by an output path from another machine. */
interface MeantPath {
  readonly path: string;
  /** true: the media root has a folder with the same name as the folder on the other machine. */
  readonly hasFolder: boolean;
}

/**
 * For each output with a path from another machine, returns the path that the client probably means. An existing folder
 * with the same name in the media root does not prove that the client means this folder, because an earlier mistake may
 * have created it. Only an input in this folder proves it.
 */
export function findHostPaths(
  media: PathStats,
  caller: Caller,
  {
    request,
    plan,
    meant,
    inputs,
  }: Pick<CheckedPaths, 'plan' | 'meant' | 'inputs'> & { readonly request: ConversionRequest },
): ReadonlyMap<number, MeantPath> | Promise<ReadonlyMap<number, MeantPath>> {
  const sent = requestedOutputs(request);
  const found = plan.outputs.flatMap(({ path }, index) => {
    const host = hostPath(sent[index]?.path ?? '', path);
    return host === undefined ? [] : [{ ...host, path, index }];
  });
  return found.length === 0 ? NONE : meantByHostPaths(media, caller, found, { plan, meant, inputs });
}

const NONE: ReadonlyMap<number, MeantPath> = new Map();

async function meantByHostPaths(
  media: PathStats,
  caller: Caller,
  found: readonly (HostPath & { readonly path: MediaPath; readonly index: number })[],
  { plan, meant, inputs }: Pick<CheckedPaths, 'plan' | 'meant' | 'inputs'>,
): Promise<ReadonlyMap<number, MeantPath>> {
  const folders = found.map(({ folder }) => folder);
  const stats = await media.statPaths(caller.root, folders);
  const prefixes = [...meant].flatMap(([index, right]) => {
    const { path = '' } = plan.inputs[index] ?? {};
    return path.endsWith(`/${right}`) ? [path.slice(0, -right.length)] : [];
  });
  const isUsed = (folder: string): boolean =>
    plan.inputs.some(({ path }, index) => inputs[index]?.kind === 'file' && path.startsWith(`${folder}/`));
  return new Map(
    found.flatMap(({ index, path, guess, folder }, at): [number, MeantPath][] => {
      const prefix = prefixes.find((one) => path.startsWith(one));
      if (prefix !== undefined) return [[index, { path: path.slice(prefix.length), hasFolder: false }]];
      return isUsed(folder) ? [] : [[index, { path: guess, hasFolder: stats[at]?.kind === 'directory' }]];
    }),
  );
}
