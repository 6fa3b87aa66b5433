import type { ConversionRequest } from './conversion.ts';
import { type Edit, hasEdits } from './edit.ts';
import type { AbsentStream, Failure } from './failure.ts';
import type { Warning } from './plan.ts';
import { type FieldError, pointerKey, pointerToken } from './problem.ts';
import type { ChosenStream, Preset } from './recipe.ts';

/**
 * The warnings that the client of a request sees. Warnings which only say that options of the recipe have no effect are left out: a recipe
 * for videos sets audio options, and the client cannot remove them for a video without audio. `warnings`: their fields are fields of the expanded `request`. `fieldOf`: returns where the client set a
 * field of the request.
 */
export function warningsForClient(
  request: ConversionRequest,
  warnings: readonly Warning[],
  fieldOf: (field: string) => string = (one) => one,
): readonly Warning[] {
  if (warnings.length === 0) return warnings;
  const { preset } = request;
  const ofRecipe = optionsOfRecipe(preset);
  return streamWarningsOfRecipe(request, warnings).flatMap(
    ({ options: idle = [], askedBy = [], failsWith: _, withoutVideo: __, absent, ...warning }) => {
      const { code, field = '' } = warning;
      // A recipe chooses streams for the client, who may not know what it leaves out.
      if (askedBy.some((one) => asks(request, one) && !ofRecipe.has(one))) return [];
      const lack = absent && absentForRecipe(preset, absent);
      if (lack !== undefined) return [{ field: lack.field, code, message: `${lack.message} The job would fail.` }];
      const isSetByRecipe = (one: string): boolean => ofRecipe.has(one) || fieldOf(one).startsWith('/preset');
      const isOfRecipe = ofRecipe.has(field) || (idle.length > 0 && idle.every(isSetByRecipe));
      return OF_OPTIONS.has(code) && ofRecipe.size > 0 && isOfRecipe ? [] : [warning];
    },
  );
}

/** True if the request has the option at this JSON Pointer, in its parameters or in those of one of its outputs. */
const asks = ({ parameters, outputs = [] }: ConversionRequest, pointer: string): boolean => {
  const name = pointer.slice('/parameters/'.length);
  return [parameters, ...outputs.map((output) => output.parameters)].some((one) => one?.[name] !== undefined);
};

/** JSON Pointers to the options that a recipe has set. */
const optionsOfRecipe = (preset: Preset | undefined): ReadonlySet<string> =>
  new Set(preset?.options?.map((one) => (one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`)));

/** Codes of warnings that are shown only if the client itself sent the option. If a recipe sets the option, it does so on purpose. */
const OF_OPTIONS: ReadonlySet<string> = new Set(['NO_EFFECT', 'CHANNELS_LOST', 'KEY_FRAME_CUTS']);

/** @param option The name of the option, escaped for a JSON Pointer. */
const setBy = (recipe: string | undefined, option: string): string =>
  `The recipe "${recipe}" sets "${pointerKey(option)}".`;

/**
 * Rewrites warnings about options of a recipe that need video when no input has video. The text is about the recipe, because the client has
 * not sent these options.
 */
function streamWarningsOfRecipe(
  { preset, input, inputs = [] }: ConversionRequest,
  warnings: readonly Warning[],
): readonly Warning[] {
  const ofRecipe = optionsOfRecipe(preset);
  return warnings.map((one) => {
    const { files, options = [] } = one.withoutVideo ?? {};
    if (!options.some((option) => ofRecipe.has(option))) return one;
    return {
      field: input === undefined && inputs.length > 0 ? '/inputs/0' : '/input',
      code: 'NO_SUCH_STREAM',
      message: `The recipe "${preset?.name}" is for files with video, and ${files} has none: the output would have only audio.`,
    };
  });
}

/**
 * Says what a recipe needs and an input lacks, and where: at the argument that chooses the stream, or at the recipe. The client has not sent
 * the option that reads it. undefined: it has.
 */
function absentForRecipe(preset: Preset | undefined, absent: AbsentStream) {
  const { option, map, kind, file, count, content } = absent;
  const { name: recipe = '', arguments: sent = {}, streams = [] } = preset ?? {};
  const chosen = streams.find((one) => one.option === option && one.map === map);
  if (chosen === undefined && !optionsOfRecipe(preset).has(option)) return undefined;
  const known = `${file} has only ${count} ${kind} ${count === 1 ? 'stream' : 'streams'}`;
  if (chosen !== undefined && count > 0)
    return { field: argumentField(chosen), message: outsideStreams(chosen, sent, known, count) };
  if (count > 0) return { field: '/preset', message: `${known}, fewer than the recipe "${recipe}" reads.` };
  const message = `${file} has no ${kind} stream, only ${content}, and the recipe "${recipe}" needs one.`;
  return { field: '/preset', message };
}

const argumentField = ({ argument }: ChosenStream): string => `/preset/arguments/${pointerToken(argument)}`;

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
export function failureForClient({ preset }: Pick<ConversionRequest, 'preset'>, failure: Failure): Failure {
  const { absent, ...about } = failure.about ?? {};
  if (absent === undefined) return failure;
  const { about: _, fix, ...rest } = failure;
  const ofRecipe = absentForRecipe(preset, absent)?.message;
  return {
    ...rest,
    ...(ofRecipe !== undefined ? { message: ofRecipe } : fix !== undefined && { fix }),
    ...(Object.keys(about).length > 0 && { about }),
  };
}

/** A preset as clients see it, without the fields that the service adds. */
export const shownPreset = ({
  options: _,
  settings: __,
  maxBytes: ___,
  streams: ____,
  inputUrls: _____,
  ...preset
}: Preset): Preset => preset;

/**
 * Rewrites an error or warning about the measured parts of a cut for a client that used a recipe: it names the arguments of the recipe
 * instead of the settings that they set.
 */
export const inWordsOfRecipe = <T extends Texts>(one: T, { preset }: Pick<ConversionRequest, 'preset'>): T =>
  renamed(one, new Map(Object.entries(preset?.settings ?? {})));

type Texts = Pick<FieldError, 'message' | 'fix'>;

/** Replaces names of options in the texts. All names are replaced at the same time, because a new name may also be an old one. */
function renamed<T extends Texts>(one: T, names: ReadonlyMap<string, string>): T {
  const inText = (text: string): string =>
    text.replaceAll(/"([^"]+)"/g, (quoted, name: string) => (names.has(name) ? `"${names.get(name)}"` : quoted));
  return { ...one, message: inText(one.message), ...(typeof one.fix === 'string' && { fix: inText(one.fix) }) };
}

/**
 * Rewrites an error or warning in the words of the client. The message names the recipe that set the option. An option without effect is
 * replaced by the argument that set it. `sent`: where the client set the value at the field of `one`.
 */
export function inWordsOfClient<T extends Pick<FieldError, 'field' | 'code' | 'message' | 'fix' | 'nearest'>>(
  one: T,
  sent: string,
  recipe: string,
): T {
  const [, option] = /\/parameters\/([^/]+)$/.exec(one.field) ?? [];
  if (option === undefined || !sent.startsWith('/preset')) return one;
  const argument = /^\/preset\/arguments\/([^/]+)$/.exec(sent)?.[1];
  const { fix: sentFix, nearest, ...rest } = one;
  const fix = fixOfRecipe(sentFix, argument !== undefined);
  const texts = {
    ...rest,
    ...(fix !== undefined && { fix }),
    ...(argument !== undefined && nearest !== undefined && { nearest }),
  } as T;
  if (one.code === 'NO_EFFECT' && argument !== undefined)
    return renamed(texts, new Map([[pointerKey(option), pointerKey(argument)]]));
  return { ...texts, message: `${one.message} ${setBy(recipe, option)}` };
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
