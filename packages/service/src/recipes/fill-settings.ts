import type { ConversionRequest, OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { CUT_LIMITS, CUT_SETTINGS } from '@telecine/contract/domain/cut.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { RequestedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_OPTIONS } from '@telecine/contract/domain/quality.ts';
import type { RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import type { ThumbnailTrack } from '@telecine/contract/domain/thumbnail-track.ts';
import { isSpeechLanguage, SPEECH_LANGUAGES, type Transcription } from '@telecine/contract/domain/transcription.ts';
import { cut as cutSchema } from '@telecine/contract/wire/cut.ts';
import { ladderTarget } from '@telecine/contract/wire/ladder.ts';
import { qualityTarget } from '@telecine/contract/wire/quality.ts';
import { canonicalName } from './option-overrides.ts';
import type { Scope } from './scope.ts';
import { fillValue, type TemplateScope } from './template.ts';

/**
 * Returns the members that a recipe sets besides inputs, outputs and options, if the client does not send them. Adds an error for each value that
 * is out of range.
 *
 * @param sentArguments The arguments that have a value.
 */
export function fillSettings(
  request: ConversionRequest,
  { name, request: own }: RecipeDefinition,
  scope: Scope,
  sentArguments: Pick<ReadonlyMap<string, unknown>, 'has'>,
  errors: FieldError[],
) {
  const fill = <T>(member: keyof typeof NEEDS, make: () => T | undefined): T | undefined => {
    const [declared, sent] = [own[member], request[member]];
    if (declared === undefined || sent !== undefined) return sent as T | undefined;
    const made = make();
    if (made === undefined)
      errors.push({
        field: scope.fieldOf(FIRST_TEXT[member](own)),
        code: 'BAD_ARGUMENT',
        message: `The recipe "${name}" needs ${NEEDS[member]}.`,
        ...(member === 'transcribe' && { allowed: SPEECH_LANGUAGES }),
      });
    return made;
  };
  return definedMembers({
    join: request.join ?? own.join,
    cut: fill('cut', () => cutSchema.safeParse(cutNumbers(own.cut, scope)).data),
    transcribe: fill('transcribe', (): Transcription | undefined => {
      const language = String(fillValue('', own.transcribe?.language, scope) ?? '');
      return isSpeechLanguage(language) ? { language } : undefined;
    }),
    quality: fill('quality', () => qualityTarget.safeParse(numbersOf(own.quality, scope)).data),
    ladder: fill('ladder', () => ladderTarget.safeParse(numbersOf(own.ladder, scope)).data),
    frameSize: request.frameSize ?? frameSizeOf(own, sentArguments, request.parameters),
    thumbnailTrack:
      request.thumbnailTrack ?? (own.thumbnailTrack && (numbersOf(own.thumbnailTrack, scope) as ThumbnailTrack)),
  });
}

const rangeText = (name: keyof typeof CUT_SETTINGS): string =>
  `"${name}" from ${CUT_SETTINGS[name].min} to ${CUT_SETTINGS[name].max}`;

/** What the members of a recipe must be, in messages. */
const NEEDS = {
  cut:
    `a cut with ${(['noiseDb', 'threshold', 'count', 'partSeconds'] as const).map(rangeText).join(', ')}, "minSeconds" from ` +
    `${CUT_SETTINGS.minSeconds.min}, "marginSeconds" from 0 to ${CUT_LIMITS.marginSeconds}, and "crossfade" from 0`,
  transcribe: 'the code of a language that Whisper knows, or "auto"',
  quality: 'a quality target from 0.5 to 100',
  ladder: 'a quality target from 0.5 to 100, 2 to 8 rungs, and a bit rate of at least 10000',
} as const;

/** The text of a member that an argument usually sets. */
const FIRST_TEXT: Readonly<Record<keyof typeof NEEDS, (own: RecipeDefinition['request']) => string | undefined>> = {
  cut: () => undefined,
  transcribe: ({ transcribe }) => transcribe?.language,
  quality: ({ quality }) => quality?.target,
  ladder: ({ ladder }) => ladder?.target,
};

/** The numbers that the texts of a member yield. Leaves out a text without a value. */
function numbersOf(declared: object | undefined, scope: TemplateScope): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared ?? {}).flatMap(([name, value]): (readonly [string, unknown])[] => {
      if (typeof value === 'object') return [[name, numbersOf(value, scope)]];
      const text = fillValue('', value, scope);
      return text === undefined ? [] : [[name, Number(text)]];
    }),
  );
}

/** The cut of a recipe with its numbers. A crossfade of 0 is none. */
function cutNumbers(declared: RecipeDefinition['request']['cut'], scope: TemplateScope): object {
  const { crossfade, keep, ...cut } = numbersOf(declared, scope);
  const { count, ...parts } = (keep ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...cut,
    ...(keep !== undefined && { keep: { ...parts, count: Math.round(Number(count)) } }),
    ...(crossfade !== undefined && crossfade !== 0 && { crossfade }),
  };
}

/**
 * The options of a recipe that go with a quality target of the client: the target replaces the usual quality of the recipe. A quality that
 * the client chose by an argument stays, and the planner rejects it.
 */
export const withoutUsualQuality = (filled: Parameters, { request }: RecipeDefinition, scope: Scope): Parameters =>
  Object.fromEntries(
    Object.entries(filled).filter(
      ([name]) => !QUALITY_OPTIONS.some((one) => one === name) || scope.isOfClient(request.parameters[name]),
    ),
  );

/** Arguments of recipes and options of requests that set a frame size. */
const SIZE_ARGUMENTS = ['width', 'height'];
const SIZE_OPTIONS = /^(?:filter(?::[vV].*)?|filter_complex|s(?::[vV].*)?)$/;

/** The frame size of a recipe. undefined: the recipe has none, or the client sets a size or filters itself. */
const frameSizeOf = (
  { frameSize }: RecipeDefinition['request'],
  sentArguments: Pick<ReadonlyMap<string, unknown>, 'has'>,
  sent: Parameters = {},
): RequestedFrameSize | undefined =>
  SIZE_ARGUMENTS.some((name) => sentArguments.has(name)) ||
  Object.keys(sent).some((name) => SIZE_OPTIONS.test(canonicalName(name)))
    ? undefined
    : frameSize;

/** Options that decide how many bits a video has, in place of `b:v` of the recipe. */
const OTHER_BITS = /^(?:b|crf|qp|q|cq|global_quality)(?::[vV\d].*)?$/;

/** Options that hold those of encoder libraries, and what decides in them how many bits a video has. */
const ENCODER_PARAMETERS = /-params|^x264opts/;
const OTHER_BITS_INSIDE = /(?:^|:)(?:crf|qp|q|bitrate|B|lossless|rc|tbr|end-usage|cq-level|target-bitrate)(?:[=:]|$)/;

const decidesBits = (option: string, value: OptionValue): boolean =>
  OTHER_BITS.test(option) ||
  (ENCODER_PARAMETERS.test(option) && [value].flat().some((one) => OTHER_BITS_INSIDE.test(String(one))));

/**
 * The size in bytes that the output of a recipe must not exceed. undefined: it has none, or the client has options of its own that decide how many
 * bits the video has. Adds an error if the text is not a size.
 */
export function maxBytesOf(
  { parameters = {}, quality }: ConversionRequest,
  { name, request }: RecipeDefinition,
  scope: Scope,
  errors: FieldError[],
): number | undefined {
  const isChanged = Object.entries(parameters).some(([option, value]) => decidesBits(canonicalName(option), value));
  const text = quality !== undefined || isChanged ? undefined : fillValue('', request.maxBytes, scope);
  if (text === undefined) return undefined;
  const bytes = Number(text);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  errors.push({
    field: scope.fieldOf(request.maxBytes),
    code: 'BAD_ARGUMENT',
    message: `The recipe "${name}" needs a largest size that is a whole number of bytes, from 1.`,
  });
  return undefined;
}
