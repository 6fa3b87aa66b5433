import type { Origin } from '@telecine/contract/domain/origins.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { RecipeDefinition, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { conditionsIn, referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import { hideUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { type Formula, parseFormula } from '@telecine/ffmpeg/expression/formula.ts';
import { argumentField, printNumber, type ReadArgument } from './arguments.ts';
import { FACT_NAMES, type Fact, type InputFacts, requiredFactsOf, usesStart } from './facts.ts';
import type { RoleInput } from './input-roles.ts';
import { FilledTexts, type TemplateScope } from './template.ts';

/** The names that a recipe's templates can use. */
export interface Scope extends TemplateScope {
  /** The field of the client that determines a value: an input, the only argument, or the preset if there are several arguments or none. */
  fieldOf(value: RecipeValue | undefined): string;
  /** The field that `fieldOf` returns, and the name of the input or argument if there is only one. */
  originOf(value: RecipeValue | undefined): Pick<Origin, 'field' | 'argument'>;
  /** Whether a value depends on an argument or input that the client sent. */
  isOfClient(value: RecipeValue | undefined): boolean;
  /** The sent arguments that a value contains. With `inFormulas`, also the arguments in the formulas of the value. */
  argumentsOf(value: RecipeValue | undefined, inFormulas: boolean): readonly string[];
}

/** The values of names before formulas are computed. */
interface ScopeSources {
  readonly read: ReadonlyMap<string, ReadArgument>;
  readonly inputs: readonly RoleInput[];
  /** The extension of the output. */
  readonly container: string;
  /** The facts about the input. `unread`: texts that need facts have no value. */
  readonly facts: InputFacts | 'unread';
  /** Computes `input.start` with the names that do not depend on it: the recipe itself may set the start of the part. */
  readonly startOf: (scope: TemplateScope) => number;
}

/** Computes the values of all names. Returns errors if a fact is unknown, a formula has no result or a limit is exceeded. */
export function createScope(
  recipe: RecipeDefinition,
  sources: ScopeSources,
): Scope | { readonly errors: readonly FieldError[] } {
  const { read, inputs, container, startOf } = sources;
  const facts = sources.facts === 'unread' ? {} : sources.facts;
  const inputField = inputs[0]?.field ?? '/input';
  const unknown = [...requiredFactsOf(recipe, (name) => read.has(name))].filter((fact) => facts[fact] === undefined);
  if (unknown.length > 0 && sources.facts !== 'unread') {
    // Both facts about the duration are one to a client.
    const named = new Map(unknown.map((fact) => [FACT_NAMES[fact], fact]));
    return { errors: [...named.values()].map((fact) => unknownFact(recipe, fact, inputField)) };
  }

  const numbers = new Map<string, number>([['inputs.count', inputs.length]]);
  for (const [name, { number }] of read) if (number !== undefined) numbers.set(name, number);
  const texts = new Map<string, string>();
  for (const [fact, value] of Object.entries(facts))
    if (typeof value === 'number') numbers.set(`input.${fact}`, value);
    else texts.set(`input.${fact}`, value);
  /** For each computed value: the arguments that the client sent and the facts about inputs on which it depends. */
  const causes = new Map<string, ReadonlySet<string>>();
  const causesOf = (names: Iterable<string>): ReadonlySet<string> =>
    new Set([...names].flatMap((name) => [...(causes.get(name) ?? (isCause(name, read) ? [name] : []))]));
  const argumentsIn = (names: Iterable<string>): readonly string[] =>
    [...causesOf(names)].filter((name) => read.has(name));
  /** Computes a formula. undefined: a name has no value. NaN: all names have values, but the formula has no result. */
  const compute = (formula: Formula): number | undefined =>
    [...formula.names].every((name) => numbers.has(name))
      ? (formula.evaluate((name) => numbers.get(name)) ?? Number.NaN)
      : undefined;

  const roles = new Set([...inputs.map(({ role }) => role.role), `output.${container}`]);
  const first = new Map(inputs.toReversed().map((input) => [input.role.role, input]));
  const names: TemplateScope = {
    filled: new FilledTexts(),
    lookUp: (name) => {
      const argument = read.get(name);
      if (argument !== undefined) return argument;
      const number = numbers.get(name);
      if (number !== undefined) return { text: printNumber(number), kind: 'plain' };
      const text = texts.get(name);
      if (text !== undefined) return { text, kind: 'plain' };
      const input = first.get(name);
      // `urlErrors` rejects URLs in templates. If a template gets one all the same, its text must not show the secrets.
      return input && { text: hideUrlSecrets(input.spec.input), kind: 'free' };
    },
    isSet: (name) =>
      roles.has(name) ||
      texts.has(name) ||
      // A time of 0 counts as set. A number of 0 counts as not set.
      (recipe.arguments[name]?.type === 'time' ? read.has(name) : Boolean(numbers.get(name) ?? read.get(name)?.value)),
  };

  const errors: FieldError[] = [];
  /** Computes the values that have no number yet. */
  const computeValues = (): void => {
    for (const [name, text] of Object.entries(recipe.values ?? {})) {
      if (numbers.has(name)) continue;
      const formula = parseFormula(text);
      const number = compute(formula);
      causes.set(name, causesOf(formula.names));
      if (Number.isNaN(number))
        errors.push(notComputable(recipe, `"${name}"`, causesOf(formula.names), numbers, inputField));
      else if (number !== undefined) numbers.set(name, number);
    }
  };
  computeValues();
  if (errors.length > 0) return { errors };
  if (usesStart(recipe)) {
    numbers.set('input.start', startOf({ ...names, filled: new FilledTexts() }));
    computeValues();
    if (errors.length > 0) return { errors };
  }
  for (const [name, limit] of Object.entries(recipe.limits ?? {})) {
    const formulas = [limit.min, limit.max].map((text) => (text === undefined ? undefined : parseFormula(text)));
    const [least, most] = formulas.map((formula) => formula && compute(formula));
    if (Number.isNaN(least) || Number.isNaN(most)) {
      const names = formulas.flatMap((formula) => [...(formula?.names ?? [])]);
      errors.push(notComputable(recipe, `the limit of "${name}"`, causesOf(names), numbers, inputField));
      continue;
    }
    const error = limitError(name, numbers.get(name), { limit, least, most });
    if (error === undefined) continue;
    const isSent = read.get(name)?.isSent === true;
    errors.push(isSent ? { field: argumentField(name), ...error } : { field: '/preset', ...error, nearest: undefined });
  }
  if (errors.length > 0) return { errors };

  const uses = new Map<RecipeValue | undefined, Uses>();
  /** Finds the input and the arguments that a value uses. Caches them, because several inputs can have the same value. */
  const usesOf = (value: RecipeValue | undefined): Uses => {
    const known = uses.get(value);
    if (known !== undefined) return known;
    const references = referencesIn(value);
    const found = {
      file: inputs.find(({ role }) => references.has(role.role)),
      sent: argumentsIn([...references, ...conditionsIn(value)]),
    };
    uses.set(value, found);
    return found;
  };
  const originOf: Scope['originOf'] = (value) => {
    const { file, sent } = usesOf(value);
    // A filter opens this input, so the input is the cause.
    if (file !== undefined) return { field: file.field, ...(file.isArgument && { argument: file.role.role }) };
    const [argument, ...others] = sent;
    return argument !== undefined && others.length === 0
      ? { field: argumentField(argument), argument }
      : { field: '/preset' };
  };
  return {
    ...names,
    originOf,
    fieldOf: (value) => originOf(value).field,
    argumentsOf: (value, inFormulas) => {
      const names = referencesIn(value);
      return inFormulas ? argumentsIn(names) : [...names].filter((name) => read.get(name)?.isSent === true);
    },
    isOfClient: (value) => usesOf(value).file !== undefined || usesOf(value).sent.length > 0,
  };
}

/** What a value uses: its first input, and the sent arguments on which it depends. */
interface Uses {
  readonly file: RoleInput | undefined;
  readonly sent: readonly string[];
}

const isCause = (name: string, read: ReadonlyMap<string, ReadArgument>): boolean =>
  name.startsWith('input.') || read.get(name)?.isSent === true;

const unknownFact = ({ name }: RecipeDefinition, fact: Fact, field: string): FieldError => ({
  field,
  code: 'UNKNOWN_FACT',
  message: `The recipe "${name}" needs the ${FACT_NAMES[fact]} of the input, which has ${fact === 'chapters' ? 'fewer than two, or more than 1000' : 'none'}.`,
});

/** The error for a formula without a result. Its field is the only sent argument, or the argument that is 0. */
function notComputable(
  { name: recipe }: RecipeDefinition,
  what: string,
  causes: ReadonlySet<string>,
  numbers: ReadonlyMap<string, number>,
  inputField: string,
): FieldError {
  const all = [...causes];
  const cause = all.length === 1 ? all[0] : all.find((one) => numbers.get(one) === 0);
  const sent = all.filter((one) => !one.startsWith('input.'));
  const values = all.map((one) => `${one} = ${printNumber(numbers.get(one) ?? 0)}`).join(', ');
  const isOfInput = cause === undefined ? sent.length === 0 && all.length > 0 : cause.startsWith('input.');
  return {
    field: isOfInput ? inputField : cause === undefined ? '/preset' : argumentField(cause),
    code: 'NOT_COMPUTABLE',
    message: `The recipe "${recipe}" cannot compute ${what}${values === '' ? '' : ` with ${values}`}.`,
  };
}

/** The error for an argument that is outside a limit, if the limit depends on other values. */
function limitError(
  name: string,
  value: number | undefined,
  {
    limit,
    least = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
  }: {
    readonly limit: NonNullable<RecipeDefinition['limits']>[string];
    readonly least: number | undefined;
    readonly most: number | undefined;
  },
): Omit<FieldError, 'field'> | undefined {
  if (value === undefined || (value >= least && value <= most)) return undefined;
  const bound = value < least ? least : most;
  return {
    code: 'OUT_OF_RANGE',
    message: `"${name}" must be at ${value < least ? 'least' : 'most'} ${printNumber(bound)} for this input, not ${printNumber(value)}. ${limit.reason}`,
    nearest: { bound: Number(printNumber(bound)), others: value < least ? 'more' : 'less' },
  };
}
