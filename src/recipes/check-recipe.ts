import { type FieldError, pointerToken } from '../domain/problem.ts';
import { RECIPE_LIMITS, type Recipe, type RecipeValue } from '../domain/recipe.ts';
import { isSecretOption } from '../domain/secret-options.ts';
import { parseOptionName } from '../ffmpeg/plan/request/option-name.ts';
import { readValue } from './arguments.ts';
import { parseExpression } from './expression.ts';
import { FACTS } from './facts.ts';
import { canonicalName } from './override.ts';
import { conditionsIn, referencesIn } from './template.ts';

/**
 * Returns what is wrong with a recipe whose types are right: names that nothing defines, defaults that the argument rejects,
 * formulas that cannot be computed. Whether ffmpeg takes the options is known only when a request uses it.
 */
export function checkRecipe(recipe: Recipe): readonly FieldError[] {
  const errors: FieldError[] = [];
  checkNames(recipe, errors);
  checkDefaults(recipe, errors);
  const known = new Set([
    ...Object.keys(recipe.arguments),
    ...recipe.inputs.map(({ role }) => role),
    ...FACTS.map((fact) => `input.${fact}`),
    'inputs.count',
    ...recipe.outputs.map((one) => `output.${one}`),
  ]);
  checkFormulas(recipe, known, errors);
  checkChoices(recipe, known, errors);
  checkOptions(recipe.request.parameters, '/request/parameters', known, errors);
  for (const [index, { parameters = {}, duration, crossfade }] of recipe.inputs.entries()) {
    checkOptions(parameters, `/inputs/${index}/parameters`, known, errors);
    checkReferences(duration, `/inputs/${index}/duration`, known, errors);
    checkReferences(crossfade, `/inputs/${index}/crossfade`, known, errors);
  }
  return errors;
}

function checkNames({ inputs, arguments: own, values = {} }: Recipe, errors: FieldError[]): void {
  for (const [index, { role, many, optional }] of inputs.entries()) {
    const field = `/inputs/${index}`;
    if (index === 0 && optional === true)
      errors.push({ field, code: 'INVALID', message: 'The first input cannot be optional.' });
    if (many === true && inputs.findIndex((one) => one.many === true) < index)
      errors.push({ field, code: 'INVALID', message: 'Only one input can be many.' });
    if (inputs.findIndex((one) => one.role === role) < index)
      errors.push({ field: `${field}/role`, code: 'DUPLICATE', message: `Two inputs have the role "${role}".` });
    if (Object.hasOwn(own, role))
      errors.push({
        field: `/arguments/${pointerToken(role)}`,
        code: 'DUPLICATE',
        message: `"${role}" is an argument and the role of an input.`,
      });
  }
  for (const name of Object.keys(values))
    if (Object.hasOwn(own, name) || inputs.some(({ role }) => role === name))
      errors.push({
        field: `/values/${pointerToken(name)}`,
        code: 'DUPLICATE',
        message: `"${name}" is the name of an argument or an input too.`,
      });
}

function checkDefaults({ arguments: own }: Recipe, errors: FieldError[]): void {
  for (const [name, argument] of Object.entries(own)) {
    const read = argument.default === undefined ? undefined : readValue(argument, argument.default);
    if (read !== undefined && 'wrong' in read)
      errors.push({
        field: `/arguments/${pointerToken(name)}/default`,
        code: 'BAD_ARGUMENT',
        message: `The default of "${name}" must be ${read.wrong}.`,
      });
  }
}

function checkFormulas({ values = {} }: Recipe, known: Set<string>, errors: FieldError[]): void {
  for (const [name, text] of Object.entries(values)) {
    const field = `/values/${pointerToken(name)}`;
    try {
      for (const one of parseExpression(text).names) if (!known.has(one)) errors.push(unknownName(field, one, known));
    } catch (error) {
      errors.push({ field, code: 'BAD_FORMULA', message: `"${name}" ${error instanceof Error ? error.message : ''}.` });
    }
    known.add(name);
  }
}

function checkChoices({ arguments: own }: Recipe, known: ReadonlySet<string>, errors: FieldError[]): void {
  const plain = new Set([...known].filter((name) => own[name]?.type !== 'choice'));
  for (const [name, argument] of Object.entries(own)) {
    if (argument.type !== 'choice') continue;
    const pointer = `/arguments/${pointerToken(name)}/choices`;
    for (const [choice, text] of Object.entries(argument.choices))
      checkReferences(text, `${pointer}/${pointerToken(choice)}`, plain, errors);
  }
}

function checkOptions(
  options: Readonly<Record<string, RecipeValue>>,
  pointer: string,
  known: ReadonlySet<string>,
  errors: FieldError[],
): void {
  const names = Object.keys(options);
  if (names.length > RECIPE_LIMITS.options)
    errors.push({
      field: pointer,
      code: 'TOO_MANY',
      message: `A recipe has at most ${RECIPE_LIMITS.options} options.`,
    });
  for (const [index, name] of names.entries()) {
    const field = `${pointer}/${pointerToken(name)}`;
    const parsed = parseOptionName(name);
    if ('message' in parsed) errors.push({ field, ...parsed });
    else if (isSecretOption(name))
      errors.push({
        field,
        code: 'SECRET',
        message: `"${name}" is a secret, and a recipe can be read.`,
        fix: 'Leave it out, and send it in "parameters" of each request.',
      });
    if (names.findIndex((other) => canonicalName(other) === canonicalName(name)) < index)
      errors.push({ field, code: 'DUPLICATE', message: `"${name}" is another name of an option before it.` });
    checkReferences(options[name], field, known, errors);
  }
}

function checkReferences(
  value: RecipeValue | undefined,
  field: string,
  known: ReadonlySet<string>,
  errors: FieldError[],
): void {
  for (const name of [...referencesIn(value), ...conditionsIn(value)])
    if (!known.has(name)) errors.push(unknownName(field, name, known));
}

const unknownName = (field: string, name: string, known: ReadonlySet<string>): FieldError => ({
  field,
  code: 'UNKNOWN_NAME',
  message: `"${name}" is not an argument, a value, an input or a fact of this recipe.`,
  allowed: [...known],
});
