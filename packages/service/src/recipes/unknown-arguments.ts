import { nearestName } from '@telecine/contract/domain/aliases.ts';
import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { rename, sendIn, withMore } from '@telecine/contract/domain/edit.ts';
import { type FieldError, MAX_FIELD_ERRORS, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { ArgumentValue, Preset, Recipe } from '@telecine/contract/domain/recipe.ts';
import { argumentField, readValue } from './arguments.ts';

type Arguments = Readonly<Record<string, ArgumentValue>>;

/** The arguments of a request, with unknown names replaced by names of the recipe. */
interface CorrectedArguments {
  readonly arguments: Arguments;
  /** One error for each argument that the recipe does not have. */
  readonly errors: readonly FieldError[];
  /** Whether the corrected arguments contain the value of each sent argument. */
  readonly isWhole: boolean;
}

/** The names of the arguments and of the other inputs of a recipe. */
const namesOf = (recipe: Recipe): readonly string[] => [
  ...Object.keys(recipe.arguments),
  ...recipe.inputs.slice(1).map(({ role }) => role),
];

/** Replaces unknown arguments by the nearest arguments of the recipe. Keeps known arguments, even if their values are invalid. */
export function correctArguments(recipe: Recipe, sent: Arguments = {}): CorrectedArguments {
  const allowed = namesOf(recipe);
  const isAllowed = new Set(allowed);
  const unknown = Object.entries(sent).filter(([name]) => !isAllowed.has(name));
  const corrected: Record<string, ArgumentValue> = Object.fromEntries(
    Object.entries(sent).filter(([name]) => isAllowed.has(name)),
  );
  let isWhole = unknown.length <= MAX_FIELD_ERRORS;
  let isDescribed = false;
  // A reply lists at most this many errors, plus one to show that there are more.
  const errors = unknown.slice(0, MAX_FIELD_ERRORS + 1).map(([name, value]): FieldError => {
    const near = nearestName(name, allowed);
    const isFree = near !== undefined && !Object.hasOwn(corrected, near);
    if (isFree && accepts(recipe, near, value)) corrected[near] = value;
    else isWhole = false;
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    const message = `The recipe "${recipe.name}" has no argument "${name.slice(0, 60)}".${hint}`;
    const error = { field: argumentField(name), code: 'UNKNOWN_ARGUMENT', allowed };
    if (isFree) return { ...error, message, fix: rename(near) };
    const description = isDescribed ? '' : ` What it does: ${shortDescription(recipe)}`;
    isDescribed = true;
    return { ...error, message: `${message}${description}`, fix: choiceFix(name, allowed) };
  });
  return { arguments: corrected, errors, isWhole };
}

/** Whether a recipe accepts the value of an argument, or the path of an input. */
function accepts({ arguments: known }: Recipe, name: string, value: ArgumentValue): boolean {
  const argument = Object.hasOwn(known, name) ? known[name] : undefined;
  return argument === undefined ? typeof value === 'string' : !('mustBe' in readValue(argument, value));
}

/** The maximum length of a sentence that an error message repeats, in characters. */
const MAX_SENTENCE = 200;

/** The purpose of a recipe in one sentence. */
function shortDescription({ title, description }: Recipe): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/, 1);
  return sentence === '' || sentence.length > MAX_SENTENCE ? `${title}.` : sentence;
}

/** The fix for an unknown argument. It lists the arguments of the recipe. */
function choiceFix(name: string, allowed: readonly string[]): string {
  const names = allowed.map((one) => JSON.stringify(one)).join(', ');
  const instead = names === '' ? '. The recipe has no arguments' : `, or send one of its arguments instead: ${names}`;
  return `Leave ${JSON.stringify(name.slice(0, 60))} out if the recipe does what you want${instead}. An option of ffmpeg belongs in "parameters".`;
}

/** The errors for recipe arguments that were sent in "parameters". All errors have the same fix, which moves them all to the preset. */
export function misplacedArguments(
  recipe: Recipe,
  { name: preset, arguments: sent = {} }: Preset,
  options: Parameters,
  names: readonly string[],
): readonly FieldError[] {
  const allowed = namesOf(recipe);
  const own = { ...sent };
  const misplaced = names.filter((name) => {
    const [value, near] = [options[name], nearestName(name, allowed)];
    if (typeof value !== 'string' || near === undefined || Object.hasOwn(own, near)) return false;
    const isNumber = recipe.arguments[near]?.type === 'number' && value.trim() !== '';
    const meant = isNumber && !Number.isNaN(Number(value)) ? Number(value) : value;
    const isRight = accepts(recipe, near, meant);
    if (isRight) own[near] = meant;
    return isRight;
  });
  const send = sendIn({ beside: 'parameters' }, 'preset', { name: preset, arguments: own });
  return misplaced.map((name) => ({
    field: `/parameters/${pointerToken(name)}`,
    code: 'MISPLACED',
    message: `${JSON.stringify(name)} is an argument of the recipe "${preset}", not an option of ffmpeg.`,
    fix: withMore(send, { do: 'remove', name }),
  }));
}
