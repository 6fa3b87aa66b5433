import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { fieldsAsParameters } from '@telecine/contract/domain/command-line.ts';
import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { type Edits, leaveOut, rename, sendIn, sendMember, withMore } from '@telecine/contract/domain/edit.ts';
import { type FieldError, MAX_FIELD_ERRORS, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { ArgumentValue, Preset, Recipe } from '@telecine/contract/domain/recipe.ts';
import { fieldOfOption } from '@telecine/contract/domain/synonyms/field-words.ts';
import { meantEncoders } from '@telecine/contract/domain/synonyms/media-words.ts';
import { bareWord } from '@telecine/contract/domain/synonyms/value-words.ts';
import { areSynonyms, meantArguments, meantValue, megabytesOf, namesOf, SIZE_RECIPE } from './argument-words.ts';
import { argumentField, readValue } from './arguments.ts';
import { EVEN, TO_HEIGHT } from './built-in/parts.ts';
import { canonicalName } from './option-overrides.ts';

type Arguments = Readonly<Record<string, ArgumentValue>>;

/** The arguments of a request, with unknown names replaced by names of the recipe. */
interface CorrectedArguments {
  readonly arguments: Arguments;
  /** One error for each argument that the recipe does not have. */
  readonly errors: readonly FieldError[];
  /** The unknown names whose values the corrected arguments contain under another name. */
  readonly misnamed: ReadonlySet<string>;
  /** Whether the corrected arguments contain the value of each sent argument. */
  readonly isWhole: boolean;
}

/** Replaces unknown arguments by the recipe arguments that they mean. Keeps known arguments, even if their values are invalid. */
export function correctArguments(recipe: Recipe, sent: Arguments = {}): CorrectedArguments {
  const allowed = [...Object.keys(recipe.arguments), ...recipe.inputs.slice(1).map(({ role }) => role)];
  const isAllowed = new Set(allowed);
  const all = Object.entries(sent).filter(([name]) => !isAllowed.has(name));
  // A reply lists at most this many errors, plus one to show that there are more.
  const unknown = all
    .slice(0, MAX_FIELD_ERRORS + 1)
    .map(([name, value]) => [name, value, closestMatch(name, allowed)] as const);
  let corrected: Arguments = Object.fromEntries(Object.entries(sent).filter(([name]) => isAllowed.has(name)));
  const meant = new Set<string>();
  for (const [name, value, near] of unknown) {
    if (isOtherSide(name, corrected, allowed)) {
      meant.add(name);
      continue;
    }
    const ways = [
      meantArguments(recipe, name, value, corrected),
      near !== undefined && !Object.hasOwn(corrected, near) ? { [near]: value } : undefined,
    ];
    const way = ways.find((one) => one !== undefined && accepts(recipe, one));
    if (way === undefined) continue;
    corrected = { ...corrected, ...way };
    meant.add(name);
  }
  const send = sendMember('arguments', withMeantValues(recipe, corrected));
  let isDescribed = false;
  const errors = unknown.map(([name, value, near]): FieldError => {
    const error = { field: argumentField(name), code: 'UNKNOWN_ARGUMENT', allowed };
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    const message = `The recipe "${recipe.name}" has no argument "${name.slice(0, 60)}".${hint}`;
    const fix = meant.has(name) ? send : otherWay(recipe, name, value, { allowed, near });
    if (fix !== undefined) return { ...error, message, fix };
    const description = isDescribed ? '' : ` What it does: ${shortDescription(recipe)}`;
    isDescribed = true;
    return { ...error, message: `${message}${description}`, fix: choiceFix(name, allowed) };
  });
  return { arguments: corrected, errors, misnamed: meant, isWhole: meant.size === all.length };
}

/** Replaces invalid values by the values that they mean: `50%` becomes 0.5. */
export const withMeantValues = (recipe: Recipe, sent: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const argument = Object.hasOwn(recipe.arguments, name) ? recipe.arguments[name] : undefined;
      const isRight = argument === undefined || !('mustBe' in readValue(argument, value));
      // Values from "parameters" are strings, even if they are numbers.
      const isNumber = argument?.type === 'number' && typeof value === 'string';
      const meant = argument && (isNumber || !isRight) ? meantValue(argument, name, value) : undefined;
      return [name, meant !== undefined && accepts(recipe, { [name]: meant }) ? meant : value];
    }),
  );

/** The two sides of a frame. `words`: names for the side. `other`: the other side. */
const SIDES = [
  { words: /^(?:max|output|target)?w(?:idth)?$/, name: 'width', other: 'height' },
  { words: /^(?:max|output|target)?h(?:eight)?$/, name: 'height', other: 'width' },
] as const;

/** Whether an argument is one side of the frame, and the recipe has only the other side, which is sent and determines both. */
const isOtherSide = (word: string, sent: Arguments, allowed: readonly string[]): boolean =>
  SIDES.some(
    ({ words, name, other }) =>
      words.test(bareWord(word)) && !allowed.includes(name) && allowed.includes(other) && Object.hasOwn(sent, other),
  );

/** Whether a recipe accepts these argument values. */
const accepts = ({ arguments: known }: Recipe, values: Arguments): boolean =>
  Object.entries(values).every(([name, value]) => {
    const argument = Object.hasOwn(known, name) ? known[name] : undefined;
    return argument === undefined ? typeof value === 'string' : !('mustBe' in readValue(argument, value));
  });

/** The maximum length of a sentence that an error message repeats, in characters. */
const MAX_SENTENCE = 200;

/** The purpose of a recipe in one sentence. */
function shortDescription({ title, description }: Recipe): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/, 1);
  return sentence === '' || sentence.length > MAX_SENTENCE ? `${title}.` : sentence;
}

/** The fix for an argument whose meaning is unclear. It lists the arguments of the recipe. */
function choiceFix(name: string, allowed: readonly string[]): string {
  const names = allowed.map((one) => JSON.stringify(one)).join(', ');
  const instead = names === '' ? '. The recipe has no arguments' : `, or send one of its arguments instead: ${names}`;
  return `Leave ${JSON.stringify(name.slice(0, 60))} out if the recipe does what you want${instead}. An option of ffmpeg belongs in "parameters".`;
}

/**
 * The fix for a value that the recipe always uses according to its description, such as a loudness of `-16 LUFS` or `-16`. undefined for
 * other values.
 */
function constantFix({ description }: Recipe, name: string, value: ArgumentValue): Edits | undefined {
  const [, digits, sentUnit = ''] = /^([+-]?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim()) ?? [];
  if (digits === undefined) return undefined;
  const [, constant] =
    [...description.matchAll(/(?<![\w.])((-?\d+(?:\.\d+)?) ([A-Za-z]+))/g)].find(
      ([, , number, unit = '']) =>
        Number(number) === Number(digits) &&
        areSynonyms(name, unit) &&
        (sentUnit === '' || sentUnit.toLowerCase() === unit.toLowerCase()),
    ) ?? [];
  return constant === undefined ? undefined : leaveOut(undefined, `the recipe sets ${constant} by itself`);
}

/** The fix for an unknown argument that asks for something the recipe always does. undefined for other arguments. */
function anywayFix(recipe: Recipe, name: string, value: ArgumentValue): Edits | undefined {
  const { title, description, request, arguments: known } = recipe;
  const isOn = /^(?:true|yes|on)$/i.test(String(value));
  if (/^(?:keep|preserve|maintain)/.test(bareWord(name)) || IS_ANYWAY.test(String(value))) return leaveOut();
  if (
    isOn &&
    /^(?:with|include|keep)?(?:audio|sound)$/.test(bareWord(name)) &&
    !Object.hasOwn(request.parameters, 'an')
  )
    return leaveOut(undefined, 'the recipe keeps the audio');
  const text = bareWord(`${title} ${description}`);
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').split(/[\s_-]+/);
  if (isOn && words.every((word) => word.length > 2 && text.includes(word.toLowerCase())))
    return leaveOut(undefined, 'the recipe does that by itself');
  const own = namesOf(name).find((one) => Object.hasOwn(known, one));
  if (own !== undefined && known[own]?.default !== undefined && areSynonyms(String(value), own))
    return leaveOut(undefined, `the recipe does that by itself, and "${own}" changes it`);
  const options = Object.entries(fieldsAsParameters({ [name]: value }, [name]) ?? {});
  const isSet = ([option, one]: (typeof options)[number]): boolean =>
    [one, ...(option.startsWith('c:') ? meantEncoders(String(one)) : [])].some(
      (text) => request.parameters[option] === text,
    );
  return options.length > 0 && options.every(isSet)
    ? leaveOut(undefined, `the recipe sets ${JSON.stringify(String(value))} by itself`)
    : constantFix(recipe, name, value);
}

/**
 * The fix for an argument that the recipe lacks: use another recipe, set an ffmpeg option, or remove the argument. undefined: no fix is
 * known.
 */
function otherWay(
  recipe: Recipe,
  name: string,
  value: ArgumentValue,
  { allowed, near }: { readonly allowed: readonly string[]; readonly near: string | undefined },
): Edits | string | undefined {
  const anyway = anywayFix(recipe, name, value);
  if (anyway !== undefined) return anyway;
  const field = fieldOfOption(name);
  if (field === 'input' || field === 'output')
    return leaveOut(undefined, `the ${field} is the field "${field}" of the request`);
  if (/^(?:percent|scale|percentage)$/.test(bareWord(name)) && onlyScales(recipe)) {
    const share = Number(String(value).replace(/ ?%$/, ''));
    const factor = share > 0 && (share > 1 || String(value).includes('%')) ? `iw*${share}/100` : `iw*${share}`;
    if (share > 0) return sendIn('parameters', 'vf', `scale=${factor}:-2`);
  }
  if (near !== undefined) return rename(near);
  if (allowed.includes('percent') && WIDTHS.test(bareWord(name))) return percentFix(value);
  const size = megabytesOf(name, value);
  if (size !== undefined && recipe.name !== SIZE_RECIPE)
    return {
      ...sendMember('preset', { name: SIZE_RECIPE, arguments: { size } }),
      why: 'it limits the size of the file',
    };
  const amount = bareWord(name) === 'size' && recipe.name !== SIZE_RECIPE ? Number(value) : Number.NaN;
  if (amount > 0) return sizeFix(amount);
  const width = bareWord(name) === 'width' && allowed.includes('height') ? Number(value) : Number.NaN;
  const scaled = `scale=${Math.round(width / 2) * 2}:-2`;
  // A filter of the client replaces the filters of the recipe. Here those only scale, so nothing else is lost.
  if (width >= 16 && width <= 16_384 && isScaledByHeight(recipe)) return sendIn('parameters', 'vf', scaled);
  if (width >= 16 && width <= 16_384 && recipe.request.parameters['vf'] === TO_HEIGHT)
    return {
      ...withMore(sendMember('preset', { name: 'web-h264' }), {
        do: 'send',
        name: 'vf',
        value: scaled,
        in: 'parameters',
      }),
      why: 'it keeps the shape',
    };
  const lines = bareWord(name) === 'height' && allowed.includes('width') ? Number(value) : Number.NaN;
  if (!Number.isNaN(lines)) return 'Send "width" instead: the height follows from the shape of the video.';
  if (!Number.isNaN(width)) return 'Send "height" instead: the width follows from the shape of the video.';
  const { place } = recipe.arguments;
  if (
    place?.type === 'choice' &&
    /^(?:position|pos|x|y|xy|location|corner|coordinates|gravity|align)$/.test(bareWord(name))
  ) {
    const margin = allowed.includes('margin') ? ', and "margin" for its distance to the edge' : '';
    return `Send "place": one of ${Object.keys(place.choices)
      .map((one) => JSON.stringify(one))
      .join(', ')}${margin}.`;
  }
  const options = Object.entries(fieldsAsParameters({ [name]: value }, [name]) ?? {}).map(([option, text]) => {
    const encoder = option === 'c:v' && !/^(?:c:v|vcodec)$/.test(name) ? meantEncoders(String(text))[0] : undefined;
    return [option, encoder ?? text] as const;
  });
  // If the name is clearly an ffmpeg option, it may replace the option of the recipe.
  const isOwn = /^[cb]:[va]$|^(?:vcodec|acodec)$/.test(name);
  // libx264 and libx265 accept the same options, so one can replace the other.
  const isSibling = ([option, text]: (typeof options)[number]): boolean =>
    option === 'c:v' && [text, recipe.request.parameters['c:v']].every((one) => /^libx26[45]$/.test(String(one)));
  const isPlace = ([option, text]: (typeof options)[number]): boolean =>
    canBeSet(recipe, option) || (option === 'vf' && String(text).startsWith('scale=') && onlyScales(recipe));
  return options.length > 0 && (isOwn || options.every((one) => isPlace(one) || isSibling(one)))
    ? { edits: options.map(([option, text]) => ({ do: 'send', name: option, value: text, in: 'parameters' })) }
    : undefined;
}

/** Values that mean the same as leaving out the argument. */
const IS_ANYWAY = /^(?:auto|default|original|same|source|none)$/i;

/** Names for the width of an image that is drawn on a video. */
const WIDTHS = /^(?:(?:logo|overlay|watermark|image|picture|pip|small)?(?:size|width|scale|percent(?:age)?)|w)$/;

/**
 * The fix for the width of an image on a video. A share can be converted. A number of pixels cannot, because its share depends on the
 * video.
 */
function percentFix(value: ArgumentValue): Edits | string {
  const [, digits = '', sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(String(value)) ?? [];
  const percent = sign === '%' ? Number(digits) : Number(digits) * 100;
  return (sign === '%' || Number(digits) < 1) && percent >= 1 && percent <= 100
    ? sendMember('percent', Number(percent.toPrecision(4)))
    : 'Send "percent" instead: the width in percent of the width of the video, such as 20.';
}

/** The fix for a size without a unit: suggests the recipe that limits a file to a size in megabytes. */
function sizeFix(amount: number): string {
  const send = (size: number): string => `send "preset": ${JSON.stringify({ name: SIZE_RECIPE, arguments: { size } })}`;
  const inBytes = amount >= 100_000 ? ` If ${amount} is in bytes, ${send(Number((amount / 1e6).toPrecision(6)))}.` : '';
  return `To limit the file to ${amount} megabytes, ${send(amount)}.${inBytes}`;
}

/**
 * Whether a request can set an option in addition to a recipe. It cannot set a filter, codec or map that the recipe sets itself, and no
 * bit rate if the recipe drops the video (`vn`).
 */
function canBeSet({ request: { parameters } }: Recipe, option: string): boolean {
  const name = canonicalName(option);
  if (/^b:/.test(name) && Object.hasOwn(parameters, 'vn')) return false;
  return (
    !/^(?:filter|filter_complex|c|map)(?::|$)/.test(name) || !Object.keys(parameters).map(canonicalName).includes(name)
  );
}

/** Whether a scaling filter of the client can replace the filters of a recipe without losing other effects. */
function onlyScales(recipe: Recipe): boolean {
  const { vf } = recipe.request.parameters;
  return isScaledByHeight(recipe) || (typeof vf === 'string' && /^scale=[^,]*$/.test(vf));
}

/** Whether a recipe's filters only scale to a height. */
function isScaledByHeight({ request: { parameters } }: Recipe): boolean {
  const { vf } = parameters;
  return typeof vf === 'object' && 'when' in vf && vf.value === TO_HEIGHT && vf.otherwise === EVEN;
}

/** The errors for recipe arguments that were sent in "parameters". All errors have the same fix, which moves them all to the preset. */
export function misplacedArguments(
  recipe: Recipe,
  { name: preset, arguments: sent = {} }: Preset,
  options: Parameters,
  names: readonly string[],
): readonly FieldError[] {
  let own = sent;
  const misplaced: string[] = [];
  // Move the start first: a length is the end minus the start.
  const sorted = names.toSorted((a, b) => Number(areSynonyms(b, 'start')) - Number(areSynonyms(a, 'start')));
  for (const name of sorted) {
    const value = options[name];
    if (typeof value !== 'string' || Object.hasOwn(own, name)) continue;
    const { arguments: all, isWhole } = correctArguments(recipe, { ...own, [name]: value });
    const meant = withMeantValues(recipe, all);
    // If a choice argument gets a number, the number is meant for the ffmpeg option of the same name.
    const isExact = Number.isNaN(Number(value)) || accepts(recipe, all);
    if (!isWhole || !isExact || !accepts(recipe, meant)) continue;
    own = meant;
    misplaced.push(name);
  }
  const send = sendIn({ beside: 'parameters' }, 'preset', { name: preset, arguments: own });
  return misplaced.map((name) => ({
    field: `/parameters/${pointerToken(name)}`,
    code: 'MISPLACED',
    message: `${JSON.stringify(name)} is an argument of the recipe "${preset}", not an option of ffmpeg.`,
    fix: withMore(send, { do: 'remove', name }),
  }));
}
