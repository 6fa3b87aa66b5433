import type { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { nearestName } from '../domain/aliases.ts';
import { closestMatch } from '../domain/closest-match.ts';
import { type Edits, hasEdits, sendMember, sendValue } from '../domain/edit.ts';
import { type Hint, hint, LIST_JOBS } from '../domain/hint.ts';
import { type FieldError, hasEnough } from '../domain/problem.ts';
import { isMembers, memberAt, stringOf } from '../domain/structured-values.ts';
import { suggest } from '../domain/suggest.ts';
import { nameOf, parentOf, pointerOf } from './json-pointer.ts';
import { exampleOf, knownKeys, requiredKeys, schemaAt, typeNames } from './schema-at.ts';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Turns zod issues into field errors. `value`: the value that `schema` rejected. Returns at most one more error than a reply shows. */
export function fieldErrors(schema: Schema, issues: readonly Issue[], value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const error of explainAll(schema, issues, value)) {
    errors.push(suggest(error));
    if (hasEnough(errors)) break;
  }
  // Do not report a missing field to which the fix of another error renames a field.
  return errors.filter((error) => error.code !== 'MISSING' || !errors.some((one) => renamesTo(one, error)));
}

function* explainAll(schema: Schema, issues: readonly Issue[], value: unknown): Generator<FieldError> {
  const ofType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [pointerOf(path)] : [])));
  for (const issue of issues) {
    // If a text is sent in place of a list, do not report its length as a second error.
    const isLength = issue.code === 'too_big' || issue.code === 'too_small';
    if (!isLength || !ofType.has(pointerOf(issue.path))) yield* explain(schema, issue, issue.path, value);
  }
}

/** Whether the fix of an error renames its field to the missing one. If "input" and "inputs" are missing, the error is about "input". */
function renamesTo({ field, fix }: FieldError, missed: FieldError): boolean {
  const [edit] = hasEdits(fix) ? fix.edits : [];
  const name = missed.field.slice(parentOf(missed.field).length + 1);
  return edit?.do === 'rename' && parentOf(field) === parentOf(missed.field) && [name, `${name}s`].includes(edit.to);
}

/** Explains one issue. Yields each error only when it is needed, because an object can have a thousand unknown fields. */
function* explain(schema: Schema, issue: Issue, path: Path, root: unknown): Generator<FieldError> {
  const field = pointerOf(path);
  const name = nameOf(path);
  const at = schemaAt(schema, path);
  const value = memberAt(root, path);
  switch (issue.code) {
    case 'invalid_type':
      yield value === undefined ? missing(field, name, at) : wrongType(path, at, value, root);
      return;
    case 'invalid_union': {
      // Report the errors of the branch whose type matches. If none matches, the type is wrong.
      const inner = issue.errors.find(
        (branch) => !branch.some((i) => i.code === 'invalid_type' && i.path.length === 0),
      );
      if (inner === undefined) yield wrongType(path, at, value, root);
      else for (const i of inner) yield* explain(schema, i, [...path, ...i.path], root);
      return;
    }
    case 'unrecognized_keys': {
      const known = knownKeys(at);
      const inRecipe = recipeArguments(value, issue.keys);
      for (const key of issue.keys) yield unknownField([...path, key], known, inRecipe, value);
      return;
    }
    case 'invalid_key':
      yield badName(field, String(path.at(-1)), issue.issues[0]);
      return;
    case 'too_small':
      yield issue.origin === 'number'
        ? tooSmall(field, name, issue, value)
        : errorAt(field, 'EMPTY', `${name} is empty.`, sendExample(at));
      return;
    case 'too_big':
      yield tooBig(field, name, issue, value);
      return;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const error = errorAt(field, 'NOT_ALLOWED', `${name} must be one of ${allowed.join(', ')}.`);
      yield typeof value === 'string'
        ? { ...error, nearest: { given: value, names: allowed, is: 'value' } }
        : { ...error, allowed };
      return;
    }
    case 'custom': {
      const { code = 'INVALID', ...more } = (issue.params ?? {}) as Partial<FieldError>;
      yield { ...more, field, code, message: issue.message };
      return;
    }
    default:
      yield issue.code === 'invalid_format' && issue.format === 'uuid'
        ? errorAt(field, 'INVALID_FORMAT', `${name} must be a UUID, not ${shown(value)}.`, findId(field))
        : errorAt(field, 'INVALID_FORMAT', `${name} has an invalid format.`, sendExample(at));
  }
}

/** The example of an id is an id that does not exist. */
const FIND_ID = hint`Find the id: ${LIST_JOBS}.`;
const FIND_BATCH = hint`Send the "batchId" of a job: ${LIST_JOBS}.`;
const findId = (field: string): Hint => (/\/batchId$/.test(field) ? FIND_BATCH : FIND_ID);

const shown = (value: unknown): string => JSON.stringify(stringOf(value).slice(0, 60));

const errorAt = (field: string, code: string, message: string, fix?: Hint): FieldError => ({
  field,
  code,
  message,
  ...(fix !== undefined && { fix }),
});

/**
 * The error for an unknown field. `known`: the fields that the object may have. `inRecipe`: the fix if the recipe of the object may take
 * the field. `parent`: the object. It may have the nearest field already.
 */
function unknownField(path: Path, known: readonly string[], inRecipe: Edits | undefined, parent: unknown): FieldError {
  const key = String(path.at(-1));
  const error = { ...errorAt(pointerOf(path), 'UNKNOWN_FIELD', `Unknown field ${nameOf(path)}.`), allowed: known };
  if (inRecipe !== undefined && closestMatch(key, known) === undefined) return { ...error, fix: inRecipe };
  const near = nearestName(key, known);
  const isFree = near !== undefined && isMembers(parent) && !Object.hasOwn(parent, near);
  const question = isFree ? ` Did you mean "${near}"?` : '';
  const isOption = near === undefined && known.includes('parameters');
  const advice = isOption ? ' Options of ffmpeg belong in "parameters".' : question;
  return { ...error, message: `${error.message}${advice}`, nearest: { given: key, names: known, is: 'name' } };
}

/** No recipe has more arguments. */
const MAX_ARGUMENTS = 20;

/** The fix that moves fields into the arguments of the recipe beside them. undefined: the object names no recipe. */
function recipeArguments(parent: unknown, names: readonly string[]): Edits | undefined {
  const preset = memberAt(parent, ['preset']);
  if (!isMembers(preset) || typeof preset['name'] !== 'string' || names.length > MAX_ARGUMENTS) return undefined;
  const own = preset['arguments'] ?? {};
  const moved = Object.fromEntries(names.map((name) => [name, memberAt(parent, [name])]));
  if (!isMembers(own) || hasUrl(moved)) return undefined;
  return {
    ...sendMember('preset', { ...preset, arguments: { ...own, ...moved } }),
    why: 'an argument of a recipe belongs in "preset.arguments"',
  };
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Describes a value for a message: `the number 23`, `an array`. */
function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** The error for a value of a wrong JSON type. */
function wrongType(path: Path, schema: Schema | undefined, value: unknown, root: unknown): FieldError {
  const allowed = typeNames(schema);
  const message = `${nameOf(path)} must be ${allowed.map(withArticle).join(' or ')}, not ${describe(value)}.`;
  // Some recipes have an argument with the name of a field that is an object: `quality`.
  const isPlain = path.length === 1 && allowed.join() === 'object' && !isMembers(value) && !Array.isArray(value);
  const ofRecipe = isPlain ? recipeArguments(root, [String(path[0])]) : undefined;
  return { ...errorAt(pointerOf(path), 'WRONG_TYPE', message, ofRecipe ?? typeFix(path, schema, value)), allowed };
}

/** The fix for a value of a wrong type: the same value in a type that the schema accepts, or else an example. */
function typeFix(path: Path, schema: Schema | undefined, value: unknown): Hint | undefined {
  const key = path.at(-1);
  // The example in the schema belongs to another option.
  if (path.at(-2) === 'parameters' || path.at(-3) === 'parameters') return undefined;
  if (schema !== undefined && key !== undefined && !hasUrl(value))
    for (const one of inOtherTypes(schema, value))
      if (safeParse(schema, one).success)
        return typeof one === 'object' && typeof key === 'string' ? sendMember(key, one) : sendValue(one);
  return sendExample(schema);
}

/** Whether a value contains a URL. A URL may contain a password or a signature, so no reply shows it. */
const hasUrl = (value: unknown): boolean => JSON.stringify(value)?.includes(':/') === true;

/** The value in other JSON types. An object with one required member takes a text as this member. */
function* inOtherTypes(schema: Schema, value: unknown): Generator<unknown> {
  if (typeof value === 'string' && NUMBER_OR_BOOLEAN.test(value)) yield JSON.parse(value);
  if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  const [required, ...others] = requiredKeys(schema);
  if (required !== undefined && others.length === 0) yield { [required]: value };
  if (value === true && required === undefined) yield {};
  if (!Array.isArray(value)) yield [value];
  else if (value.length === 1) yield value[0];
}

const NUMBER_OR_BOOLEAN = /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?|true|false)$/;

const sendExample = (schema: Schema | undefined, name = ''): string | undefined => {
  const example = exampleOf(schema);
  return example === undefined ? undefined : `Send, for example, ${name}${JSON.stringify(example)}.`;
};

const missing = (field: string, name: string, schema: Schema | undefined): FieldError =>
  errorAt(field, 'MISSING', `${name} is missing.`, /\/jobId$/.test(field) ? FIND_ID : sendExample(schema, `${name}: `));

function badName(field: string, key: string, inner: Issue | undefined): FieldError {
  if (inner?.code !== 'too_big') return errorAt(field, 'EMPTY', 'An option has an empty name.');
  const message = `An option name is ${key.length} characters long; at most ${inner.maximum} are allowed.`;
  return errorAt(field, 'TOO_LONG', message);
}

function tooSmall(field: string, name: string, issue: z.core.$ZodIssueTooSmall, value: unknown): FieldError {
  const { minimum, inclusive = true } = issue;
  const message = `${name} must be ${inclusive ? 'at least' : 'more than'} ${minimum}, not ${stringOf(value)}.`;
  const error = errorAt(field, 'OUT_OF_RANGE', message);
  return inclusive ? { ...error, nearest: { bound: Number(minimum), others: 'more' } } : error;
}

function tooBig(field: string, name: string, { origin, maximum }: z.core.$ZodIssueTooBig, value: unknown): FieldError {
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  if (origin === 'string')
    return errorAt(field, 'TOO_LONG', `${name} is ${length} characters long; at most ${maximum} are allowed.`);
  if (origin === 'array')
    return errorAt(field, 'TOO_MANY', `${name} has ${length} elements; at most ${maximum} are allowed.`);
  const message = `${name} must be at most ${maximum}, not ${stringOf(value)}.`;
  return { ...errorAt(field, 'OUT_OF_RANGE', message), nearest: { bound: Number(maximum), others: 'less' } };
}
