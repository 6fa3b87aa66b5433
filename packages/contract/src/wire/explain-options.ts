import { fieldsAsParameters } from '../domain/command-line.ts';
import { type Edits, editsText, leaveOut, orElse, sendMember } from '../domain/edit.ts';
import { fixText, type Hint } from '../domain/hint.ts';
import { isMembers, type Members, memberAt, stringOf } from '../domain/structured-values.ts';
import { isEncoderPreset } from '../domain/synonyms/encoder-presets.ts';
import { meantField } from '../domain/synonyms/field-words.ts';
import { meansQuality, optionAdvice } from '../domain/synonyms/option-meanings.ts';
import { FIT_NAME, fittedSizeOf } from '../domain/synonyms/value-words.ts';
import { IMAGES } from '../domain/wildcard.ts';

/** Fixes for options of ffmpeg and words of other tools that are sent outside "parameters". */

/** Values of ffmpeg's own option `strict`. The request field `strict` is different: it makes warnings errors. */
const COMPLIANCE = /^(?:-?[12]|experimental|unofficial|normal|very|strict)$/;

export const isCompliance = (value: unknown): boolean => typeof value === 'string' && COMPLIANCE.test(value);

export const QUALITY_ADVICE =
  'Send the quality as an option of the encoder, such as "parameters": {"crf": "23"} for H.264, where 18 is better and 28 smaller, or "b:a": "192k" for audio.';

export const CALLBACK = /^(?:web_?hook|call_?back|notif|on_?(?:complete|success|error|done))/i;

/** Whether the object is an element of "inputs". `known`: the fields that the object may have. */
export const isOfInput = (known: readonly string[]): boolean => known.includes('source') && known.includes('crossfade');

/** Options that only outputs have. */
export const OF_OUTPUT =
  /^(?:map|map_metadata|map_chapters|metadata|disposition|crf|preset|tune|vf|af|filter|filter_complex|movflags|shortest|maxrate|bufsize|b|q|qscale|frames)(?::|$)/;

/** Whether the meaning of a field depends on other fields: the width, the height, or how the video fits into the size. */
export const isOfSize = (key: string, parent: object): boolean =>
  /^(?:w|h|width|height|strict)$/i.test(key) ||
  (FIT_NAME.test(key) && fittedSizeOf(parent as Readonly<Record<string, unknown>>) !== undefined);

/** The recipe that a request names, as an object. undefined: none, or a value of ffmpeg's own option `preset`. */
export function recipeOf({ preset }: Members): Members | undefined {
  if (typeof preset === 'string') return isEncoderPreset(preset) ? undefined : { name: preset };
  return isMembers(preset) ? preset : undefined;
}

/** The fix that moves fields beside a recipe into its arguments. */
export function presetArgumentsFix(parent: Members, names: readonly string[]): Edits | undefined {
  const recipe = recipeOf(parent);
  const own = recipe?.['arguments'] ?? {};
  if (recipe === undefined || !isMembers(own)) return undefined;
  const moved = Object.fromEntries(names.map((name) => [name, parent[name]]));
  return {
    ...sendMember('preset', { ...recipe, arguments: { ...own, ...moved } }),
    why: 'an argument of a recipe belongs in "preset.arguments"',
  };
}

/** The fix for options of ffmpeg, or words of other tools for such options, outside "parameters". */
export function parametersFix(parent: unknown, known: readonly string[], unknown: readonly string[]): Hint | undefined {
  // Ignore options that only an output has, if the object is an input. They have another fix.
  const isElsewhere = (one: string): boolean => isOfInput(known) && OF_OUTPUT.test(one);
  const others = unknown.filter(
    (one) => meantField(one, known) === undefined && !CALLBACK.test(one) && !isElsewhere(one),
  );
  const misplaced = isCompliance(memberAt(parent, ['strict'])) ? ['strict'] : [];
  const fields = parent as Readonly<Record<string, unknown>>;
  const optionsOf = (names: readonly string[]) => fieldsAsParameters(fields, names, { keepsWords: true });
  // If some of the fields are not options, send only the fields that are options.
  const parameters =
    optionsOf([...others, ...misplaced]) ??
    optionsOf([...others.filter((one) => optionsOf([one]) !== undefined), ...misplaced]);
  if (parameters === undefined) return contradictoryFields(others, optionsOf);
  const sent = memberAt(parent, ['parameters']) ?? {};
  const { r: rate, ...rest } = parameters;
  // "framerate" sets the frame rate of an image sequence. "r", an option of the output, would drop most images.
  if (
    typeof fields['input'] === 'string' &&
    SEQUENCE.test(fields['input']) &&
    IMAGES.test(fields['input']) &&
    typeof rate === 'string' &&
    !Object.hasOwn(sent, 'r')
  )
    return sendMember('parameters', { ...rest, framerate: rate });
  const added = Object.entries(parameters).filter(([name]) => !Object.hasOwn(sent, name));
  const advice = new Set(added.flatMap(([name, value]) => fixText(adviceFor(name, value)) ?? []));
  if (advice.size === 0)
    return Object.keys(parameters).length === 0 ? leaveOut() : sendMember('parameters', parameters);
  // Send only options whose value is clear. "parameters" would reject the others.
  const clear = added.filter(([name, value]) => adviceFor(name, value) === undefined);
  const own = { ...sent, ...Object.fromEntries(clear) };
  return [...(clear.length === 0 ? [] : [editsText(sendMember('parameters', own))]), ...advice].join(' ');
}

/** A wildcard or a counter in the name of images. */
const SEQUENCE = /[*?]|%\d{0,9}d/;

/** The fix for two fields that mean the same option but have different values: `fps` and `framerate`. */
function contradictoryFields(
  names: readonly string[],
  optionsOf: (names: readonly string[]) => Readonly<Record<string, unknown>> | undefined,
): Edits | undefined {
  const seen = new Map<string, readonly [name: string, value: unknown]>();
  for (const name of names)
    for (const [option, value] of Object.entries(optionsOf([name]) ?? {})) {
      const before = seen.get(option);
      if (before !== undefined && !/^[va]f$/.test(option) && before[0] !== name && before[1] !== value) {
        return {
          ...orElse(sendMember('parameters', { [option]: before[1] }), JSON.stringify({ [option]: value })),
          note: `${JSON.stringify(before[0])} and ${JSON.stringify(name)} contradict each other.`,
        };
      }
      seen.set(option, [name, value]);
    }
  return undefined;
}

/** The choices for an option of other tools. undefined: the value of the option is clear. */
const adviceFor = (name: string, value: unknown): Edits | string | undefined =>
  meansQuality(name) && !CRF.test(stringOf(value)) ? QUALITY_ADVICE : optionAdvice(name, stringOf(value));

/** A CRF on the scale of H.264. */
const CRF = /^(?:[0-4]?\d|5[01])$/;
