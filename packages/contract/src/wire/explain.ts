import type { z } from 'zod';
import { closestMatch } from '../domain/closest-match.ts';
import { fieldsAsParameters, objectAsParameters, outputObject, readOptions } from '../domain/command-line.ts';
import {
  type Edits,
  hasEdits,
  leaveOut,
  orElse,
  type Place,
  sendMember,
  sendMembers,
  sendValue,
  valueSentBy,
  withMore,
} from '../domain/edit.ts';
import { exampleOutput } from '../domain/folder-output.ts';
import { isPlainFile } from '../domain/foreign-path.ts';
import { type Hint, type HintAction, hint, LIST_JOBS } from '../domain/hint.ts';
import { type FieldError, hasEnough } from '../domain/problem.ts';
import { isMembers, type Members, memberAt, stringOf } from '../domain/structured-values.ts';
import { isEncoderPreset, recipeOfHandBrake } from '../domain/synonyms/encoder-presets.ts';
import { meantChoice } from '../domain/synonyms/field-words.ts';
import { ENDPOINTS } from './endpoints.ts';
import { keptWithoutRemoved, meantCut } from './explain-cut.ts';
import { hasUrl, meantFiles } from './explain-files.ts';
import { jobIdsFix, unfinishedJobsFix } from './explain-jobs.ts';
import { isCompliance, parametersFix } from './explain-options.ts';
import { groupsFix, nestedFix } from './explain-parameters.ts';
import { meantQuality } from './explain-quality.ts';
import { isScalar, meantSeconds } from './explain-scalars.ts';
import { fixOfField, wrongType } from './explain-type.ts';
import { explainWatch, isWatch } from './explain-watch.ts';
import { nameOf, parentOf, pointerOf } from './json-pointer.ts';
import { misplacedFieldFix } from './misplaced-field.ts';
import { exampleOf, knownKeys, schemaAt, typeNames } from './schema-at.ts';
import { RECIPE_ARGUMENTS, unknownFieldErrors } from './unknown-field.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Turns zod issues into field errors. `value`: the value that `schema` rejected. Returns at most one more error than a reply shows. */
export function fieldErrors(schema: z.core.$ZodType, issues: readonly Issue[], value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  const members = knownKeys(schema);
  const known = isWatch(members) && { watch: members, request: knownKeys(schemaAt(schema, ['request'])) };
  for (const error of explainAll(schema, issues, value)) {
    errors.push(known === false ? error : explainWatch(error, value, known));
    if (hasEnough(errors)) break;
  }
  const unknown = errors.filter(({ code }) => code === 'UNKNOWN_FIELD');
  const isSent = (error: FieldError): boolean =>
    isMissing(error) &&
    (errors.some((one) => one !== error && one.code !== 'MISSING' && sends(one, error)) ||
      unknown.some((one) => tellsHowToFind(one, error)) ||
      // Do not report a missing "jobId" beside a field such as "batch" or "status", which already says which jobs are meant.
      (error.field === '/jobId' && unknown.some((one) => OF_JOBS.test(one.field))));
  // A cut with an unknown field lacks "keep" and "remove". The fix for that field sends one of them.
  const isCutAlone = ({ field, code }: FieldError): boolean =>
    code === 'INVALID' && field.endsWith('/cut') && unknown.some((one) => one.field.startsWith(`${field}/`));
  return errors.filter((error) => !isSent(error) && !isCutAlone(error));
}

const OF_JOBS = /^\/(?:batch(?:_?(?:id|name))?|job_?ids|status|state|job_?status)$/i;

function* explainAll(schema: z.core.$ZodType, issues: readonly Issue[], value: unknown): Generator<FieldError> {
  const ofType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [pointerOf(path)] : [])));
  for (const issue of issues) {
    // If a text is sent in place of a list, do not report its length as a second error.
    const isLength = issue.code === 'too_big' || issue.code === 'too_small';
    if (!isLength || !ofType.has(pointerOf(issue.path))) yield* explain(schema, issue, issue.path, value);
  }
}

/** Whether a field is missing, or sent as `true` instead of an object. */
const isMissing = ({ code, fix }: FieldError): boolean => code === 'MISSING' || isEmpty(valueSentBy(fix));

const isEmpty = (value: unknown): boolean => isMembers(value) && Object.keys(value).length === 0;

/** Whether the fix of an error also sends the missing field, or renames another field to it. */
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

/** For a missing field, the actions that find its value. */
const FINDS: Readonly<Record<string, readonly HintAction['do'][]>> = {
  '/input': ['list-files', 'list-jobs', 'list-outputs'],
  '/jobId': ['list-jobs', 'wait-for-batch'],
  '/jobIds': ['list-jobs', 'wait-for-batch'],
};

/** Whether the fix of an unknown field says how to find the value for the missing field. */
const tellsHowToFind = ({ fix = '' }: FieldError, { field }: FieldError): boolean =>
  typeof fix !== 'string' &&
  !hasEdits(fix) &&
  fix.some((part) => typeof part !== 'string' && FINDS[field]?.includes(part.do) === true);

/** Explains one issue. Yields each error only when it is needed, because an object can have a thousand unknown fields. */
function* explain(schema: z.core.$ZodType, issue: Issue, path: Path, root: unknown): Generator<FieldError> {
  const field = pointerOf(path);
  const name = nameOf(path);
  const at = schemaAt(schema, path);
  const value = memberAt(root, path);
  switch (issue.code) {
    case 'invalid_type': {
      const filters = filterListError(path, root);
      if (filters !== undefined) {
        if (path.at(-1) === filters.index) yield filters.error;
        return;
      }
      yield value === undefined
        ? missing(field, name, at)
        : withMeaning(wrongType(field, name, at, value), schema, path, root);
      return;
    }
    case 'invalid_union': {
      // Report the errors of the branch whose type matches. If none matches, the type is wrong.
      const inner = issue.errors.find(
        (branch) => !branch.some((i) => i.code === 'invalid_type' && i.path.length === 0),
      );
      if (inner === undefined) yield withMeaning(wrongType(field, name, at, value), schema, path, root);
      else for (const i of inner) yield* explain(schema, i, [...path, ...i.path], root);
      return;
    }
    case 'unrecognized_keys': {
      const measured = path.at(-1) === 'settings' ? memberAt(root, [...path.slice(0, -1), 'measure']) : undefined;
      yield* unknownFieldErrors(path, issue.keys, { parent: value as Members, known: knownKeys(at), measured }, (key) =>
        misplacedFieldFix(schema, [...path, key], root),
      );
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
      const message = `${name} must be one of ${allowed.join(', ')}.`;
      yield { ...errorAt(field, 'NOT_ALLOWED', message, choiceFix(value, allowed, path, root)), allowed };
      return;
    }
    case 'custom': {
      const { code = 'INVALID', ...more } = (issue.params ?? {}) as { code?: string; fix?: Hint };
      // A field with another name, such as "container", may contain the format of the output.
      const output = code === 'MISSING' && field === '/output' && isMembers(root) ? exampleOutput(root) : undefined;
      const kept = keptWithoutRemoved(value);
      const both = kept && { message: `${name} has "keep" and "remove", but takes only one of them.`, fix: kept };
      const fix = output && { fix: `Send, for example, "output": ${JSON.stringify(output)}.` };
      yield { field, code, message: issue.message, ...more, ...both, ...fix };
      return;
    }
    default: {
      if (issue.code === 'invalid_format' && issue.format === 'uuid') {
        yield notAnId(field, name, value, knownKeys(schemaAt(schema, path.slice(0, -1))));
        return;
      }
      const isTime = /^"(?:ss|t|duration|crossfade)"$/.test(name) && typeof value === 'string';
      const seconds = isTime ? meantSeconds(value) : undefined;
      const fix = seconds === undefined ? sendExample(at) : sendValue(String(seconds));
      yield errorAt(field, 'INVALID_FORMAT', `${name} has an invalid format.`, fix);
    }
  }
}

const errorAt = (field: string, code: string, message: string, fix?: Hint): FieldError => ({
  field,
  code,
  message,
  ...(fix !== undefined && { fix }),
});

/** The fix for a value that is not allowed. undefined: the meaning of the value is unknown. */
function choiceFix(value: unknown, allowed: readonly string[], path: Path, root: unknown): Hint | undefined {
  if (Array.isArray(value) && value.length > 1) {
    const meant = value.map((one) =>
      allowed.includes(stringOf(one)) ? stringOf(one) : meantChoice(stringOf(one), allowed),
    );
    const [first, ...others] = meant.map((one) => JSON.stringify(one));
    if (!meant.includes(undefined))
      return `It takes one value. Call once for each: send ${first}, then ${others.join(', ')}.`;
  }
  const near = typeof value === 'string' ? (meantChoice(value, allowed) ?? closestMatch(value, allowed)) : undefined;
  if (near === undefined) return path.at(-1) === 'join' ? joinFix(value) : undefined;
  return isThereToo(near, path, root, allowed)
    ? leaveOut(undefined, `${JSON.stringify(near)} measures it too`)
    : sendValue(near);
}

/** Whether `"measure"` already contains the measurement `near`: under its own name, or as another word earlier in the list. */
const isThereToo = (near: string, path: Path, root: unknown, allowed: readonly string[]): boolean => {
  const list = path.at(-2) === 'measure' ? memberAt(root, path.slice(0, -1)) : undefined;
  return (
    Array.isArray(list) &&
    list.some(
      (one: unknown, at) => one === near || (at < Number(path.at(-1)) && meantChoice(stringOf(one), allowed) === near),
    )
  );
};

/**
 * The error about a list of filters that are objects. Its field is the first filter. undefined: it is not a list of filters, or a filter is
 * unknown.
 */
function filterListError(
  path: Path,
  root: unknown,
): { readonly index: number; readonly error: FieldError } | undefined {
  if (typeof path.at(-1) !== 'number' || path.at(-3) !== 'parameters') return undefined;
  const name = String(path.at(-2));
  const list = memberAt(root, path.slice(0, -1));
  const index = Array.isArray(list) ? list.findIndex((one) => isMembers(one)) : -1;
  const options = index < 0 ? undefined : fieldsAsParameters({ [name]: list }, [name]);
  const [[option, text] = [], ...others] = Object.entries(options ?? {});
  if (option === undefined || others.length > 0 || typeof text !== 'string') return undefined;
  const message = `${nameOf(path)} must be a string, not an object.`;
  return { index, error: errorAt(pointerOf(path.slice(0, -1)), 'WRONG_TYPE', message, sendMember(option, text)) };
}

/** The fix for an unknown value of `join`. A transition belongs in "crossfade" of the inputs. */
const joinFix = (value: unknown): Hint =>
  /fade|dissolve|transition|wipe/i.test(JSON.stringify(value) ?? '')
    ? 'Send "encode", and "crossfade" in each element of "inputs" after the first, in seconds: {"input": "b.mp4", "crossfade": "1"}.'
    : value === true || /^(?:true|yes|1|on)$/i.test(stringOf(value))
      ? sendValue('encode')
      : orElse(sendValue('encode'), '"copy" for clips of one kind, which are not encoded again');

/** The error for a text that cannot be the id of a job or batch. */
function notAnId(field: string, name: string, value: unknown, known: readonly string[]): FieldError {
  const key = name.slice(1, -1);
  const isBatch = key === 'batchId';
  const message = `${JSON.stringify(stringOf(value).slice(0, 60))} is not the id of a ${isBatch ? 'batch' : 'job'}, which is a UUID.`;
  return errorAt(field, 'INVALID_FORMAT', message, isBatch ? batchIdFix(known) : jobIdFix(key, value, known));
}

const batchIdFix = (known: readonly string[]): Hint =>
  known.includes('jobIds')
    ? hint`Send the "batchId" that the reply to the batch has, or "jobIds": the ids of its jobs. For the ids: ${LIST_JOBS}.`
    : 'Send the "batchId" that the reply to the batch has.';

function jobIdFix(key: string, value: unknown, known: readonly string[]): Hint {
  if (key.startsWith('after'))
    return isPlainFile(value)
      ? hint`Send the id of the job that writes it. For the jobs and their outputs: ${LIST_JOBS}.`
      : hint`Start the job before this one first, and send the "jobId" of its reply. For jobs that are started: ${LIST_JOBS}.`;
  if (isPlainFile(value) && known.includes('input')) return sendMember('input', value);
  if (/^batch/i.test(stringOf(value)) && known.includes('batchId'))
    return 'Send "batchId" instead, which the reply to the batch has.';
  return jobIdsFix(key, value, known) ?? unfinishedJobsFix(key, value) ?? hint`Find the id of the job: ${LIST_JOBS}.`;
}

/** Adds a fix to the error about a value of a wrong type: it sends the parts of a request that the value means. */
function withMeaning(error: FieldError, schema: z.core.$ZodType, path: Path, root: unknown): FieldError {
  // The value may be inside settings of another service, such as "VideoDescription" in "parameters". The error is then about these settings.
  const group = path.lastIndexOf('parameters') + 1;
  const [name, parameters] = [String(path[group]), memberAt(root, path.slice(0, group))];
  const groups = group > 0 ? groupsFix(name, parameters) : undefined;
  if (groups !== undefined) return { ...error, field: pointerOf(path.slice(0, group + 1)), fix: groups };
  const parts = partsFix(schema, path, root);
  return parts === undefined ? error : { ...error, fix: parts };
}

/**
 * The fix for a value of a wrong type that means other parts of a request: options as words, or settings in the output. undefined for other
 * values.
 */
function partsFix(schema: z.core.$ZodType, path: Path, root: unknown): Hint | undefined {
  const value = memberAt(root, path);
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const known = knownKeys(schemaAt(schema, parent));
  const body = memberAt(root, parent);
  const batch = path.length === 0 && Array.isArray(value) ? batchFix(value, knownKeys(schema)) : undefined;
  const jobs = batch ?? jobIdsFix(String(key), value, known);
  if (jobs !== undefined) return jobs;
  if (key === 'preset' && Array.isArray(value) && value.length > 1) return SEVERAL_RECIPES;
  if (key === 'quality' && known.includes('output')) return meantQuality(value, isMembers(body) ? body : {});
  const files = meantFiles(path, value, known) ?? meantCut(path, value);
  if (files !== undefined) return files;
  if (Array.isArray(value) && path.at(-2) === 'arguments' && path.at(-3) === 'preset')
    return argumentListFix(String(key), value);
  const nested = path.at(-2) === 'parameters' ? nestedFix(pointerOf(path), String(key), value, root) : undefined;
  if (nested !== undefined) return nested;
  const [named, ...otherNames]: readonly unknown[] = key === 'preset' && Array.isArray(value) ? value : [];
  if (otherNames.length === 0 && (typeof named === 'string' || isMembers(named)))
    return sendMember('preset', typeof named === 'string' ? { name: named } : named);
  if (key === 'preset' && (typeof value === 'string' || typeof value === 'number')) {
    const fields = Object.entries(isMembers(body) ? body : {});
    const [beside, own] = fields.find(([one]) => RECIPE_ARGUMENTS.test(one)) ?? [];
    return presetFix(
      String(value),
      memberAt(body, ['parameters']),
      beside === undefined ? undefined : { key: beside, value: own },
    );
  }
  if (key === 'strict' && isCompliance(value)) {
    const unknown = Object.keys(isMembers(body) ? body : {}).filter((one) => !known.includes(one));
    return parametersFix(body, known, unknown) ?? sendMember('parameters', { strict: stringOf(value) });
  }
  const options = key === 'parameters' ? readOptions(value) : undefined;
  if (options !== undefined) return sendMember('parameters', options);
  const parts = key === 'output' ? outputObject(value, memberAt(body, ['parameters'])) : undefined;
  return parts && sendMembers(parts);
}

/** The fix for a list of recipes. */
const SEVERAL_RECIPES =
  'Send one recipe, and the options of the other in "parameters". Or send a request for each: the second with the output of the first as "input", and the first job in "after".';

/** The fix for a list as an argument of a recipe. The list contains the times of a part, or several values of which one is allowed. */
function argumentListFix(name: string, [first, second, ...others]: readonly unknown[]): Hint {
  const isRange = /^(?:range|trim|clip|cut|part|segment|time_?range|subclip)$/i.test(name);
  if (isRange && others.length === 0 && isScalar(first) && isScalar(second))
    return sendMember('arguments', { start: first, end: second });
  return isScalar(first)
    ? `An argument takes one value. Send one, such as ${JSON.stringify(first)}. Recipes such as "hls" and "mp4-ladder" make several sizes by themselves, with "top" for the largest.`
    : 'Send one value: a text, a number, true or false.';
}

/** The fix for a body that is a list of requests. undefined: the body belongs to another operation. */
function batchFix(list: readonly unknown[], known: readonly string[]): Hint | undefined {
  const isBatch = known.includes('requests');
  if (!isBatch && !(known.includes('output') && known.includes('parameters'))) return undefined;
  const shown = JSON.stringify(list);
  const isShown = shown.length <= MAX_LIST && !hasUrl(list);
  if (isBatch && isShown) return sendValue({ requests: list });
  const body = isShown ? `{"requests": ${shown}}` : '{"requests": […]} with this list';
  return isBatch ? `Send ${body}.` : `Send several requests to POST ${ENDPOINTS.submitBatch.path}: ${body}.`;
}

/** The maximum length of a list that a fix repeats, in characters. */
const MAX_LIST = 1000;

/** The fix for a text as `preset`: a value of ffmpeg's option `preset`, or the name of a recipe. */
const presetFix = (
  value: string,
  parameters: unknown,
  beside: { readonly key: string; readonly value: unknown } | undefined,
): Edits => {
  const own = beside?.value;
  if (isEncoderPreset(value))
    return sendMember('parameters', { ...(objectAsParameters(parameters) ?? {}), preset: value });
  const recipe = own === undefined ? recipeOfHandBrake(value) : undefined;
  if (recipe !== undefined)
    return { ...sendMember('preset', recipe), why: 'it does what that preset of HandBrake does' };
  return isMembers(own) && beside !== undefined
    ? withMore(sendMember('preset', { name: value, arguments: own }), { do: 'remove', name: beside.key })
    : sendMember('preset', { name: value });
};

const sendExample = (schema: z.core.$ZodType | undefined, name = ''): string | undefined => {
  const example = exampleOf(schema);
  return example === undefined ? undefined : `Send, for example, ${name}${JSON.stringify(example)}.`;
};

/** The fix for an empty value. An option gets no example, because the example in the schema belongs to another option. */
const emptyFix = (schema: z.core.$ZodType | undefined): Hint | undefined =>
  typeNames(schema).includes('boolean') ? orElse(leaveOut(), 'send at least one value') : sendExample(schema);

function missing(field: string, name: string, schema: z.core.$ZodType | undefined): FieldError {
  const message = `${name} is missing.`;
  if (/\/jobId$/.test(field)) return errorAt(field, 'MISSING', message, hint`Find the id of the job: ${LIST_JOBS}.`);
  return /\/encrypt\/keyUri$/.test(field)
    ? errorAt(
        field,
        'MISSING',
        `${name} is missing: the URL from which players get the key. The service makes the key.`,
        'Send "keyUri": an http(s) URL, or a path relative to the playlist such as "film.key".',
      )
    : errorAt(field, 'MISSING', message, sendExample(schema, `${name}: `));
}

/** The fix for a scene threshold from 0 to 1, which is the scale of the filter "select". undefined for other numbers. */
function fixOfShare(field: string, value: unknown): string | undefined {
  if (!/\/scenes\/threshold$/.test(field) || typeof value !== 'number' || value <= 0) return undefined;
  return `If ${value} is a score of ffmpeg's "select", which goes to 1, send ${Number((value * 100).toPrecision(6))}. Else send a number from 1 to 100.`;
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
  const fix = field.endsWith('/preset/version')
    ? leaveOut(undefined, 'the newest version is used then')
    : (fixOfField(field) ??
      fixOfShare(field, value) ??
      (inclusive ? limitFix(minimum, 'more') : `Send more than ${minimum}.`));
  return errorAt(field, 'OUT_OF_RANGE', message, fix);
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
  const fix =
    fixOfField(field) ??
    belowZero(field, value, maximum) ??
    ofMilliseconds(field, value, maximum) ??
    // For a limit or timeout that is too high, the fix is the maximum.
    (/\/(?:limit|timeoutSeconds)$/.test(field) ? sendValue(Number(maximum)) : limitFix(maximum, 'less'));
  return errorAt(field, 'OUT_OF_RANGE', `${name} must be at most ${maximum}, not ${stringOf(value)}.`, fix);
}

/** The fix for a level in decibels that was sent without its sign (40 for -40) or as a share of full scale. undefined for other fields. */
function belowZero(field: string, value: unknown, maximum: number | bigint): Edits | undefined {
  if (!field.endsWith('Db') || maximum !== 0 || typeof value !== 'number') return undefined;
  if (value < 1)
    return { ...sendValue(Number((20 * Math.log10(value)).toFixed(2))), why: 'it is that share of full scale' };
  return value >= 5 && value <= 120 ? sendValue(-value) : undefined;
}

/** The fix for milliseconds in a field for seconds: 604800000 for a week, 200 for a margin. undefined for other values. */
const ofMilliseconds = (field: string, value: unknown, maximum: number | bigint): Edits | undefined =>
  field.endsWith('Seconds') &&
  typeof value === 'number' &&
  (value % 1000 === 0 || field.endsWith('/marginSeconds')) &&
  value / 1000 <= Number(maximum)
    ? { ...sendValue(value / 1000), why: 'it is that number of milliseconds' }
    : undefined;
