import type { ConversionRequest } from './conversion.ts';
import { type Edit, hasEdits, leaveOut, orElse, removedBy, sendMember } from './edit.ts';
import { fixText, type Hint, mapTexts } from './hint.ts';
import type { Warning } from './plan.ts';
import { type FieldError, pointerKey, pointerToken } from './problem.ts';
import type { ArgumentValue, Preset } from './recipe.ts';

/**
 * The warnings for the client of a request: without those which only say that options of the recipe have no effect. A recipe
 * for films sets options of sound, which a silent film or a request with `an` does not need, and the client cannot leave such
 * an option out. If an option of the client is the cause, the warning is about that one.
 *
 * @param warnings Their fields are those of the expanded `request`.
 * @param fieldOf Where the client set a field of the request, if that is known.
 */
export function warningsForClient(
  request: ConversionRequest,
  warnings: readonly Warning[],
  fieldOf: (field: string) => string = (one) => one,
): readonly Warning[] {
  if (warnings.length === 0) return warnings;
  const { preset } = request;
  const ofRecipe = new Set(
    preset?.options?.map((one) => (one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`)),
  );
  const ofArguments = warnings.map((one) => inArguments(one, preset));
  return streamWarningsOfRecipe(request, withoutRepetition(ofArguments)).flatMap(
    ({ options: idle = [], causes = [], failsWith: _, numbers: __, withoutPicture: ___, ...warning }) => {
      const { code, field = '' } = warning;
      const isOfRecipe =
        ofRecipe.has(field) ||
        (idle.length > 0 && idle.every((one) => ofRecipe.has(one) || fieldOf(one).startsWith('/preset')));
      const isSetByRecipe = (one: string): boolean => ofRecipe.has(one) || fieldOf(one).startsWith('/preset');
      const setByRecipe = causes.filter(isSetByRecipe);
      if (code === 'NO_EFFECT' && !isOfRecipe && setByRecipe.length > 0 && setByRecipe.length === causes.length)
        return [{ ...warning, ...fixBesideRecipe(warning.fix, setByRecipe) }];
      if (!OF_OPTIONS.has(code) || ofRecipe.size === 0 || !isOfRecipe) return [warning];
      const cause = causes.find((one) => !ofRecipe.has(one) && !fieldOf(one).startsWith('/preset'));
      return cause === undefined ? [] : [{ ...warning, field: cause, fix: OR_RECIPE }];
    },
  );
}

const OR_RECIPE = orElse(leaveOut(), 'the recipe');

/**
 * Codes of warnings that are shown only if the client sent the option: a recipe for MP3 makes two channels on purpose, and one for parts
 * copies them.
 */
const OF_OPTIONS: ReadonlySet<string> = new Set(['NO_EFFECT', 'CHANNELS_LOST', 'KEY_FRAME_CUTS']);

/**
 * A warning about numbers in an option that arguments of a recipe set: it is about these. The option itself would replace all that the
 * recipe sets by it.
 */
function inArguments(warning: Warning, preset: Preset | undefined): Warning {
  const { field = '', message, numbers = [] } = warning;
  const [, option] = /^\/parameters\/([^/]+)$/.exec(field) ?? [];
  const { name: recipe, arguments: sent = {}, argumentsOf = {} } = preset ?? {};
  if (option === undefined) return warning;
  const known = argumentsOf[pointerKey(option)] ?? [];
  const found = numbers.map(({ meant, ...number }) => ({
    meant,
    names: known.filter((name) => isNumber(sent[name], number.sent) && number.names?.includes(name) !== false),
  }));
  const meant = found.flatMap((one) => one.names.map((name) => [name, one.meant] as const));
  const [first, ...others] = meant;
  if (first === undefined || found.some(({ names }) => names.length === 0)) return warning;
  const [name, number] = first;
  return {
    ...warning,
    field: `/preset/arguments/${pointerToken(name)}`,
    message: `${message} ${setBy(recipe, option)}`,
    fix:
      others.length === 0
        ? sendMember(name, number)
        : sendMember('arguments', { ...sent, ...Object.fromEntries(meant) }),
  };
}

/** @param option As a part of a pointer. */
const setBy = (recipe: string | undefined, option: string): string =>
  `The recipe "${recipe}" sets "${pointerKey(option)}".`;

const isNumber = (value: ArgumentValue | undefined, number: number): boolean =>
  (typeof value === 'number' || typeof value === 'string') && value !== '' && Number(value) === number;

/** Removes repeated warnings about an argument: one argument can set numbers of several filters. */
const withoutRepetition = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(({ code, field = '', fix }, at) => {
    if (!field.startsWith('/preset/arguments/')) return true;
    return (
      warnings.findIndex(
        (one) => one.code === code && one.field === field && JSON.stringify(one.fix) === JSON.stringify(fix),
      ) === at
    );
  });

/** What to send for a song in place of a film. */
const WITHOUT_PICTURE =
  'For sound alone, send a recipe for sound, such as "preset": {"name": "mp3"} with an output that ends in .mp3. For a film of a picture and this sound, send "preset": {"name": "picture-and-sound"} with the picture and the sound in "inputs".';

/**
 * The warnings about options of a recipe that find no picture, in words of the recipe: the client has not sent the options. The recipe is
 * applied already. A silent film is as good for it as another.
 */
function streamWarningsOfRecipe(
  { preset, input, inputs = [] }: ConversionRequest,
  warnings: readonly Warning[],
): readonly Warning[] {
  const ofRecipe = new Set(
    preset?.options?.map((one) => (one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`)),
  );
  return warnings.map((one) => {
    const { files, options = [] } = one.withoutPicture ?? {};
    if (!options.some((option) => ofRecipe.has(option))) return one;
    return {
      field: input === undefined && inputs.length > 0 ? '/inputs/0' : '/input',
      code: 'NO_SUCH_STREAM',
      message: `The recipe "${preset?.name}" is for files with a picture, and ${files} has none: the output would have only sound.`,
      fix: WITHOUT_PICTURE,
    };
  });
}

/** The fix for an option beside one that the client did not send: of the two, it can leave out only its own. */
function fixBesideRecipe(fix: Hint | undefined, causes: readonly string[]): { readonly fix?: Hint } {
  if (!hasEdits(fix)) return fix === undefined ? {} : { fix };
  if (removedBy(fix) !== undefined && fix.why === undefined) return { fix: OR_RECIPE };
  const [first] = fix.edits;
  if (fix.or === undefined || first?.do !== 'remove') return { fix };
  const names = causes.map((one) => JSON.stringify(pointerKey(one.split('/').at(-1) ?? ''))).join(' and ');
  return { fix: leaveOut(first.name, `the recipe sets ${names}`) };
}

/** A preset as clients see it: without what the service notes when it is applied. */
export const shownPreset = ({ options: _, settings: __, argumentsOf: ___, ...preset }: Preset): Preset => preset;

/** An error or a warning about the measured parts of a cut: names of settings become names of the arguments that set them. */
export const inWordsOfRecipe = <T extends Texts>(one: T, { preset }: Pick<ConversionRequest, 'preset'>): T =>
  renamed(one, new Map(Object.entries(preset?.settings ?? {})));

type Texts = Pick<FieldError, 'message' | 'fix'>;

/** The same texts with other names for some options, all at once: a new name may be an old one. */
function renamed<T extends Texts>(one: T, names: ReadonlyMap<string, string>): T {
  const inText = (text: string): string =>
    text.replaceAll(/"([^"]+)"/g, (quoted, name: string) => (names.has(name) ? `"${names.get(name)}"` : quoted));
  return { ...one, message: inText(one.message), ...(one.fix !== undefined && { fix: mapTexts(one.fix, inText) }) };
}

/**
 * An error or a warning in the client's words: it names the recipe that set the option, and the argument instead of the
 * option if that has no effect. `sent`: where the client set what is at the field of `one`.
 */
export function inWordsOfClient<T extends Pick<FieldError, 'field' | 'code' | 'message' | 'fix'>>(
  one: T,
  sent: string,
  recipe: string,
): T {
  const [, option] = /\/parameters\/([^/]+)$/.exec(one.field) ?? [];
  if (option === undefined || !sent.startsWith('/preset')) return one;
  const argument = /^\/preset\/arguments\/([^/]+)$/.exec(sent)?.[1];
  const texts = {
    message: one.message,
    ...(one.fix !== undefined && { fix: fixOfRecipe(one.fix, argument !== undefined) }),
  };
  if (one.code === 'NO_EFFECT' && argument !== undefined)
    return { ...one, ...renamed(texts, new Map([[pointerKey(option), pointerKey(argument)]])) };
  return { ...one, ...texts, message: `${one.message} ${setBy(recipe, option)}` };
}

/**
 * A fix of an option that a recipe sets. The client has not sent the option, so a patch would change the recipe instead, and the fix
 * becomes a text. Options to add go into the "parameters" of the request, and an argument can have another value.
 */
function fixOfRecipe(fix: Hint, isArgument: boolean): Hint {
  if (!hasEdits(fix)) return fix;
  const edits = fix.edits.map((edit): Edit => (edit.do === 'add' ? { in: 'parameters', ...edit } : edit));
  const isOfArgument = (edit: Edit): boolean => edit.do !== 'rename' && !('name' in edit && edit.name !== undefined);
  return edits.every((edit) => edit.do === 'add' || (isArgument && isOfArgument(edit)))
    ? { ...fix, edits }
    : (fixText(fix) ?? fix);
}
