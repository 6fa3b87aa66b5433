import type { Recipe, RecipeDefinition } from '@telecine/client';
import { quoteForFilter } from '../../packages/contract/src/domain/structured-values.ts';
import { isGraph } from '../workbench/option-help.ts';

type Argument = Recipe['arguments'][string];

/** A reference `{{name}}`, or the start or the end of a section: `{{#name}}`, `{{^one|other}}`, `{{/name}}`. */
const TAG = /\{\{\s*([#^/]?)([\w.|-]+)\s*\}\}/g;

/** The names that a recipe gives to values: no two may be the same. */
export const takenNames = ({ arguments: own, inputs, values = {} }: RecipeDefinition): ReadonlySet<string> =>
  new Set([...Object.keys(own), ...inputs.map(({ role }) => role), ...Object.keys(values)]);

/** A name that a recipe does not have yet: `height2` if it has `height`. */
export function freeName(definition: RecipeDefinition, name: string): string {
  const taken = takenNames(definition);
  let number = 1;
  while (taken.has(nameWith(name, number))) number += 1;
  return nameWith(name, number);
}

const nameWith = (name: string, number: number): string => (number === 1 ? name : `${name}${number}`);

/** The name that a person means: `frameHeight` of "Frame height". '': the text has no letter at its beginning. */
export function nameOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const name = words
    .map(
      (word, index) => `${index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()}${word.slice(1)}`,
    )
    .join('');
  return /^[a-z]/.test(name) ? name.slice(0, 64) : '';
}

/** Whether a text refers to a name, or tests it. */
export const usesName = (text: string, name: string): boolean =>
  [...text.matchAll(TAG)].some(([, , names = '']) => names.split('|').includes(name));

/** Renames an argument or the role of an input, also where the recipe refers to it. */
export function renamed(definition: RecipeDefinition, from: string, to: string): RecipeDefinition {
  const one = (name: string): string => (name === from ? to : name);
  const inText = (text: string): string =>
    text.replace(TAG, (_, kind: string, names: string) => `{{${kind}${names.split('|').map(one).join('|')}}}`);
  // A function such as `min(…)` is not a name.
  const inFormula = (text: string): string => text.replace(new RegExp(`(?<![\\w.])${from}(?![\\w.]|\\s*\\()`, 'g'), to);
  const { inputs, arguments: own, values, limits, request } = definition;
  return {
    ...definition,
    inputs: mapTexts(
      inputs.map((input) => ({ ...input, role: one(input.role) })),
      inText,
      one,
    ),
    arguments: mapKeys(own, one, (argument) => mapTexts(argument, inText, one)),
    ...(values && { values: mapKeys(values, one, inFormula) }),
    ...(limits && {
      limits: mapKeys(limits, one, ({ min, max, ...rest }) => ({
        ...rest,
        ...(min !== undefined && { min: inFormula(min) }),
        ...(max !== undefined && { max: inFormula(max) }),
      })),
    }),
    request: mapTexts(request, inText, one),
  };
}

/**
 * Leaves out an argument: its default takes its place. Without a default, what depends on it is left out, as if it were never sent. Formulas
 * that compute with an argument without a number stay, and the check says so.
 */
export function withoutArgument(definition: RecipeDefinition, name: string): RecipeDefinition {
  const { arguments: own, values, limits, inputs, request } = definition;
  const argument = own[name];
  if (argument === undefined) return definition;
  const text = textOfDefault(argument);
  const isSet = text !== undefined && argument.default !== false && argument.default !== 0 && argument.default !== '';
  const sections = new RegExp(`\\{\\{([#^])((?:[\\w.-]+\\|)*${name}(?:\\|[\\w.-]+)*)\\}\\}(.*?)\\{\\{/\\2\\}\\}`, 'gs');
  const withoutSections = (template: string): string => {
    const kept = template.replace(sections, (_, kind: string, names: string, part: string) => {
      const rest = names.split('|').filter((one) => one !== name);
      if (isSet || rest.length === 0) return isSet === (kind === '#') ? part : '';
      return `{{${kind}${rest.join('|')}}}${part}{{/${rest.join('|')}}}`;
    });
    // A section can be in another one.
    return kept === template ? kept : withoutSections(kept);
  };
  const inText = (template: string, isInGraph: boolean): string | undefined => {
    const kept = withoutSections(template);
    // The service quotes a text that a client sends in a filtergraph, too.
    const shown = text !== undefined && isInGraph && argument.type === 'text' ? quoteReference(text) : text;
    // The service drops a leading comma and an empty option, too.
    const rest = kept === template ? kept : kept.replace(/^,/, '');
    if ((rest === '' && template !== '') || (text === undefined && usesName(rest, name))) return undefined;
    return rest.replace(TAG, (tag, kind: string, one: string) => (kind === '' && one === name ? (shown ?? '') : tag));
  };
  const { [name]: _, ...others } = own;
  const number = Number(text);
  const inFormula = (formula: string): string =>
    Number.isNaN(number) || text === undefined
      ? formula
      : formula.replace(new RegExp(`(?<![\\w.])${name}(?![\\w.]|\\s*\\()`, 'g'), `(${number})`);
  return {
    ...definition,
    inputs: withoutUnset(inputs, inText, { name, isSet }) as RecipeDefinition['inputs'],
    arguments: mapKeys(others, String, (one) => withoutInChoices(one, (choice) => inText(choice, true))),
    ...(values && { values: mapKeys(values, String, inFormula) }),
    ...(limits && { limits: limitsWithout(limits, name, inFormula) }),
    request: withoutUnset(request, inText, { name, isSet }) as RecipeDefinition['request'],
  };
}

/** The text that an argument has in options if it is not sent. undefined: it has none. */
function textOfDefault(argument: Argument): string | undefined {
  if (argument.default === undefined) return undefined;
  if (argument.type === 'choice') return argument.choices[argument.default] ?? argument.default;
  const text = String(argument.default);
  return argument.type === 'time' ? secondsText(text) : text;
}

/** `90` of `1:30`, as the service fills in times. */
const secondsText = (time: string): string =>
  /^(?:\d+:){1,2}\d+(?:\.\d+)?$/.test(time)
    ? String(time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0))
    : time;

const quoteReference = (text: string): string => quoteForFilter(text).replaceAll('=', String.raw`\\=`);

/** An argument whose choices do not refer to a removed one. A choice of which nothing stays is left out. */
function withoutInChoices(argument: Argument, inText: (text: string) => string | undefined): Argument {
  if (argument.type !== 'choice') return argument;
  const choices = Object.fromEntries(
    Object.entries(argument.choices).flatMap(([choice, template]) => {
      const text = inText(template);
      return text === undefined ? [] : [[choice, text]];
    }),
  );
  const { default: usual, ...rest } = argument;
  return { ...rest, choices, ...(usual !== undefined && Object.hasOwn(choices, usual) && { default: usual }) };
}

type Limits = NonNullable<RecipeDefinition['limits']>;

/** The limits of the other arguments, without formulas that need the removed one. */
const limitsWithout = (limits: Limits, name: string, inFormula: (formula: string) => string): Limits =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([limited, { min, max, ...rest }]) => {
      const bounds = Object.entries({ min, max }).flatMap(([bound, formula]) => {
        const text = formula === undefined ? '' : inFormula(formula);
        return text === '' || new RegExp(`(?<![\\w.])${name}(?![\\w.])`).test(text) ? [] : [[bound, text]];
      });
      return limited === name || bounds.length === 0 ? [] : [[limited, { ...rest, ...Object.fromEntries(bounds) }]];
    }),
  );

/** Maps the texts of templates in a value. `one`: maps the name that a condition tests. */
function mapTexts<T>(value: T, inText: (text: string) => string, one: (name: string) => string): T {
  const map = (any: unknown, key: string): unknown => {
    if (typeof any === 'string') return key === 'when' ? one(any) : inText(any);
    if (Array.isArray(any)) return any.map((each) => map(each, key));
    if (typeof any !== 'object' || any === null) return any;
    return Object.fromEntries(Object.entries(any).map(([name, each]) => [name, map(each, name)]));
  };
  return map(value, '') as T;
}

/** Maps the texts of templates in a value, and leaves out those that become undefined. Decides conditions that test `name`. */
function withoutUnset(
  value: unknown,
  inText: (text: string, isInGraph: boolean) => string | undefined,
  { name, isSet }: { readonly name: string; readonly isSet: boolean },
): unknown {
  const map = (any: unknown, option: string): unknown => {
    if (typeof any === 'string') return inText(any, isGraph(option));
    if (Array.isArray(any)) return any.map((each) => map(each, option)).filter((each) => each !== undefined);
    if (typeof any !== 'object' || any === null) return any;
    const { when, value: ifSet, otherwise, ...others } = any as Readonly<Record<string, unknown>>;
    if (when === name && 'role' in others) return isSet ? map(others, option) : undefined;
    if (when === name) return map(isSet ? ifSet : otherwise, option);
    return Object.fromEntries(
      Object.entries(any)
        .map(([key, each]) => [key, map(each, key === 'value' || key === 'otherwise' ? option : key)] as const)
        .filter(([, each]) => each !== undefined),
    );
  };
  return map(value, '');
}

const mapKeys = <T, R>(
  all: Readonly<Record<string, T>>,
  one: (name: string) => string,
  map: (value: T) => R,
): Record<string, R> => Object.fromEntries(Object.entries(all).map(([name, value]) => [one(name), map(value)]));
