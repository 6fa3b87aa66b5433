import { type ConversionRequest, requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { addIn, hasEdits } from '@telecine/contract/domain/edit.ts';
import { hostFolder } from '@telecine/contract/domain/foreign-path.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { FIRST_NUMBERS, parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import type { Plan, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';
import { wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';
import type { Estimated, PlanOfPaths, UnreadableInput } from '../ports/ffmpeg.ts';
import type { PathStat, PathStats } from '../ports/media-store.ts';

export interface CheckedPaths {
  readonly request: ConversionRequest;
  readonly plan: PlanOfPaths;
  /** The stats of the outputs, in the order of the plan. */
  readonly outputs: readonly PathStat[];
  /** The stats of the inputs, in the order of the plan. */
  readonly inputs: readonly PathStat[];
  /** The indexes of missing inputs that other jobs will create before this job starts. */
  readonly expected: ReadonlySet<number>;
}

/**
 * Warns about missing inputs, existing outputs, and paths from another machine. A job does not store these warnings,
 * because they are soon outdated.
 */
export function pathWarnings({ request, plan, outputs, inputs, expected }: CheckedPaths): Warning[] {
  const warnings: Warning[] = [];
  const sent = requestedOutputs(request);
  plan.inputs.forEach(({ path, field, sequence }, i) => {
    if (sequence === undefined && inputs[i]?.kind === 'missing' && !expected.has(i))
      warnings.push({ field, code: 'INPUT_NOT_FOUND', message: missingText(path) });
  });
  plan.outputs.forEach(({ field, path }, i) => {
    const folder = hostFolder(sent[i]?.path ?? '', path);
    // A client that reads from this folder of the media root also means it for the output.
    if (
      folder !== undefined &&
      !plan.inputs.some((input, at) => inputs[at]?.kind === 'file' && input.path.startsWith(`${folder}/`))
    )
      warnings.push({
        field,
        code: 'FOREIGN_PATH',
        message: `"/${path}" looks like a path of another machine. Paths start at your media root, so the output becomes "${path}" in it.`,
      });
  });
  const hasBackslash = plan.inputs.some(({ path }) => path.includes('\\'));
  for (const { field, path } of plan.outputs)
    if (path.includes('\\') && !hasBackslash)
      warnings.push({
        field,
        code: 'FOREIGN_PATH',
        message: `${JSON.stringify(path)} has a backslash, which is part of a name here: only "/" separates folders.`,
      });
  plan.outputs.forEach(({ field, path, replace }, i) => {
    if (outputs[i]?.kind === 'file' && !replace)
      warnings.push({
        field,
        code: 'OUTPUT_EXISTS',
        message: `"${path}" already exists. The job would fail with OUTPUT_EXISTS and leave the file unchanged.`,
        fix: { ...addIn('parameters', 'y', ''), or: 'another output to keep the file' },
      });
  });
  return warnings;
}

function missingText(path: MediaPath): string {
  const reason = wildcardAdvice(path);
  return reason === undefined
    ? `"${path}" does not exist yet. The job fails with INPUT_NOT_FOUND if it does not exist when the job starts.`
    : `"${path}" does not exist: ${reason}.`;
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
      message: `"${path}" finds no images: there is none with a number from ${first} to ${first + FIRST_NUMBERS - 1}, and "start_number" sets another first one. The job fails with INPUT_NOT_FOUND if there is none when it starts.`,
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
  return [
    {
      field: '/metadata',
      code: 'NOT_WRITTEN',
      message: `"metadata" beside "parameters" is your own data about the job; ${tags.map(([name]) => JSON.stringify(name)).join(', ')} is not written to the output. "metadata" in "parameters" writes tags.`,
    },
  ];
}
