import { FILTER_START_OPTIONS } from '@telecine/contract/domain/converted-part.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import { RECIPE_LIMITS, type Recipe, type RecipeArgument, type RecipeValue } from '@telecine/contract/domain/recipe.ts';
import {
  conditionsIn,
  quotedReferencesIn,
  referencesIn,
  strayBraces,
  textsIn,
  wrongSection,
} from '@telecine/contract/domain/recipe-template.ts';
import { secretsOf } from '@telecine/contract/domain/secret-options.ts';
import { parseFormula } from '@telecine/ffmpeg/expression/formula.ts';
import { parseOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';
import { readValue } from './arguments.ts';
import { cutTexts, FACTS, TEXT_FACTS } from './facts.ts';
import { canonicalName } from './option-overrides.ts';
import { isGraphOption } from './template.ts';

type Reject = (field: string, code: string, message: string, more?: Partial<FieldError>) => void;

/** Checks a recipe whose types are valid. Whether ffmpeg accepts its options is checked in each request that uses the recipe. */
export function checkRecipe(recipe: Recipe): readonly FieldError[] {
  const errors: FieldError[] = [];
  const reject: Reject = (field, code, message, more = {}) => void errors.push({ field, code, message, ...more });
  checkNames(recipe, reject);
  checkDefaults(recipe, reject);
  const known = new Set([
    ...Object.keys(recipe.arguments),
    ...recipe.inputs.map(({ role }) => role),
    ...FACTS.map((fact) => `input.${fact}`),
    'inputs.count',
    START,
    ...recipe.outputs.map((one) => `output.${one}`),
  ]);
  checkFormulas(recipe, known, reject);
  checkLimits(recipe, known, reject);
  checkChoices(recipe, known, reject);
  checkOptions(recipe.request.parameters, '/request/parameters', known, reject);
  checkOutputs(recipe, known, reject);
  checkQuotes(recipe, reject);
  checkStart(recipe, reject);
  for (const { pointer, text } of cutTexts(recipe.request.cut))
    checkReferences(text, `/request/cut${pointer}`, known, reject);
  checkReferences(recipe.request.transcribe?.language, '/request/transcribe/language', known, reject);
  checkReferences(recipe.request.quality?.target, '/request/quality/target', known, reject);
  checkReferences(recipe.request.maxBytes, '/request/maxBytes', known, reject);
  for (const [name, text] of Object.entries(recipe.request.ladder ?? {}))
    checkReferences(text, `/request/ladder/${name}`, known, reject);
  for (const [name, text] of Object.entries(recipe.request.thumbnailTrack ?? {}))
    checkReferences(text, `/request/thumbnailTrack/${name}`, known, reject);
  for (const [index, { parameters = {}, duration, crossfade }] of recipe.inputs.entries()) {
    checkOptions(parameters, `/inputs/${index}/parameters`, known, reject);
    checkReferences(duration, `/inputs/${index}/duration`, known, reject);
    checkReferences(crossfade, `/inputs/${index}/crossfade`, known, reject);
  }
  return errors;
}

function checkOutputs({ request }: Recipe, known: ReadonlySet<string>, reject: Reject): void {
  const { outputs = [], thumbnailTrack } = request;
  if (thumbnailTrack !== undefined && outputs.length > 0)
    reject(
      '/request/thumbnailTrack',
      'EXCLUSIVE',
      'A recipe with "thumbnailTrack" writes one output. Leave out "thumbnailTrack" or "outputs".',
    );
  const suffixes = new Set<string>();
  for (const [index, { suffix, when, parameters }] of outputs.entries()) {
    const pointer = `/request/outputs/${index}`;
    checkOptions(parameters, `${pointer}/parameters`, known, reject);
    if (when !== undefined && !known.has(when))
      reject(`${pointer}/when`, 'UNKNOWN_NAME', unknownName(when), nearName(when, known));
    if (index === 0 && (suffix !== undefined || when !== undefined))
      reject(
        pointer,
        'INVALID',
        'The first output is always written, with the name in the request. Leave out its "suffix" and "when".',
      );
    if (index > 0 && (suffix === undefined || suffixes.has(suffix)))
      reject(
        `${pointer}/suffix`,
        'INVALID',
        'Each output after the first needs its own suffix, such as "-poster.jpg".',
      );
    suffixes.add(suffix ?? '');
  }
}

/** The arguments and inputs whose text the client chooses freely. The service escapes this text in filtergraphs. */
function freeNames({ arguments: own, inputs }: Recipe): ReadonlySet<string> {
  const isFree = ({ type }: RecipeArgument): boolean => type === 'text' || type === 'colour';
  const free = new Set([
    ...Object.keys(own).filter((name) => own[name] !== undefined && isFree(own[name])),
    ...inputs.map(({ role }) => role),
  ]);
  const refersToFree = (argument: RecipeArgument): boolean =>
    argument.type === 'choice' &&
    Object.values(argument.choices).some((text) => [...referencesIn(text)].some((name) => free.has(name)));
  return new Set([...free, ...Object.keys(own).filter((name) => own[name] !== undefined && refersToFree(own[name]))]);
}

/** Rejects references between quotes. The service escapes text with backslashes, and between quotes these would become part of the text. */
function checkQuotes(recipe: Recipe, reject: Reject): void {
  const free = freeNames(recipe);
  const check = (value: RecipeValue | undefined, field: string): void => {
    const name = [...quotedReferencesIn(value)].find((one) => free.has(one));
    if (name !== undefined)
      reject(field, 'QUOTED_REFERENCE', `"{{${name}}}" is between single quotes. The service quotes the text itself.`);
  };
  const { parameters, outputs = [] } = recipe.request;
  const sets = [
    { options: parameters, pointer: '/request/parameters' },
    ...outputs.map((one, index) => ({ options: one.parameters, pointer: `/request/outputs/${index}/parameters` })),
  ];
  for (const { options, pointer } of sets)
    for (const [name, value] of Object.entries(options))
      if (isGraphOption(name)) check(value, `${pointer}/${pointerToken(name)}`);
  for (const [name, argument] of Object.entries(recipe.arguments))
    if (argument.type === 'choice')
      for (const [choice, text] of Object.entries(argument.choices))
        check(text, `/arguments/${pointerToken(name)}/choices/${pointerToken(choice)}`);
}

/** Rejects `ss`, `sseof` and `copyts` that depend on `input.start`, which they decide. */
function checkStart(recipe: Recipe, reject: Reject): void {
  const { inputs, request } = recipe;
  const dependent = namesAfterStart(recipe);
  const check = (
    options: Readonly<Record<string, RecipeValue>>,
    deciding: readonly string[],
    pointer: string,
  ): void => {
    for (const [name, value] of Object.entries(options)) {
      const used = deciding.includes(canonicalName(name))
        ? namesIn(value).find((one) => dependent.has(one))
        : undefined;
      if (used === undefined) continue;
      const through = used === START ? '' : `"${used}", which depends on `;
      reject(
        `${pointer}/${pointerToken(name)}`,
        'CIRCLE',
        `"${name}" uses ${through}"${START}", and "${name}" itself decides what that is.`,
      );
    }
  };
  check(inputs[0]?.parameters ?? {}, FILTER_START_OPTIONS.input, '/inputs/0/parameters');
  check(request.parameters, FILTER_START_OPTIONS.output, '/request/parameters');
}

const START = 'input.start';

const namesIn = (value: RecipeValue | undefined): readonly string[] => [...referencesIn(value), ...conditionsIn(value)];

/** `input.start`, and the values and choices that depend on it. */
function namesAfterStart({ values = {}, arguments: own }: Recipe): ReadonlySet<string> {
  const late = new Set([START]);
  for (const [name, text] of Object.entries(values))
    if (formulaNames(text).some((one) => late.has(one))) late.add(name);
  for (const [name, argument] of Object.entries(own))
    if (
      argument.type === 'choice' &&
      Object.values(argument.choices).some((text) => namesIn(text).some((one) => late.has(one)))
    )
      late.add(name);
  return late;
}

/** The names in a formula. Another check reports a formula that cannot be read. */
function formulaNames(text: string): readonly string[] {
  try {
    return [...parseFormula(text).names];
  } catch {
    return [];
  }
}

function checkNames({ inputs, arguments: own, values = {} }: Recipe, reject: Reject): void {
  for (const [index, { role, many, optional }] of inputs.entries()) {
    const field = `/inputs/${index}`;
    if (index === 0 && optional === true) reject(field, 'INVALID', 'The first input cannot be optional.');
    if (many === true && inputs.findIndex((one) => one.many === true) < index)
      reject(field, 'INVALID', 'Only one input can have "many".');
    if (inputs.findIndex((one) => one.role === role) < index)
      reject(`${field}/role`, 'DUPLICATE', `Two inputs have the role "${role}".`);
    if (Object.hasOwn(own, role))
      reject(
        `/arguments/${pointerToken(role)}`,
        'DUPLICATE',
        `"${role}" is an argument and the role of an input. Rename one of them.`,
      );
  }
  for (const name of Object.keys(values))
    if (Object.hasOwn(own, name) || inputs.some(({ role }) => role === name))
      reject(
        `/values/${pointerToken(name)}`,
        'DUPLICATE',
        `"${name}" is also the name of an argument or an input. Rename the value.`,
      );
}

function checkDefaults({ arguments: own }: Recipe, reject: Reject): void {
  for (const [name, argument] of Object.entries(own)) {
    const read = argument.default === undefined ? undefined : readValue(argument, argument.default);
    if (read !== undefined && 'mustBe' in read)
      reject(
        `/arguments/${pointerToken(name)}/default`,
        'BAD_ARGUMENT',
        `The default of "${name}" must be ${read.mustBe}.`,
      );
  }
}

function checkFormulas({ values = {} }: Recipe, known: Set<string>, reject: Reject): void {
  for (const [name, text] of Object.entries(values)) {
    checkFormula(text, { name, field: `/values/${pointerToken(name)}` }, known, reject);
    known.add(name);
  }
}

function checkLimits({ limits = {}, arguments: own }: Recipe, known: ReadonlySet<string>, reject: Reject): void {
  for (const [name, { min, max }] of Object.entries(limits)) {
    const field = `/limits/${pointerToken(name)}`;
    const type = Object.hasOwn(own, name) ? own[name]?.type : undefined;
    if (type !== 'number' && type !== 'time')
      reject(field, 'UNKNOWN_NAME', `"${name}" is not an argument of the type "number" or "time".`);
    if (min !== undefined) checkFormula(min, { name: 'min', field: `${field}/min` }, known, reject);
    if (max !== undefined) checkFormula(max, { name: 'max', field: `${field}/max` }, known, reject);
  }
}

const TEXT_NAMES: ReadonlySet<string> = new Set(TEXT_FACTS.map((fact) => `input.${fact}`));

function checkFormula(
  text: string,
  { name, field }: { readonly name: string; readonly field: string },
  known: ReadonlySet<string>,
  reject: Reject,
): void {
  try {
    for (const one of parseFormula(text).names) {
      if (TEXT_NAMES.has(one))
        reject(field, 'BAD_FORMULA', `"${name}" computes with "${one}", which is a text and not a number.`);
      else if (!known.has(one)) reject(field, 'UNKNOWN_NAME', unknownName(one), nearName(one, known));
    }
  } catch (error) {
    reject(field, 'BAD_FORMULA', `"${name}" ${error instanceof Error ? error.message : ''}.`);
  }
}

function checkChoices({ arguments: own }: Recipe, known: ReadonlySet<string>, reject: Reject): void {
  const plain = new Set([...known].filter((name) => own[name]?.type !== 'choice'));
  for (const [name, argument] of Object.entries(own)) {
    if (argument.type !== 'choice') continue;
    const pointer = `/arguments/${pointerToken(name)}/choices`;
    for (const [choice, text] of Object.entries(argument.choices))
      checkReferences(text, `${pointer}/${pointerToken(choice)}`, plain, reject);
  }
}

function checkOptions(
  options: Readonly<Record<string, RecipeValue>>,
  pointer: string,
  known: ReadonlySet<string>,
  reject: Reject,
): void {
  const names = Object.keys(options);
  if (names.length > RECIPE_LIMITS.options)
    reject(pointer, 'TOO_MANY', `A recipe has at most ${RECIPE_LIMITS.options} options.`);
  for (const [index, name] of names.entries()) {
    const field = `${pointer}/${pointerToken(name)}`;
    const parsed = parseOptionName(name);
    if ('message' in parsed) reject(field, parsed.code, parsed.message, parsed);
    else if (hasSecret(canonicalName(name), options[name]))
      reject(
        field,
        'SECRET',
        `"${name}" contains a key or a password, which the recipe would show. Requests send it in their "parameters".`,
      );
    if (names.findIndex((other) => canonicalName(other) === canonicalName(name)) < index)
      reject(field, 'DUPLICATE', `"${name}" is another name of an earlier option. Leave one of them out.`);
    checkReferences(options[name], field, known, reject);
  }
}

/** Whether an option contains a secret: it is a key or a password, or a list of options with one. */
const hasSecret = (name: string, value: RecipeValue | undefined): boolean =>
  textsIn(value).some((text) => secretsOf({ [name]: text }).length > 0);

function checkReferences(
  value: RecipeValue | undefined,
  field: string,
  known: ReadonlySet<string>,
  reject: Reject,
): void {
  const stray = strayBraces(value);
  if (stray !== undefined)
    reject(
      field,
      'BAD_REFERENCE',
      `${JSON.stringify(stray)} is not a reference. References are names such as {{height}}.`,
    );
  const section = wrongSection(value);
  if (section !== undefined) reject(field, 'BAD_SECTION', `${section}. A section is {{#name}}…{{/name}}.`);
  for (const name of new Set([...referencesIn(value), ...conditionsIn(value)]))
    if (!known.has(name)) reject(field, 'UNKNOWN_NAME', unknownName(name), nearName(name, known));
}

const unknownName = (name: string): string =>
  `"${name}" is not an argument, a value, an input or a fact of this recipe.`;

const nearName = (given: string, names: Iterable<string>): Pick<FieldError, 'nearest'> => ({
  nearest: { given, names: [...names], is: 'word' },
});
