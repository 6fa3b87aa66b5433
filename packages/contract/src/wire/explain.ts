import type { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { nearestName } from '../domain/aliases.ts';
import { closestMatch } from '../domain/closest-match.ts';
import { readOptions } from '../domain/command-line.ts';
import { type Edits, hasEdits, leaveOut, orElse, type Place, rename, sendMember, sendValue } from '../domain/edit.ts';
import { type Hint, hint, LIST_JOBS } from '../domain/hint.ts';
import { type FieldError, hasEnough } from '../domain/problem.ts';
import { isMembers, type Members, memberAt, stringOf } from '../domain/structured-values.ts';
import { meantBoolean, meantNames, meantNumber } from './explain-scalars.ts';
import { nameOf, parentOf, pointerOf } from './json-pointer.ts';
import { exampleOf, isInteger, knownKeys, requiredKeys, schemaAt, typeNames } from './schema-at.ts';

type Schema = z.core.$ZodType;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Turns zod issues into field errors. `value`: the value that `schema` rejected. Returns at most one more error than a reply shows. */
export function fieldErrors(schema: Schema, issues: readonly Issue[], value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const error of explainAll(schema, issues, value)) {
    errors.push(error);
    if (hasEnough(errors)) break;
  }
  // Do not report a missing field to which the fix of another error renames a field.
  return errors.filter((error) => error.code !== 'MISSING' || !errors.some((one) => sends(one, error)));
}

function* explainAll(schema: Schema, issues: readonly Issue[], value: unknown): Generator<FieldError> {
  const ofType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [pointerOf(path)] : [])));
  for (const issue of issues) {
    // If a text is sent in place of a list, do not report its length as a second error.
    const isLength = issue.code === 'too_big' || issue.code === 'too_small';
    if (!isLength || !ofType.has(pointerOf(issue.path))) yield* explain(schema, issue, issue.path, value);
  }
}

/** Whether the fix of an error sends the missing field. */
function sends(error: FieldError, { field }: FieldError): boolean {
  const parent = parentOf(field);
  return sentMembers(error).some(
    ({ name, place }) =>
      // A fix that sends "inputs" counts for "input" too: if both are missing, the error is about "input".
      [name, name.replace(/s$/, '')].includes(field.slice(parent.length + 1)) &&
      (place === undefined ? parentOf(error.field) === parent : error.field.startsWith(`${parent}/`)),
  );
}

/** The members that the fix of an error sends, including members of alternatives. Empty if the fix is a text. */
export const sentMembers = ({ fix }: FieldError): readonly { readonly name: string; readonly place?: Place }[] =>
  (hasEdits(fix) ? fix.edits : []).flatMap((edit) => {
    if (edit.do === 'rename') return { name: edit.to };
    return (edit.do === 'send' || edit.do === 'add') && edit.name !== undefined
      ? { name: edit.name, ...(edit.in !== undefined && { place: edit.in }) }
      : [];
  });

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
      for (const key of issue.keys) yield unknownField([...path, key], known, value as Members, inRecipe);
      return;
    }
    case 'invalid_key':
      yield badName(field, String(path.at(-1)), issue.issues[0]);
      return;
    case 'too_small':
      yield issue.origin === 'number'
        ? tooSmall(field, name, issue, value)
        : errorAt(field, 'EMPTY', `${name} is empty.`, emptyFix(at));
      return;
    case 'too_big':
      yield tooBig(field, name, issue, value);
      return;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const near = typeof value === 'string' ? nearestName(value, allowed) : undefined;
      const message = `${name} must be one of ${allowed.join(', ')}.`;
      yield { ...errorAt(field, 'NOT_ALLOWED', message, near === undefined ? undefined : sendValue(near)), allowed };
      return;
    }
    case 'custom': {
      const { code = 'INVALID', ...more } = (issue.params ?? {}) as { code?: string; fix?: Hint };
      yield { field, code, message: issue.message, ...more };
      return;
    }
    default:
      yield issue.code === 'invalid_format' && issue.format === 'uuid'
        ? notAnId(field, name, value)
        : errorAt(field, 'INVALID_FORMAT', `${name} has an invalid format.`, sendExample(at));
  }
}

const errorAt = (field: string, code: string, message: string, fix?: Hint): FieldError => ({
  field,
  code,
  message,
  ...(fix !== undefined && { fix }),
});

/**
 * The error for an unknown field. `known`: the fields that the object may have. `parent`: the object. `inRecipe`: the fix if
 * the recipe of the object may take the field.
 */
function unknownField(path: Path, known: readonly string[], parent: Members, inRecipe: Edits | undefined): FieldError {
  const key = String(path.at(-1));
  const ofRecipe = inRecipe !== undefined && closestMatch(key, known) === undefined ? inRecipe : undefined;
  const near = ofRecipe === undefined ? nearestName(key, known) : undefined;
  const message = `Unknown field ${nameOf(path)}.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
  const fix = ofRecipe ?? (near === undefined ? leftOut(known) : renamed(near, parent));
  return { ...errorAt(pointerOf(path), 'UNKNOWN_FIELD', message, fix), allowed: known };
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

/** The fix for a field without a near name. Only the client knows what the field means, so no program leaves it out. */
const leftOut = (known: readonly string[]): Edits =>
  orElse(
    leaveOut(),
    known.includes('parameters')
      ? 'send it in "parameters" if it is an option of ffmpeg'
      : 'send one of the allowed fields',
  );

/** The fix that renames a field, unless its right name has a value. Only the client knows which value is right. */
const renamed = (near: string, parent: Members): Edits =>
  parent[near] === undefined ? rename(near) : orElse(leaveOut(), `send its value as "${near}", which is set already`);

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
  const isOption = path.at(-2) === 'parameters' || path.at(-3) === 'parameters';
  if (isOption && value === null) return orElse(leaveOut(), 'send "" for an option without a value');
  if (isOption && value === false) return orElse({ ...sendValue('false'), why: 'it omits the option' }, leaveOut());
  const key = path.at(-1);
  const isObject = isOption && isMembers(value);
  if (schema !== undefined && value !== null && key !== undefined && !isObject && !hasUrl(value))
    for (const one of inOtherTypes(String(key), schema, value))
      if (one !== undefined && safeParse(schema, one).success)
        return typeof one === 'object' && typeof key === 'string' ? sendMember(key, one) : sendValue(one);
  return isOption ? 'Send the value as a string, such as "23".' : sendExample(schema);
}

/** Whether a value contains a URL. A URL may contain a password or a signature, so no reply shows it. */
const hasUrl = (value: unknown): boolean => JSON.stringify(value)?.includes(':/') === true;

/** The value in other JSON types. An object with one required member takes a text as this member. */
function* inOtherTypes(name: string, schema: Schema, value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    const number = meantNumber(name, value);
    yield number !== undefined && isInteger(schema) ? Math.round(number) : number;
  }
  yield meantBoolean(value);
  if (name === 'parameters') yield readOptions(value);
  if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  const [required, ...others] = requiredKeys(schema);
  if (required !== undefined && others.length === 0) yield { [required]: value };
  if (value === true && required === undefined) yield {};
  if (Array.isArray(value)) {
    if (value.length === 1) yield value[0];
    return;
  }
  yield [value];
  yield meantNames(value);
}

/** The error for a text that cannot be the id of a job or batch. */
function notAnId(field: string, name: string, value: unknown): FieldError {
  const isBatch = name === '"batchId"';
  const message = `${JSON.stringify(stringOf(value).slice(0, 60))} is not the id of a ${isBatch ? 'batch' : 'job'}, which is a UUID.`;
  const fix = isBatch
    ? 'Send the "batchId" that the reply to the batch has.'
    : hint`Find the id of the job: ${LIST_JOBS}.`;
  return errorAt(field, 'INVALID_FORMAT', message, fix);
}

const sendExample = (schema: Schema | undefined, name = ''): string | undefined => {
  const example = exampleOf(schema);
  return example === undefined ? undefined : `Send, for example, ${name}${JSON.stringify(example)}.`;
};

/** The fix for an empty value. An option gets no example, because the example in the schema belongs to another option. */
const emptyFix = (schema: Schema | undefined): Hint | undefined =>
  typeNames(schema).includes('boolean') ? orElse(leaveOut(), 'send at least one value') : sendExample(schema);

function missing(field: string, name: string, schema: Schema | undefined): FieldError {
  const fix = /\/jobId$/.test(field) ? hint`Find the id of the job: ${LIST_JOBS}.` : sendExample(schema, `${name}: `);
  return errorAt(field, 'MISSING', `${name} is missing.`, fix);
}

/** The fix for a number outside a limit. */
const limitFix = (limit: number | bigint, others: 'less' | 'more'): Edits => ({
  ...sendValue(Number(limit)),
  or: others,
  isNearest: true,
});

function badName(field: string, key: string, inner: Issue | undefined): FieldError {
  if (inner?.code !== 'too_big')
    return errorAt(field, 'EMPTY', 'An option has an empty name.', 'Send the name of an ffmpeg option, such as "c:v".');
  const message = `An option name is ${key.length} characters long; at most ${inner.maximum} are allowed.`;
  return errorAt(field, 'TOO_LONG', message, 'Send the name of an ffmpeg option.');
}

function tooSmall(field: string, name: string, issue: z.core.$ZodIssueTooSmall, value: unknown): FieldError {
  const { minimum, inclusive = true } = issue;
  const message = `${name} must be ${inclusive ? 'at least' : 'more than'} ${minimum}, not ${stringOf(value)}.`;
  return errorAt(field, 'OUT_OF_RANGE', message, inclusive ? limitFix(minimum, 'more') : `Send more than ${minimum}.`);
}

function tooBig(field: string, name: string, { origin, maximum }: z.core.$ZodIssueTooBig, value: unknown): FieldError {
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  if (origin === 'string') {
    const message = `${name} is ${length} characters long; at most ${maximum} are allowed.`;
    return errorAt(field, 'TOO_LONG', message, `Send at most ${maximum} characters.`);
  }
  if (origin === 'array') {
    const message = `${name} has ${length} elements; at most ${maximum} are allowed.`;
    return errorAt(field, 'TOO_MANY', message, `Send at most ${maximum}.`);
  }
  const message = `${name} must be at most ${maximum}, not ${stringOf(value)}.`;
  return errorAt(field, 'OUT_OF_RANGE', message, limitFix(maximum, 'less'));
}
