import type { ConversionRequest } from './conversion.ts';
import { type Edit, hasEdits } from './edit.ts';
import type { AbsentStream, Failure } from './failure.ts';
import { type ChosenStream, isOfPreset, type Origins, originOf, originsOf } from './origins.ts';
import type { Warning } from './plan.ts';
import { type FieldError, pointerToken } from './problem.ts';
import type { Preset } from './recipe.ts';

/** The errors of a request that runs, in the fields and words of what the client sent. */
export function errorsForClient(request: ConversionRequest, errors: readonly FieldError[]): readonly FieldError[] {
  const origins = originsOf(request);
  return errors.map((one) => inClientWords(one, request, origins));
}

/**
 * The warnings that the client of a request sees, in the fields and words of what the client sent. Warnings which only say that options of the
 * recipe have no effect are left out: a recipe for videos sets audio options, and the client cannot remove them for a video without audio.
 */
export function warningsForClient(request: ConversionRequest, warnings: readonly Warning[]): readonly Warning[] {
  if (warnings.length === 0) return warnings;
  const origins = originsOf(request);
  const isOfRecipe = (one: string): boolean => origins[one]?.isOfRecipe === true;
  const isSetByRecipe = (one: string): boolean => isOfRecipe(one) || isOfPreset(originOf(origins, one));
  const shown = (one: Warning): Warning =>
    one.field === undefined ? one : inClientWords({ ...one, field: one.field }, request, origins);
  return warnings
    .map((one) => withoutVideo(one, request, isOfRecipe))
    .flatMap(({ options: idle = [], askedBy = [], failsWith: _, withoutVideo: __, absent, ...warning }) => {
      const { code, field = '' } = warning;
      // A recipe chooses streams for the client, who may not know what it leaves out.
      if (askedBy.some((one) => asks(request, one) && !isOfRecipe(one))) return [];
      const lack = absent && absentForRecipe(request, origins, absent);
      if (lack !== undefined) return [{ field: lack.field, code, message: `${lack.message} The job would fail.` }];
      const isIdle = isOfRecipe(field) || (idle.length > 0 && idle.every(isSetByRecipe));
      return OF_OPTIONS.has(code) && isIdle ? [] : [shown(warning)];
    });
}

/** True if the request has the option at this JSON Pointer, in its parameters or in those of one of its outputs. */
const asks = ({ parameters, outputs = [] }: ConversionRequest, pointer: string): boolean => {
  const name = pointer.slice('/parameters/'.length);
  return [parameters, ...outputs.map((output) => output.parameters)].some((one) => one?.[name] !== undefined);
};

/** Codes of warnings that are shown only if the client itself sent the option. If a recipe sets the option, it does so on purpose. */
const OF_OPTIONS: ReadonlySet<string> = new Set(['NO_EFFECT', 'CHANNELS_LOST', 'KEY_FRAME_CUTS']);

/**
 * Turns a warning about options that need video into one about the recipe, if the recipe set these options and no input has video. The client
 * has not sent the options.
 */
function withoutVideo(
  one: Warning,
  { preset, input, inputs = [] }: ConversionRequest,
  isOfRecipe: (option: string) => boolean,
): Warning {
  const { files, options = [] } = one.withoutVideo ?? {};
  if (!options.some(isOfRecipe)) return one;
  return {
    field: input === undefined && inputs.length > 0 ? '/inputs/0' : '/input',
    code: 'NO_SUCH_STREAM',
    message: `The recipe "${preset?.name}" is for files with video, and ${files} has none: the output would have only audio.`,
  };
}

/**
 * Returns what a recipe needs and an input lacks, with its field: the argument that chooses the stream, or the recipe. undefined: the client
 * itself sent the option that reads the stream.
 */
function absentForRecipe({ preset }: ConversionRequest, origins: Origins, absent: AbsentStream) {
  const { option, map, kind, file, count, content } = absent;
  const { name: recipe = '', arguments: sent = {} } = preset ?? {};
  const { isOfRecipe, streams = [] } = origins[option] ?? {};
  const chosen = streams.find((one) => one.map === map);
  if (isOfRecipe !== true && chosen === undefined) return undefined;
  const known = `${file} has only ${count} ${kind} ${count === 1 ? 'stream' : 'streams'}`;
  if (chosen !== undefined && count > 0)
    return {
      field: `/preset/arguments/${pointerToken(chosen.argument)}`,
      message: outsideStreams(chosen, sent, known, count),
    };
  if (count > 0) return { field: '/preset', message: `${known}, fewer than the recipe "${recipe}" reads.` };
  const message = `${file} has no ${kind} stream, only ${content}, and the recipe "${recipe}" needs one.`;
  return { field: '/preset', message };
}

/** Says which values of an argument choose a stream that exists. `known`: what the file has. */
function outsideStreams(
  { argument, first, least }: ChosenStream,
  sent: NonNullable<Preset['arguments']>,
  known: string,
  count: number,
): string {
  const name = JSON.stringify(argument);
  const lowest = first === undefined ? undefined : Math.max(first, least ?? first);
  const last = (first ?? 0) + count - 1;
  if (lowest === undefined || last < lowest) return `${name} chooses a stream that does not exist: ${known}.`;
  return `${name} must be from ${lowest} to ${last}, not ${JSON.stringify(sent[argument])}: ${known}.`;
}

/** The failure of a job as its client sees it: if its recipe reads a stream that no input has, it is about the recipe. */
export function failureForClient(request: ConversionRequest, failure: Failure): Failure {
  const origins = originsOf(request);
  const { absent, ...about } = failure.about ?? {};
  if (absent === undefined) return renamed(failure, argumentsOfCut(origins));
  const { about: _, fix, ...rest } = failure;
  const ofRecipe = absentForRecipe(request, origins, absent)?.message;
  return {
    ...rest,
    ...(ofRecipe !== undefined ? { message: ofRecipe } : fix !== undefined && { fix }),
    ...(Object.keys(about).length > 0 && { about }),
  };
}

/** The argument that sets each setting of a cut, by the name of the setting. */
const argumentsOfCut = (origins: Origins): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(origins).flatMap(([at, { argument }]) =>
      at.startsWith('/cut/') && argument !== undefined ? [[at.slice(at.lastIndexOf('/') + 1), argument]] : [],
    ),
  );

type Texts = Pick<FieldError, 'message' | 'fix'>;

/** Replaces names of options in the texts. All names are replaced at the same time, because a new name may also be an old one. */
function renamed<T extends Texts>(one: T, names: ReadonlyMap<string, string>): T {
  if (names.size === 0) return one;
  const inText = (text: string): string =>
    text.replaceAll(/"([^"]+)"/g, (quoted, name: string) => (names.has(name) ? `"${names.get(name)}"` : quoted));
  return { ...one, message: inText(one.message), ...(typeof one.fix === 'string' && { fix: inText(one.fix) }) };
}

/**
 * An error or warning in the field and words of the client. The message names the recipe that set the option. An option without effect is
 * replaced by the argument that set it.
 */
function inClientWords<T extends Pick<FieldError, 'field' | 'code' | 'message' | 'fix' | 'nearest'>>(
  one: T,
  { preset }: ConversionRequest,
  origins: Origins,
): T {
  const origin = originOf(origins, one.field);
  const { field, option, argument } = origin;
  if (one.field.startsWith('/cut/')) return { ...renamed(one, argumentsOfCut(origins)), field };
  if (option === undefined || !isOfPreset(origin)) return { ...one, field };
  const { fix: sentFix, nearest, ...rest } = one;
  const fix = fixOfRecipe(sentFix, argument !== undefined);
  const texts = {
    ...rest,
    field,
    ...(fix !== undefined && { fix }),
    ...(argument !== undefined && nearest !== undefined && { nearest }),
  } as T;
  if (one.code === 'NO_EFFECT' && argument !== undefined) return renamed(texts, new Map([[option, argument]]));
  return { ...texts, message: `${one.message} The recipe "${preset?.name}" sets "${option}".` };
}

/**
 * The fix for an option that a recipe sets. Options to add go into the "parameters" of the request, and an argument can get another value.
 * Other edits are left out: a patch of an option that the client has not sent would change the recipe.
 */
function fixOfRecipe(fix: FieldError['fix'], isArgument: boolean): FieldError['fix'] {
  if (!hasEdits(fix)) return fix;
  const isPossible = (edit: Edit): boolean =>
    edit.do === 'add' || (isArgument && edit.do !== 'rename' && !('name' in edit && edit.name !== undefined));
  if (!fix.edits.every(isPossible)) return undefined;
  return { ...fix, edits: fix.edits.map((edit): Edit => (edit.do === 'add' ? { in: 'parameters', ...edit } : edit)) };
}
