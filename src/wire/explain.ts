import type { z } from 'zod';
import { MEASUREMENTS, type Measurement } from '../domain/analysis.ts';
import { closestMatch } from '../domain/closest-match.ts';
import {
  fieldsAsParameters,
  type MeantRequest,
  objectAsParameters,
  outputObject,
  readCommand,
  readOptions,
} from '../domain/command-line.ts';
import {
  type Edits,
  editsText,
  hasEdits,
  leaveOut,
  memberSentBy,
  orElse,
  type Place,
  rename,
  sendMember,
  sendMembers,
  sendValue,
  valueSentBy,
  withMore,
} from '../domain/edit.ts';
import { exampleOutput, outputBeside } from '../domain/folder-output.ts';
import { foreignPath, hostPath, isPlainFile, pathsInText } from '../domain/foreign-path.ts';
import { readForeignText, readSteps } from '../domain/foreign-text.ts';
import { fixText, type Hint, type HintAction, hint, LIST_JOBS } from '../domain/hint.ts';
import { MAIL, NO_MAIL } from '../domain/mail-address.ts';
import { lastPart, parseMediaPath } from '../domain/media-path.ts';
import { type FieldError, hasEnough, pointerToken } from '../domain/problem.ts';
import { MAX_CALL_WAIT_SECONDS } from '../domain/quantity.ts';
import { isMembers, memberAt } from '../domain/structured-values.ts';
import { isEncoderPreset, recipeOfHandBrake } from '../domain/synonyms/encoder-presets.ts';
import { isProbeOption, meantChoice, meantField, OF_FFPROBE } from '../domain/synonyms/field-words.ts';
import { meansQuality, optionAdvice } from '../domain/synonyms/option-meanings.ts';
import { FIT_NAME, fittedSizeOf, STEP_TIMES, STEPS, stepOfText } from '../domain/synonyms/value-words.ts';
import { PICTURES } from '../domain/wildcard.ts';
import { ENDPOINTS } from './endpoints.ts';
import { cutFieldFix, cutOfRanges, keptWithoutRemoved, meantCut } from './explain-cut.ts';
import { crossfadeFix, meantFiles, outputsFix } from './explain-files.ts';
import { jobIdsFix, labelFix, unfinishedJobsFix } from './explain-jobs.ts';
import { mediaFieldFix } from './explain-media-fields.ts';
import { alreadySet, contradictionFix, groupsFix, nestedFix, TAGS, withTags } from './explain-parameters.ts';
import { largeGridFix, previewFieldFix } from './explain-preview.ts';
import { renditionsFix, topOf } from './explain-renditions.ts';
import { meantSeconds } from './explain-scalars.ts';
import { splitFix } from './explain-split.ts';
import { fixOfField, wrongType } from './explain-type.ts';
import { foreignRequest, isWithoutMeaning } from './foreign-request.ts';
import { isUuid } from './job-id.ts';
import { settings } from './measurement-settings.ts';
import { misplacedFieldFix } from './misplaced-field.ts';
import { exampleOf, knownKeys, schemaAt, typeNames } from './schema-at.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export const pointer = (path: Path): string => path.map((key) => `/${pointerToken(String(key))}`).join('');

/** The name of a field in a message: `"crf"`, `"inputs[2]"`, `The body`. Long names are truncated. */
function nameOf(path: Path): string {
  const last = path.findLastIndex((key) => typeof key === 'string');
  if (last < 0) return 'The body';
  const key = String(path[last]);
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return JSON.stringify(
    `${shown}${path
      .slice(last + 1)
      .map((i) => `[${String(i)}]`)
      .join('')}`,
  );
}

/**
 * Turns the zod issues of a `value` that `schema` rejects into field errors. Of many, the first are explained, one more than a reply
 * has.
 */
export function fieldErrors(schema: z.core.$ZodType, issues: readonly Issue[], value: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const error of explainAll(schema, issues, value)) {
    errors.push(error);
    if (hasEnough(errors)) break;
  }
  const unknown = errors.filter(({ code }) => code === 'UNKNOWN_FIELD');
  const isSent = (error: FieldError): boolean =>
    isMissing(error) &&
    (errors.some((one) => one !== error && one.code !== 'MISSING' && sends(one, error)) ||
      unknown.some((one) => tellsHowToFind(one, error)) ||
      // Other fields say which jobs are meant.
      (error.field === '/jobId' && unknown.some((one) => OF_JOBS.test(one.field))));
  // A cut with an unknown field has neither "keep" nor "remove", which the fix of that field sends.
  const isCutAlone = ({ field, code }: FieldError): boolean =>
    code === 'INVALID' && field.endsWith('/cut') && unknown.some((one) => one.field.startsWith(`${field}/`));
  return errors.filter((error) => !isSent(error) && !isCutAlone(error));
}

const OF_JOBS = /^\/(?:batch(?:_?(?:id|name))?|job_?ids|status|state|job_?status)$/i;

function* explainAll(schema: z.core.$ZodType, issues: readonly Issue[], value: unknown): Generator<FieldError> {
  const ofType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [pointer(path)] : [])));
  for (const issue of issues) {
    // The length of a text in place of a list says nothing.
    const isLength = issue.code === 'too_big' || issue.code === 'too_small';
    if (!isLength || !ofType.has(pointer(issue.path))) yield* explain(schema, issue, issue.path, value);
  }
}

/** Whether a field is missing, or only switched on: `true` in place of an object. */
const isMissing = ({ code, fix }: FieldError): boolean => code === 'MISSING' || isEmpty(valueSentBy(fix));

const isEmpty = (value: unknown): boolean => isMembers(value) && Object.keys(value).length === 0;

/** Whether the fix of an error sends the missing field too, or gives another field its name. */
function sends(error: FieldError, { field }: FieldError): boolean {
  const parent = parentOf(field);
  return sentMembers(error).some(
    ({ name, place }) =>
      // Without both of "input" and "inputs", the error is about "input".
      [name, name.replace(/s$/, '')].includes(field.slice(parent.length + 1)) &&
      (place === undefined ? parentOf(error.field) === parent : error.field.startsWith(`${parent}/`)),
  );
}

const parentOf = (field: string): string => field.slice(0, field.lastIndexOf('/'));

/** The members that the fix of an error sends, also those that it leaves to a choice. Empty if it is a text. */
export const sentMembers = ({ fix }: FieldError): readonly { readonly name: string; readonly place?: Place }[] =>
  (hasEdits(fix) ? fix.edits : []).flatMap((edit) => {
    if (edit.do === 'rename') return { name: edit.to };
    return (edit.do === 'send' || edit.do === 'add') && edit.name !== undefined
      ? { name: edit.name, ...(edit.in !== undefined && { place: edit.in }) }
      : [];
  });

/** What tells which value a missing field can have. */
const FINDS: Readonly<Record<string, readonly HintAction['do'][]>> = {
  '/input': ['list-files', 'list-jobs', 'list-outputs'],
  '/jobId': ['list-jobs', 'wait-for-batch'],
  '/jobIds': ['list-jobs', 'wait-for-batch'],
};

/** Whether the fix of an unknown field, which stands for a missing one, tells how to find what to send in the missing one. */
const tellsHowToFind = ({ fix = '' }: FieldError, { field }: FieldError): boolean =>
  typeof fix !== 'string' &&
  !hasEdits(fix) &&
  fix.some((part) => typeof part !== 'string' && FINDS[field]?.includes(part.do) === true);

/** Explains one issue. An error is made when it is asked for: an object can have a thousand unknown fields. */
function* explain(schema: z.core.$ZodType, issue: Issue, path: Path, root: unknown): Generator<FieldError> {
  const field = pointer(path);
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
      const fields = unknownFields(value, knownKeys(at), issue.keys, measured);
      for (const key of issue.keys)
        yield unknownField([...path, key], fields, misplacedFieldFix(schema, [...path, key], root));
      return;
    }
    case 'invalid_key':
      yield badName(field, String(path.at(-1)), issue.issues[0]);
      return;
    case 'too_small':
      yield issue.origin === 'number'
        ? {
            field,
            code: 'OUT_OF_RANGE',
            message: `${name} must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}, not ${String(value)}.`,
            fix: field.endsWith('/preset/version')
              ? leaveOut(undefined, 'the newest version is used then')
              : (fixOfField(field) ??
                fixOfShare(field, value) ??
                (issue.inclusive === false ? `Send more than ${issue.minimum}.` : limitFix(issue.minimum, 'more'))),
          }
        : { field, code: 'EMPTY', message: `${name} is empty.`, ...emptyFix(at) };
      return;
    case 'too_big':
      yield tooBig(field, name, issue, value, memberAt(root, path.slice(0, -1)));
      return;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      const near =
        typeof value === 'string' ? (meantChoice(value, allowed) ?? closestMatch(value, allowed)) : undefined;
      const choices = Array.isArray(value)
        ? value.map((one) => (allowed.includes(String(one)) ? String(one) : meantChoice(String(one), allowed)))
        : [];
      const fix =
        choices.length > 1 && !choices.includes(undefined)
          ? {
              fix: `It takes one. Call once for each: send ${JSON.stringify(choices[0])}, then ${choices
                .slice(1)
                .map((one) => JSON.stringify(one))
                .join(', ')}.`,
            }
          : near !== undefined
            ? {
                fix: isThereToo(near, path, root, allowed)
                  ? leaveOut(undefined, `${JSON.stringify(near)} measures it too`)
                  : sendValue(near),
              }
            : field.endsWith('/join')
              ? { fix: joinFix(value) }
              : {};
      yield { field, code: 'NOT_ALLOWED', message: `${name} must be one of ${allowed.join(', ')}.`, allowed, ...fix };
      return;
    }
    case 'custom': {
      const { code = 'INVALID', ...more } = (issue.params ?? {}) as { code?: string; fix?: Hint };
      // Fields under another name may say the format too.
      const output = code === 'MISSING' && field === '/output' && isMembers(root) ? exampleOutput(root) : undefined;
      const kept = keptWithoutRemoved(value);
      const both = kept && { message: `${name} has "keep" and "remove", and takes one of them.`, fix: kept };
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
      const fix = seconds === undefined ? sendExample(at) : { fix: sendValue(String(seconds)) };
      yield { field, code: 'INVALID_FORMAT', message: `${name} has an invalid format.`, ...fix };
    }
  }
}

/** Whether another element of the list of measurements, before this one or with its right name, means the same. */
const isThereToo = (near: string, path: Path, root: unknown, allowed: readonly string[]): boolean => {
  const list = path.at(-2) === 'measure' ? memberAt(root, path.slice(0, -1)) : undefined;
  return (
    Array.isArray(list) &&
    list.some(
      (one: unknown, at) => one === near || (at < Number(path.at(-1)) && meantChoice(String(one), allowed) === near),
    )
  );
};

/** The error about a list of filters as objects, at the first of them. undefined for other lists, and for filters that nobody knows. */
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
  const field = pointer(path.slice(0, -1));
  const message = `${nameOf(path)} must be a string, not an object.`;
  return {
    index,
    error: { field, code: 'WRONG_TYPE', message, fix: sendMember(option, text) },
  };
}

/** The fix for a way to join that there is not. A transition is that of each input. */
const joinFix = (value: unknown): Hint =>
  /fade|dissolve|transition|wipe/i.test(JSON.stringify(value) ?? '')
    ? 'Send "encode", and "crossfade" in each element of "inputs" after the first, in seconds: {"input": "b.mp4", "crossfade": "1"}.'
    : value === true || /^(?:true|yes|1|on)$/i.test(String(value))
      ? sendValue('encode')
      : orElse(sendValue('encode'), '"copy" for clips of one kind, which are not encoded again');

/** The error for a text that cannot be an id of a job or batch. */
function notAnId(field: string, name: string, value: unknown, known: readonly string[]): FieldError {
  const key = name.slice(1, -1);
  const isBatch = key === 'batchId';
  return {
    field,
    code: 'INVALID_FORMAT',
    message: `${JSON.stringify(String(value).slice(0, 60))} is not the id of a ${isBatch ? 'batch' : 'job'}, which is a UUID.`,
    fix: isBatch
      ? known.includes('jobIds')
        ? hint`Send the "batchId" that the reply to the batch has, or "jobIds": the ids of its jobs. For the ids: ${LIST_JOBS}.`
        : 'Send the "batchId" that the reply to the batch has.'
      : jobIdFix(key, value, known),
  };
}

function jobIdFix(key: string, value: unknown, known: readonly string[]): Hint {
  if (key.startsWith('after'))
    return isPlainFile(value)
      ? hint`Send the id of the job that writes it. For the jobs and their outputs: ${LIST_JOBS}.`
      : hint`Start the job before this one first, and send the "jobId" of its reply. For jobs that are started: ${LIST_JOBS}.`;
  if (isPlainFile(value) && known.includes('input')) return sendMember('input', value);
  if (/^batch/i.test(String(value)) && known.includes('batchId'))
    return 'Send "batchId" instead, which the reply to the batch has.';
  return jobIdsFix(key, value, known) ?? unfinishedJobsFix(key, value) ?? hint`Find the id of the job: ${LIST_JOBS}.`;
}

/** The error about a value of a wrong type: with the parts of a request that the value says as its fix. */
function withMeaning(error: FieldError, schema: z.core.$ZodType, path: Path, root: unknown): FieldError {
  // One description of another service, or the only one in a list.
  const group = path.lastIndexOf('parameters') + 1;
  const [name, parameters] = [String(path[group]), memberAt(root, path.slice(0, group))];
  const groups = group > 0 ? (groupsFix(name, parameters) ?? stepsInParameters(name, parameters)) : undefined;
  if (groups !== undefined) return { ...error, field: pointer(path.slice(0, group + 1)), fix: groups };
  const parts = partsFix(schema, path, root);
  if (parts !== undefined) return { ...error, fix: parts };
  return error;
}

/** The fix for a value of a wrong type that says parts of a request: options as words, settings in the output. undefined for others. */
function partsFix(schema: z.core.$ZodType, path: Path, root: unknown): Hint | undefined {
  const value = memberAt(root, path);
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const known = knownKeys(schemaAt(schema, parent));
  const body = memberAt(root, parent);
  const batch = path.length === 0 && Array.isArray(value) ? batchFix(value, knownKeys(schema)) : undefined;
  const jobs = batch ?? jobIdsFix(String(key), value, known);
  if (jobs !== undefined) return jobs;
  if (key === 'preset' && Array.isArray(value) && value.length > 1) return SEVERAL_RECIPES;
  const files = meantFiles(path, value, known) ?? meantCut(path, value);
  if (files !== undefined) return files;
  if (Array.isArray(value) && path.at(-2) === 'arguments' && path.at(-3) === 'preset')
    return topOf(String(key), value, memberAt(root, path.slice(0, -3))) ?? argumentListFix(String(key), value);
  const nested = path.at(-2) === 'parameters' ? nestedFix(pointer(path), String(key), value, root) : undefined;
  if (nested !== undefined) return nested;
  const [named, ...otherNames]: readonly unknown[] = key === 'preset' && Array.isArray(value) ? value : [];
  if (otherNames.length === 0 && (typeof named === 'string' || isMembers(named)))
    return sendMember('preset', typeof named === 'string' ? { name: named } : named);
  if (key === 'preset' && (typeof value === 'string' || typeof value === 'number')) {
    const fields = Object.entries(isMembers(body) ? body : {});
    const [beside, own] = fields.find(([one]) => RECIPE_ARGUMENTS.test(one)) ?? [];
    if (beside !== undefined)
      return presetFix(String(value), memberAt(body, ['parameters']), { key: beside, value: own });
    const sizes = fields.flatMap(([one, sent]) => renditionsFix(one, sent, body, ['preset']) ?? []);
    return (
      sizes.find((one) => memberSentBy(one, 'preset') !== undefined) ??
      presetFix(String(value), memberAt(body, ['parameters']), undefined)
    );
  }
  if (key === 'strict' && isCompliance(value)) {
    const unknown = Object.keys(isMembers(body) ? body : {}).filter((one) => !known.includes(one));
    return parametersFix(body, known, unknown) ?? sendMember('parameters', { strict: String(value) });
  }
  const foreign =
    path.length === 1 && /^(?:input|output)$/.test(String(key)) ? foreignFix(root, knownKeys(schema)) : undefined;
  if (foreign !== undefined) return foreign;
  const options = key === 'parameters' ? readOptions(value) : undefined;
  if (options !== undefined) return sendMember('parameters', options);
  const parts = key === 'output' ? outputObject(value, memberAt(body, ['parameters'])) : undefined;
  return parts && sendMembers(parts);
}

/** The fix for a list of recipes. */
const SEVERAL_RECIPES =
  'Send one of them, with what the other does as options in "parameters". Or send a request for each: the later one with the output of the earlier one as "input", and its job in "after".';

/** Values of ffmpeg's own option `strict`. The field of a request makes warnings errors. */
const COMPLIANCE = /^(?:-?[12]|experimental|unofficial|normal|very|strict)$/;

const isCompliance = (value: unknown): boolean => typeof value === 'string' && COMPLIANCE.test(value);

/** The fix for a list as an argument of a recipe: the times of a part, or one of several values. */
function argumentListFix(name: string, [first, second, ...others]: readonly unknown[]): Hint {
  const isRange = /^(?:range|trim|clip|cut|part|segment|time_?range|subclip)$/i.test(name);
  if (isRange && others.length === 0 && isScalar(first) && isScalar(second))
    return sendMember('arguments', { start: first, end: second });
  return isScalar(first)
    ? `An argument has one value: send one of them, such as ${JSON.stringify(first)}. Recipes such as "hls" and "mp4-ladder" make several sizes by themselves, with "top" for the largest.`
    : 'Send one value: a text, a number, true or false.';
}

/** Arguments of a recipe beside the recipe, by the names that people give them. */
const RECIPE_ARGUMENTS = /^(?:arguments|(?:preset|recipe)_?(?:arguments|args|params|parameters|options))$/i;

/** The fix for a list of requests as the body. undefined for the body of another operation. */
function batchFix(list: readonly unknown[], known: readonly string[]): Hint | undefined {
  const isBatch = known.includes('requests');
  if (!isBatch && !(known.includes('output') && known.includes('parameters'))) return undefined;
  const shown = JSON.stringify(list);
  // A URL may contain a password or a signature, which no reply shows.
  const isShown = shown.length <= MAX_LIST && !shown.includes(':/');
  if (isBatch && isShown) return sendValue({ requests: list });
  const body = isShown ? `{"requests": ${shown}}` : '{"requests": […]} with this list';
  return isBatch ? `Send ${body}.` : `Send several requests to POST ${ENDPOINTS.submitBatch.path}: ${body}.`;
}

/** A longer list is not repeated in a fix. */
const MAX_LIST = 1000;

/** The fix for a text as `preset`: an option of ffmpeg, beside the `parameters` of the request, or the name of a recipe. */
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

const sendExample = (schema: z.core.$ZodType | undefined): { fix?: string } => {
  const example = exampleOf(schema);
  return example === undefined ? {} : { fix: `Send, for example, ${JSON.stringify(example)}.` };
};

/** The fix for an empty value. For an option it has no example: the one in the schema belongs to some other option. */
const emptyFix = (schema: z.core.$ZodType | undefined): { fix?: Hint } =>
  typeNames(schema).join() === 'string,array'
    ? { fix: orElse(leaveOut(), 'send at least one value') }
    : sendExample(schema);

const missing = (field: string, name: string, schema: z.core.$ZodType | undefined): FieldError => {
  const example = exampleOf(schema);
  if (/\/jobId$/.test(field))
    return { field, code: 'MISSING', message: `${name} is missing.`, fix: hint`Find the id of the job: ${LIST_JOBS}.` };
  if (/\/encrypt\/keyUri$/.test(field))
    return {
      field,
      code: 'MISSING',
      message: `${name} is missing: where players get the key, which the service makes.`,
      fix: 'Send "keyUri": an http(s) URL, or a path relative to the playlist such as "film.key".',
    };
  const fix = example === undefined ? {} : { fix: `Send, for example, ${name}: ${JSON.stringify(example)}.` };
  return { field, code: 'MISSING', message: `${name} is missing.`, ...fix };
};

/** Calls a function when its result is asked for the first time. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/**
 * The unknown fields of one object, with the fixes that several of them share. `known`: the names of the fields that it may have.
 * `measured`: what the request measures, beside the settings of measurements.
 */
const unknownFields = (parent: unknown, known: readonly string[], unknown: readonly string[], measured: unknown) => ({
  parent,
  known,
  foreign: once(() => foreignFix(parent, known)),
  inSettings: once(() => settingsFix(parent, known, unknown, measured)),
  inArguments: once(() => argumentsFix(parent, known, unknown)),
  inParameters: once(() => parametersFix(parent, known, unknown)),
});

type UnknownFields = ReturnType<typeof unknownFields>;

/** The fix that sends the request which the body of another service means. It names what the request leaves out, which needs a choice. */
function foreignFix(parent: unknown, known: readonly string[]): Edits | undefined {
  if (!isMembers(parent) || !known.includes('parameters')) return undefined;
  if (!known.includes('preset')) return isOutputOfSeveral(known) ? foreignOutputFix(parent, known) : undefined;
  const fields = Object.entries(parent);
  const isForeign = fields.some(([name, value]) => typeof value === 'object' && !known.includes(name));
  // A text beside the objects is a file or a setting with a fix of its own.
  const hasParts = fields.some(
    ([name, value]) =>
      (typeof value === 'string' && !/^(?:public_id|format)$/.test(name) && !isWithoutMeaning(name)) ||
      /^(?:inputs|outputs|parameters|preset)$/.test(name) ||
      (/^(?:input|output)$/.test(name) && !isForeign),
  );
  // Other fields of a request here stay as they are.
  const foreign = fields.filter(([name]) => !known.includes(name) || /^(?:input|output|format)$/.test(name));
  const found = hasParts ? undefined : foreignRequest(Object.fromEntries(foreign));
  return found && sendWithUnread(found.request, found.unread);
}

/** Whether an object that may have these fields is an element of "outputs". */
const isOutputOfSeveral = (known: readonly string[]): boolean =>
  known.includes('output') && known.includes('parameters') && !known.includes('preset');

/** The fix for one of several outputs in the words of another service. */
function foreignOutputFix(parent: Readonly<Record<string, unknown>>, known: readonly string[]): Edits | undefined {
  const foreign = Object.entries(parent).filter(([name]) => !known.includes(name));
  if (!foreign.some(([, value]) => typeof value === 'object') || parent['parameters'] !== undefined) return undefined;
  const found = foreignRequest({ input: 'a.mp4', ...Object.fromEntries(foreign) });
  if (found === undefined) return undefined;
  const { output, parameters } = found.request;
  // Without a path of its own, it is one beside the input.
  const isNamed = output !== undefined && !output.startsWith('a');
  const own = parent['output'] === undefined && isNamed ? { output } : {};
  const request = { ...own, ...(parameters !== undefined && { parameters }) };
  return Object.keys(request).length === 0 ? undefined : sendWithUnread(request, found.unread);
}

/** The fix that sends a request, and names what it leaves out. */
const sendWithUnread = (request: MeantRequest, unread: readonly string[]): Edits => {
  const names = unread.slice(0, 8).map((one) => JSON.stringify(one.slice(0, 40)));
  const sent = sendMembers(request);
  return names.length === 0 ? sent : orElse(sent, `more options in "parameters": that leaves out ${names.join(', ')}`);
};

const FOREIGN_TEXT = /^(?:pipeline|code|script|python|snippet|launch|gst\w*|sox\w*|effects?|filters?)$/i;

/** The fix for a text in the language of another program. undefined for other texts. */
function foreignTextFix(key: string, value: unknown, parent: unknown, known: readonly string[]): Edits | undefined {
  const isText = FOREIGN_TEXT.test(key) || COMMAND.test(key.replaceAll(/[\s_-]/g, ''));
  if (!isText || !known.includes('parameters') || !known.includes('preset') || !isMembers(parent)) return undefined;
  const { parameters = {}, input, output } = parent;
  const own = isMembers(parameters) ? objectAsParameters(parameters) : undefined;
  const text = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : value;
  if (own === undefined || typeof text !== 'string' || text.includes('://')) return undefined;
  const whole = readForeignText(text);
  const steps = whole === undefined && /^effects?$/i.test(key) && text.length <= 200 ? readSteps(text) : undefined;
  const read = whole ?? (steps !== undefined && Object.keys(steps.parameters).length > 0 ? steps : undefined);
  if (read === undefined) return undefined;
  const options = { ...own, ...read.parameters };
  const files = whole && {
    ...(input === undefined && whole.input !== undefined && { input: whole.input }),
    ...(output === undefined && { output: whole.output ?? outputBeside(whole.input ?? '', undefined) }),
  };
  return sendWithUnread({ ...files, ...(Object.keys(options).length > 0 && { parameters: options }) }, read.unread);
}

/**
 * The fix for a field of another service's request. If an object beside the field has the fix of the whole request, the field is left out:
 * that object is "input" or "output" or, if the field is a text, an unknown field.
 */
function foreignPart({ foreign, parent, known }: UnknownFields, isText: boolean): Edits | undefined {
  const objects = Object.entries(isMembers(parent) ? parent : {}).flatMap(([name, one]) =>
    isMembers(one) ? name : [],
  );
  const other =
    objects.find((name) => /^(?:output|input)$/.test(name)) ??
    (isText ? objects.find((name) => !known.includes(name)) : undefined);
  return foreign() !== undefined && other !== undefined
    ? leaveOut(undefined, `the fix of "${other}" has what it says`)
    : foreign();
}

/** The error for an unknown field. `misplaced`: the fix if it belongs elsewhere. */
function unknownField(path: Path, fields: UnknownFields, misplaced: Hint | undefined): FieldError {
  const { parent, known } = fields;
  const key = String(path.at(-1));
  const value = memberAt(parent, [key]);
  const ofCut = misplaced ?? cutFieldFix(key, value, parent, known) ?? cutOfRanges(key, value, parent, known);
  const near = ofCut === undefined ? (meantField(key, known) ?? closestMatch(key, known)) : undefined;
  return {
    field: pointer(path),
    code: 'UNKNOWN_FIELD',
    message: `Unknown field ${nameOf(path)}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    allowed: known,
    fix:
      ofCut ??
      filesOfCommandFix(key, value, parent) ??
      recipeOfOutputFix(key, value, known) ??
      outputOfJobFix(key, value, known) ??
      previewFieldFix(key, parent, known) ??
      jobIdsFix(key, value, known) ??
      idFix(key, value, near, known) ??
      eachFix(key, known) ??
      encryptFix(key, value, known) ??
      probeOptionFix(key, known) ??
      measurementFix(key, parent, known) ??
      capabilityFix(key, value, parent, known) ??
      crossfadeFix(key, value, parent, known) ??
      mediaFieldFix(key, value, parent, known) ??
      chaptersFix(key, value, known) ??
      tagsFix(key, value, parent, known) ??
      labelFix(key, value, parent, known) ??
      streamingFix(value, parent, known) ??
      renditionsFix(key, value, parent, known) ??
      recipeFix(key, value, known) ??
      fields.inSettings() ??
      (typeof value === 'object' || isOutputOfSeveral(known) || isWithoutMeaning(key)
        ? foreignPart(fields, typeof value === 'string' && !isOutputOfSeveral(known))
        : undefined) ??
      foreignTextFix(key, value, parent, known) ??
      argumentsBesideFix(key, value, parent, known) ??
      (near === undefined ? splitFix(key, value, parent, known) : undefined) ??
      meantParts(key, value, near, fields) ??
      (near === undefined ? fields.inArguments() : undefined) ??
      fixForField(key, value, near, parent, known),
  };
}

/** The fix for the id of a job or a batch under another name. undefined for other fields. */
function idFix(key: string, value: unknown, near: string | undefined, known: readonly string[]): Hint | undefined {
  const isId = typeof value === 'string' && isUuid(value);
  const isOfJobs =
    (known.includes('jobId') && !known.includes('jobIds')) ||
    (isId && known.includes('status') && known.includes('cursor'));
  if (/^batch(?:_?id)?$/i.test(key) && isOfJobs && !known.includes('batchId'))
    return hint`It is the id of a batch, which has several jobs: ${{ do: 'wait-for-batch', ...(isId && { batchId: value }) }}.`;
  if (near !== 'jobId') return undefined;
  return isId
    ? sendMember('jobId', value)
    : hint`Send "jobId": the id of a job, which is a UUID. For the ids: ${LIST_JOBS}.`;
}

/** What other services call the id of a file. */
const FILE_ID = /^(?:uploads?|files?|assets?|media|attachments?)_?ids?$/i;

/** The fix for a job or an upload in place of a file: the outputs of a job are files, and an upload has a path. */
function outputOfJobFix(key: string, value: unknown, known: readonly string[]): Hint | undefined {
  if (FILE_ID.test(key) && known.includes('input'))
    return isPlainFile(value)
      ? sendMember('input', value)
      : hint`Files have paths, and no ids: send "input" with the path of the upload. For your files: ${{ do: 'list-files' }}.`;
  if (!/^job_?ids?$/i.test(key) || !known.includes('input')) return undefined;
  const jobId = typeof value === 'string' && isUuid(value) ? value : undefined;
  return jobId === undefined
    ? hint`Send "input": the path of an output. For the jobs and their outputs: ${LIST_JOBS}.`
    : hint`Send "input": the path of an output. For the outputs of the job: ${{ do: 'list-outputs', jobId }}.`;
}

/** The fix for the kind of a capability as the name of the field: `{"filter": "scale"}`. */
function capabilityFix(key: string, value: unknown, parent: unknown, known: readonly string[]): Edits | undefined {
  if (!known.includes('kind') || !known.includes('use') || typeof value !== 'string' || !isMembers(parent))
    return undefined;
  const isKind = /^(?:type|category)$/i.test(key);
  const kind = capabilityKind(isKind ? value : key);
  if (kind === undefined) return undefined;
  if (isKind) return sendMember('kind', kind);
  const { kind: sentKind = 'options', ...others } = parent;
  const isAskedFor = (one: string): boolean =>
    capabilityKind(one) === 'options' || /^(?:name|query)$/.test(meantField(one, known) ?? one);
  // Beside the name of an option or a query for options, it is the encoder, filter or format that has the option.
  const isOwner = sentKind === 'options' && (parent['kind'] !== undefined || Object.keys(others).some(isAskedFor));
  return kind !== 'options' && isOwner ? sendMember('of', value) : sendMembers({ kind, name: value });
}

/** The kind of capabilities that a word means. */
const capabilityKind = (word: string): string | undefined => {
  const kinds = ['formats', 'codecs', 'filters', 'options'];
  const plain = word.toLowerCase();
  return kinds.find((one) => one === plain || one === `${plain}s`) ?? meantChoice(word, kinds);
};

/** The fix for an option of ffprobe. */
function probeOptionFix(key: string, known: readonly string[]): Hint | undefined {
  if (!isProbeOption(key) || !known.includes('input')) return undefined;
  return known.includes('output') ? OF_FFPROBE : leaveOut();
}

/** The fix for "each" in a conversion that is not in a batch. */
const eachFix = (key: string, known: readonly string[]): string | undefined =>
  key === 'each' && known.includes('output') && known.includes('parameters')
    ? `Send the request to POST ${ENDPOINTS.submitBatch.path}, as one of "requests": "each" makes several jobs.`
    : undefined;

/**
 * The fix for a field that names the key or the method of the encryption: the service sets both. A URL in such a field is meant as "keyUri".
 */
const encryptFix = (key: string, value: unknown, known: readonly string[]): Edits | undefined => {
  if (!known.includes('keyUri')) return undefined;
  const isUri = typeof value === 'string' && /^https?:/i.test(value);
  if (/key/i.test(key) && isUri) return rename('keyUri');
  if (meantField(key, ['keyUri']) !== undefined) return undefined;
  if (!known.includes('key'))
    return leaveOut(
      undefined,
      'the service encrypts with AES-128, and makes the key and the initialization vector itself',
    );
  return /method|type|mode|cipher|algorithm/i.test(key)
    ? leaveOut(undefined, 'segments are encrypted with AES-128')
    : undefined;
};

/** The fix for a recipe of one of several outputs. */
const recipeOfOutputFix = (key: string, value: unknown, known: readonly string[]): string | undefined =>
  /^(?:preset|recipe)$/.test(key) &&
  !known.includes('preset') &&
  known.includes('parameters') &&
  known.includes('output') &&
  !isEncoderPreset(String(value))
    ? 'A recipe is for the whole request: send one request for each recipe, with "output" instead of "outputs", and "preset" beside it.'
    : undefined;

/** The fix for chapters in the request: they come from a file. */
const chaptersFix = (key: string, value: unknown, known: readonly string[]): string | undefined =>
  /^(?:chapters?|chapter_?(?:list|marks?|markers?))$/i.test(key) &&
  typeof value === 'object' &&
  known.includes('inputs')
    ? 'Chapters come from a file in the format FFMETADATA. Upload one, send it as the last of "inputs" ({"input": "chapters.txt", "parameters": {"f": "ffmetadata"}}), and send "map": "0" and "map_chapters": its number, such as "1", in "parameters".'
    : undefined;

/** The fix for tags of the output beside "parameters". */
function tagsFix(key: string, value: unknown, parent: unknown, known: readonly string[]): Edits | undefined {
  if (!TAGS.test(key) || !known.includes('parameters') || !isMembers(value)) return undefined;
  const parameters = objectAsParameters(memberAt(parent, ['parameters']) ?? {});
  const tags = parameters && withTags(parameters['metadata'], value);
  return tags && sendMember('parameters', { ...parameters, metadata: tags.map(String) });
}

/** The manifests of streaming, and the option for the length of a segment. */
const STREAMING: Readonly<Record<string, readonly [name: string, seconds: string]>> = {
  hls: ['index.m3u8', 'hls_time'],
  dash: ['index.mpd', 'seg_duration'],
};

/** The fix for the settings of a stream in an object of another service: `{"type": "HLS", "segmentDuration": 6}`. */
function streamingFix(value: unknown, parent: unknown, known: readonly string[]): Edits | undefined {
  if (!isMembers(value) || !known.includes('preset') || !isMembers(parent)) return undefined;
  const entries = Object.entries(value);
  const named = entries.find(([, one]) => typeof one === 'string' && Object.hasOwn(STREAMING, one.toLowerCase()))?.[1];
  const [manifest, option] = STREAMING[String(named).toLowerCase()] ?? [];
  if (manifest === undefined || option === undefined) return undefined;
  const seconds = entries.find(
    ([key, one]) => /^segment_?(?:duration|length|seconds|time)$/i.test(key) && isScalar(one),
  );
  const { output = '', parameters } = parent;
  const folder = typeof output === 'string' ? folderOf(output) : '';
  const options = {
    ...objectAsParameters(parameters),
    ...(seconds && { [option]: String(Number.parseFloat(String(seconds[1]))) }),
    ...(option === 'hls_time' && { hls_playlist_type: 'vod' }),
  };
  return sendMembers({ output: `${folder}${manifest}`, parameters: options });
}

/** The fix for a recipe under another name. */
function recipeFix(key: string, value: unknown, known: readonly string[]): Edits | undefined {
  if (
    !/^(?:recipe|preset_?name|recipe_?name|template|profile_?name|use_?preset)$/i.test(key) ||
    !known.includes('preset')
  )
    return undefined;
  const preset = typeof value === 'string' && value !== '' ? { name: value } : isMembers(value) ? value : undefined;
  return preset && sendMember('preset', preset);
}

/** The fix for "arguments" beside a recipe instead of in it. */
function argumentsBesideFix(key: string, value: unknown, parent: unknown, known: readonly string[]): Edits | undefined {
  if (!RECIPE_ARGUMENTS.test(key) || !known.includes('preset')) return undefined;
  const preset = memberAt(parent, ['preset']);
  // The error about the text says it.
  if (typeof preset === 'string') return leaveOut(undefined, 'it belongs into "preset"');
  if (typeof preset !== 'object' || preset === null) return undefined;
  return withMore(sendMember('preset', { ...preset, arguments: value }), { do: 'remove', name: key });
}

/** Names that people give the arguments of a recipe, in the object that has its name. */
const ARGUMENTS = /^(?:parameters|params|args|options|opts|settings|values|variables|overrides|config)$/i;

/** The fix for arguments of a recipe beside "arguments", or under another name. */
function argumentsFix(parent: unknown, known: readonly string[], unknown: readonly string[]): Edits | undefined {
  if (!known.includes('arguments') || typeof parent !== 'object' || parent === null) return undefined;
  const own = memberAt(parent, ['arguments']);
  const sent = unknown
    .filter((name) => meantField(name, known) === undefined)
    .flatMap((name): readonly (readonly [string, unknown])[] => {
      const value = memberAt(parent, [name]);
      return ARGUMENTS.test(name) && isMembers(value) ? Object.entries(value) : [[name, value]];
    });
  const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  if (!sent.every(([, value]) => isValue(value)) || (own !== undefined && typeof own !== 'object')) return undefined;
  return sendMember('arguments', { ...own, ...Object.fromEntries(sent) });
}

/** Names that people give the only measurement of a call. */
const MEASUREMENT = /^(?:type|kind|mode|analysis_?type|what|filter|operation|action|detect)$/i;

/** The measurement that a field under another name says. undefined for other fields and values. */
function measuredKind(key: string, parent: unknown): Measurement | undefined {
  const value = memberAt(parent, [key]);
  if (!MEASUREMENT.test(key) || typeof value !== 'string' || memberAt(parent, ['measure']) !== undefined)
    return undefined;
  return (
    MEASUREMENTS.find((one) => one === value.toLowerCase()) ??
    (meantChoice(value, MEASUREMENTS) as Measurement | undefined)
  );
}

/** The fix for settings of measurements beside "settings", of the measurements that the request has: `{"noise": "-30dB"}`. */
function measurementFix(key: string, parent: unknown, known: readonly string[]): Edits | undefined {
  if (!known.includes('measure') || !known.includes('settings')) return undefined;
  const kind = measuredKind(key, parent);
  if (kind !== undefined) return sendMember('measure', [kind]);
  const named = Object.keys(isMembers(parent) ? parent : {}).flatMap((name) => measuredKind(name, parent) ?? []);
  const measured: unknown = memberAt(parent, ['measure']) ?? (named.length > 0 ? named : undefined);
  if (!Array.isArray(measured)) return undefined;
  const meant = measured.map((one) => meantChoice(String(one), MEASUREMENTS) ?? one);
  const groups = Object.entries(settings.shape).filter(([group]) => meant.includes(group));
  const settingOf = (own: readonly string[], sent: string): Readonly<Record<string, unknown>> => {
    const name = own.includes(sent) ? sent : meantField(sent, own);
    const value = name === undefined ? undefined : renamedValue(name, memberAt(parent, [sent]));
    return name === undefined || value === undefined ? {} : { [name]: value };
  };
  const beside = Object.keys(isMembers(parent) ? parent : {}).filter((one) => !known.includes(one));
  const found = groups.flatMap(([group, schema]) => {
    const own = Object.keys(schema.unwrap().shape);
    if (Object.keys(settingOf(own, key)).length === 0) return [];
    // Each of several unknown fields gets the settings of all: one replaces the other.
    return [{ [group]: Object.assign({}, ...beside.map((one) => settingOf(own, one))) as object }];
  });
  const [only, ...others] = found;
  if (only !== undefined) return others.length === 0 ? sendMember('settings', only) : undefined;
  const [group, schema] = groups[0] ?? [];
  const value: unknown = memberAt(parent, [key]);
  if (groups.length !== 1 || schema === undefined || typeof value !== 'number' || !/threshold|limit|level/i.test(key))
    return undefined;
  const own = Object.keys(schema.unwrap().shape).flatMap((one) => (/Seconds$/.test(one) ? [] : [JSON.stringify(one)]));
  return orElse(leaveOut(), `send it in "settings" of "${group}" under the name that is meant: ${own.join(', ')}`);
}

/**
 * The fix for settings of measurements that do not say of which: `{"noiseDb": -30}` for `{"silence": {"noiseDb": -30}}`. They are those of
 * the groups that are there, or of what the request measures.
 */
function settingsFix(
  parent: unknown,
  known: readonly string[],
  unknown: readonly string[],
  measured: unknown,
): Edits | undefined {
  const wanted = (Array.isArray(measured) ? measured : []).map((one) => meantChoice(String(one), MEASUREMENTS) ?? one);
  const present = known.filter((group) => memberAt(parent, [group]) !== undefined);
  const named = present.length > 0 ? present : known.filter((group) => wanted.includes(group));
  const sent = Object.entries(settings.shape).flatMap(([group, schema]) => {
    if (!known.includes(group) || (named.length > 0 && !named.includes(group))) return [];
    const own = Object.keys(schema.unwrap().shape);
    const meant = unknown.map((name) => (own.includes(name) ? name : meantField(name, own)));
    if (meant.includes(undefined)) return [];
    const values = unknown.map((name, at) => [meant[at], renamedValue(meant[at] ?? '', memberAt(parent, [name]))]);
    const before = memberAt(parent, [group]);
    const all = { ...(isMembers(before) && before), ...(Object.fromEntries(values) as object) };
    return [[group, all] as const];
  });
  const [only, ...others] = sent;
  if (only === undefined) return undefined;
  if (others.length === 0)
    return present.length === 0 && wanted.length > 0
      ? sendMember('settings', { [only[0]]: only[1] })
      : sendMember(...only);
  const choices = others.map(([group, all]) => `${JSON.stringify(group)}: ${JSON.stringify(all)}`);
  return orElse(sendMember(...only), choices.join(' or '));
}

/** Whether these are the settings of one measurement. */
const isSettings = (known: readonly string[]): boolean =>
  Object.values(settings.shape).some((schema) => Object.keys(schema.unwrap().shape).join() === known.join());

const COMMAND = /^(?:command|cmd|commandline|ffmpeg|ffmpegcommand|exec|run)$/i;

const FILES_OF_COMMAND = /^(?:input|output)_?files$/i;

/** A command with its files in place of their names in braces: `-i {{in_1}}` beside `{"input_files": {"in_1": "a.mp4"}}`. */
const withFiles = (command: string, parent: object): string => {
  const files = Object.entries(parent).flatMap(([key, one]) =>
    FILES_OF_COMMAND.test(key) && isMembers(one) ? Object.entries(one) : [],
  );
  return files.reduce(
    (text, [name, path]) => (typeof path === 'string' ? text.replaceAll(`{{${name}}}`, path) : text),
    command,
  );
};

/** The fix for the files of a command, which names them in braces. */
const filesOfCommandFix = (key: string, value: unknown, parent: unknown): Edits | undefined =>
  FILES_OF_COMMAND.test(key) &&
  isMembers(value) &&
  isMembers(parent) &&
  Object.keys(value).every((name) =>
    Object.values(parent).some((one) => typeof one === 'string' && one.includes(`{{${name}}}`)),
  )
    ? leaveOut(undefined, 'the command has these files')
    : undefined;

/** The fix for a field that says parts of a request otherwise: a whole command, or options outside "parameters". */
function meantParts(key: string, value: unknown, near: string | undefined, fields: UnknownFields): Hint | undefined {
  const { parent, known } = fields;
  if (!known.includes('parameters') || typeof parent !== 'object' || parent === null) return undefined;
  if (COMMAND.test(key.replaceAll(/[\s_-]/g, '')) && typeof value === 'string') {
    const text = withFiles(value, parent);
    const options = readOptions(text.replace(/^\s*ffmpeg\s/, ''));
    // An element of "inputs" has no other files.
    const request =
      (isOfInput(known) ? undefined : readCommand(text)) ??
      (Object.hasOwn(parent, 'parameters') ? undefined : options && { parameters: options });
    // A request has one of them.
    const other = request?.outputs !== undefined && Object.hasOwn(parent, 'output');
    const sent = request && sendMembers(request);
    return sent && other ? withMore(sent, { do: 'remove', name: 'output' }) : sent;
  }
  if (near === 'parameters') {
    if (Object.hasOwn(parent, near)) return undefined;
    const options = readOptions(value) ?? objectAsParameters(value);
    if (JSON.stringify(options) === JSON.stringify(value)) return undefined;
    return options && sendMember('parameters', options);
  }
  if (near !== undefined || CALLBACK.test(key)) return undefined;
  const advice = isScalar(value) ? optionAdvice(key, String(value)) : undefined;
  if (advice !== undefined) return hasEdits(advice) ? advice : `${advice} Options belong in "parameters".`;
  const options = fieldsAsParameters({ [key]: value }, [key], { keepsWords: true });
  if (options === undefined && !isOfSize(key, parent)) return undefined;
  const names = Object.keys(options ?? {});
  if (isOfInput(known) && names.length > 0 && names.every((one) => OF_OUTPUT.test(one)))
    return {
      edits: Object.entries(options ?? {}).map(([name, one]) => ({ do: 'send', name, value: one, in: 'parameters' })),
    };
  return contradictionFix(options ?? {}, memberAt(parent, ['parameters'])) ?? fields.inParameters();
}

/** Whether an object that may have these fields is an element of "inputs". */
const isOfInput = (known: readonly string[]): boolean => known.includes('source') && known.includes('crossfade');

/** Options that no input has. */
const OF_OUTPUT =
  /^(?:map|map_metadata|map_chapters|metadata|disposition|crf|preset|tune|vf|af|filter|filter_complex|movflags|shortest|maxrate|bufsize|b|q|qscale|frames)(?::|$)/;

/** Whether a field means an option only together with others: the sides of a picture, and how it fits into them. */
const isOfSize = (key: string, parent: object): boolean =>
  /^(?:w|h|width|height|strict)$/i.test(key) ||
  (FIT_NAME.test(key) && fittedSizeOf(parent as Readonly<Record<string, unknown>>) !== undefined);

const isScalar = (value: unknown): value is string | number | boolean =>
  /^(?:string|number|boolean)$/.test(typeof value);

/** The fix for options of ffmpeg, or words of other tools for them, outside "parameters". */
function parametersFix(parent: unknown, known: readonly string[], unknown: readonly string[]): Hint | undefined {
  // Names of other fields have fixes of their own.
  const isElsewhere = (one: string): boolean => isOfInput(known) && OF_OUTPUT.test(one);
  const others = unknown.filter(
    (one) => meantField(one, known) === undefined && !CALLBACK.test(one) && !isElsewhere(one),
  );
  const misplaced = isCompliance(memberAt(parent, ['strict'])) ? ['strict'] : [];
  const fields = parent as Readonly<Record<string, unknown>>;
  const optionsOf = (names: readonly string[]) => fieldsAsParameters(fields, names, { keepsWords: true });
  // Of several fields, some may be no options.
  const parameters =
    optionsOf([...others, ...misplaced]) ??
    optionsOf([...others.filter((one) => optionsOf([one]) !== undefined), ...misplaced]);
  if (parameters === undefined) return contradictoryFields(others, optionsOf);
  const sent = memberAt(parent, ['parameters']) ?? {};
  const { r: rate, ...rest } = parameters;
  // Pictures have no rate of their own: at the output, the option would drop most of them.
  if (
    typeof fields['input'] === 'string' &&
    SEQUENCE.test(fields['input']) &&
    PICTURES.test(fields['input']) &&
    typeof rate === 'string' &&
    !Object.hasOwn(sent, 'r')
  )
    return sendMember('parameters', { ...rest, framerate: rate });
  const added = Object.entries(parameters).filter(([name]) => !Object.hasOwn(sent, name));
  const advice = new Set(added.flatMap(([name, value]) => fixText(adviceFor(name, value)) ?? []));
  if (advice.size === 0)
    return Object.keys(parameters).length === 0 ? leaveOut() : sendMember('parameters', parameters);
  // What needs a choice would be rejected there.
  const clear = added.filter(([name, value]) => adviceFor(name, value) === undefined);
  const own = { ...sent, ...Object.fromEntries(clear) };
  return [...(clear.length === 0 ? [] : [editsText(sendMember('parameters', own))]), ...advice].join(' ');
}

/** A wildcard or a counter in the name of pictures. */
const SEQUENCE = /[*?]|%\d{0,9}d/;

/** The fix for two fields that mean one option, with different values: `fps` and `framerate`. */
function contradictoryFields(
  names: readonly string[],
  optionsOf: (names: readonly string[]) => Readonly<Record<string, unknown>> | undefined,
): Edits | undefined {
  const seen = new Map<string, readonly [name: string, value: unknown]>();
  for (const name of names)
    for (const [option, value] of Object.entries(optionsOf([name]) ?? {})) {
      const before = seen.get(option);
      if (before !== undefined && !/^[va]f$/.test(option) && before[0] !== name && before[1] !== value) {
        return {
          ...orElse(sendMember('parameters', { [option]: before[1] }), JSON.stringify({ [option]: value })),
          note: `${JSON.stringify(before[0])} and ${JSON.stringify(name)} contradict each other.`,
        };
      }
      seen.set(option, [name, value]);
    }
  return undefined;
}

/** What to choose for an option of other tools. undefined for options whose values are clear. */
const adviceFor = (name: string, value: unknown): Edits | string | undefined =>
  meansQuality(name) && !CRF.test(String(value)) ? QUALITY_ADVICE : optionAdvice(name, String(value));

/** A number on the scale of H.264. */
const CRF = /^(?:[0-4]?\d|5[01])$/;

const QUALITY_ADVICE =
  'Send the quality as an option of the encoder, such as "parameters": {"crf": "23"} for H.264, where 18 is better and 28 smaller, or "b:a": "192k" for sound.';

/** The fix for a word that means a URL to which the end of the job is sent. */
function callbackFix(value: unknown, parent: unknown, known: readonly string[]): Hint {
  if (typeof value === 'string' && MAIL.test(value)) return NO_MAIL;
  if (!known.includes('callbackUrl') || memberAt(parent, ['callbackUrl']) !== undefined) return leaveOut();
  if (typeof value === 'string' && /^https?:\/\//i.test(value)) return sendMember('callbackUrl', value);
  return orElse(leaveOut(), 'send "callbackUrl" with an http(s) URL to which the end of the job is sent');
}

/** Words for the removal of files. */
const REMOVAL = /^(?:delete|remove|clean_?up|purge|discard)/i;

/** Words that ask for the files in subfolders too. */
const SUBFOLDERS = /^(?:recurs|sub_?(?:folder|dir)|include_?sub|deep|depth|max_?depth)/i;

/** Words for a folder whose files are listed. */
const FOLDER = /^(?:path|folder|dir|directory|root)$/i;

const CALLBACK = /^(?:web_?hook|call_?back|notif|on_?(?:complete|success|error|done))/i;

function fixForField(
  key: string,
  value: unknown,
  near: string | undefined,
  parent: unknown,
  known: readonly string[],
): Hint {
  if (near === undefined && /^dry_?run$/i.test(key) && known.includes('output') && known.includes('parameters'))
    return `Leave it out, and send it in the query: POST ${ENDPOINTS.submitConversion.path}?dryRun=true.`;
  if (CALLBACK.test(key)) return callbackFix(value, parent, known);
  if (/^(?:remove|trim|cut|strip|delete)_?silences?$|^silence_?remov/i.test(key) && known.includes('cut'))
    return sendMember('cut', { remove: { silence: {} } });
  if (near === undefined && REMOVAL.test(key) && known.includes('expiresAfterSeconds'))
    return {
      ...orElse(leaveOut(), 'send "expiresAfterSeconds": 86400 to remove the outputs later'),
      note: 'A conversion never removes its inputs.',
    };
  if (near === undefined && known.includes('parameters') && meansQuality(key)) return QUALITY_ADVICE;
  if (UPLOAD_FOLDER.test(key) && known.includes('maxBytes')) return leaveOut(undefined, 'the folder is part of "path"');
  if (near === undefined && /^(?:out|output|target|dest|destination)_?(?:dir|directory|folder)$/i.test(key))
    return leaveOut(undefined, 'the folder is part of "output", such as "movies/out.mp4"');
  const own = near === undefined ? settingsOf(key, value, parent, known) : undefined;
  if (own !== undefined) return own;
  if (near === undefined && known.includes('preset'))
    return hint`Leave it out. If it is an option of ffmpeg, it belongs in "parameters". For a usual task, find a recipe: ${{ do: 'find-recipe' }}.`;
  if (near === undefined && known.includes('prefix'))
    return SUBFOLDERS.test(key)
      ? leaveOut(undefined, 'one folder is listed at a time; for a folder in it, send its path as "prefix"')
      : leaveOut(undefined, 'files are selected by "prefix", the beginning of the paths, and listed by name');
  if (near === undefined && known.join() === 'input,parameters')
    return leaveOut(undefined, 'all streams, chapters and tags of the file are reported');
  if (near === undefined && isSettings(known))
    return orElse(leaveOut(), `send one of these settings: ${known.map((one) => JSON.stringify(one)).join(', ')}`);
  if (near === undefined)
    return known.includes('parameters')
      ? orElse(leaveOut(), 'send it in "parameters" if it is an option of ffmpeg')
      : leaveOut();
  if (memberAt(parent, [near]) !== undefined) return alreadySet(near);
  const [folder, pattern] = typeof value === 'string' ? [folderOf(value), value.slice(folderOf(value).length)] : [];
  if (near === 'prefix' && folder !== undefined && /[*?[\]{}]/.test(pattern ?? ''))
    return folder === ''
      ? leaveOut(undefined, 'without "prefix", what is in the media root is listed')
      : sendMember('prefix', folder);
  if (near === 'prefix' && typeof value === 'string' && FOLDER.test(key) && !/[*?[\]{}]/.test(value))
    return sendMember('prefix', /^[./]*$/.test(value) ? '' : value.endsWith('/') ? value : `${value}/`);
  if (near === 'outputs' || (near === 'output' && Array.isArray(value)))
    return (
      outputsFix(value, known) ??
      (Array.isArray(value) ? rename('outputs') : sendMember('outputs', [{ output: 'movies/out.mp4' }]))
    );
  if (near === 'parameters' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return 'Send, for example, "parameters": {"c:v": "libx264", "crf": "23"}.';
  if (near === 'input' && Array.isArray(value))
    return known.includes('inputs')
      ? rename('inputs')
      : (meantFiles([near], value, known) ?? 'Send one path as "input".');
  if (near === 'inputs' && typeof value === 'string')
    return pathsInText(value) === undefined ? rename('input') : (meantFiles([near], value, known) ?? rename('inputs'));
  const stored = near === 'path' && known.includes('maxBytes') ? storedPath(value, parent) : undefined;
  if (stored !== undefined) return sendMember('path', stored);
  const renamed =
    (near === 'output' ? outputOfFormat(value, parent) : undefined) ??
    (RENAMED.has(near) ? renamedValue(near, value) : undefined);
  return renamed === undefined ? rename(near) : sendMember(near, renamed);
}

/** Words for the folder of an upload. */
const UPLOAD_FOLDER = /^(?:(?:target|dest|destination|upload)_?)?(?:dir|directory|folder)$/i;

/** The path for a file of another machine: its name, in the folder that is sent in a field of its own. undefined for other paths. */
function storedPath(value: unknown, parent: unknown): string | undefined {
  if (typeof value !== 'string' || !isMembers(parent)) return undefined;
  const [, folder] = Object.entries(parent).find(([key]) => UPLOAD_FOLDER.test(key)) ?? [];
  const name = lastPart(value);
  const inFolder = typeof folder === 'string' ? `${folder.replace(/\/{0,9}$/, '/')}${name}` : name;
  return typeof folder === 'string' || plainPath(value) !== value ? inFolder : undefined;
}

/** Extensions that people send as what a file becomes: `{"file": "talk.wav", "to": "mp3"}`. */
const EXTENSION = /^\.?(?:mp[34]|m4[av]|mkv|mov|webm|avi|gif|wav|flac|ogg|opus|aac|jpe?g|png|webp)$/i;

/** The output beside the input, for a format in its place. undefined for other values. */
function outputOfFormat(value: unknown, parent: unknown): string | undefined {
  if (typeof value !== 'string' || !EXTENSION.test(value) || !isMembers(parent)) return undefined;
  const [, input] =
    Object.entries(parent).find(([key]) => key === 'input' || meantField(key, ['input']) !== undefined) ?? [];
  return isPlainFile(input) ? outputBeside(plainPath(input), value.toLowerCase()) : undefined;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Fields whose values have one meaning under any name. */
const RENAMED: ReadonlySet<string> = new Set(
  'input output path at timeoutSeconds noiseDb minSeconds crossfade name query columns rows'.split(' '),
);

/** A longer text is not repeated in a fix. */
const MAX_VALUE = 200;

/** The value of a field under another name: without units, without the folders of another machine, and within what the field allows. */
function renamedValue(near: string, value: unknown): unknown {
  if (near === 'crossfade' && isMembers(value))
    return renamedValue(near, value['seconds'] ?? value['duration'] ?? value['length']);
  if (typeof value === 'number') return near === 'timeoutSeconds' ? Math.min(value, MAX_CALL_WAIT_SECONDS) : value;
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE) return undefined;
  if (/^(?:input|output|path)$/.test(near)) return plainPath(value);
  if (/^(?:name|query)$/.test(near)) return value;
  const number = Number(/^(-?\d+(?:\.\d+)?) *(?:dB|s|sec|seconds)?$/i.exec(value)?.[1] ?? Number.NaN);
  if (!Number.isNaN(number)) return renamedValue(near, number);
  const [, hours = '0', minutes, seconds] = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  return near === 'at' && minutes !== undefined
    ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    : undefined;
}

/** A path in the media root, where another machine has it in a folder of its own. */
function plainPath(text: string): string {
  const path = parseMediaPath(text, '');
  const guess = typeof path === 'string' ? hostPath(text, path)?.guess : undefined;
  if (guess !== undefined) return guess;
  return foreignPath(text) === undefined ? text : lastPart(text);
}

/** The fix for settings of a picture in a step of other services, and for a recipe of one of several outputs. */
function settingsOf(key: string, value: unknown, parent: unknown, known: readonly string[]): Hint | undefined {
  if (!STEPS.test(key) || !known.includes('preset')) return undefined;
  const step = plainStep(stepOf(value));
  const parameters = objectAsParameters(memberAt(parent, ['parameters'])) ?? {};
  const all = step && fieldsAsParameters({ ...step, parameters }, Object.keys(step));
  if (all !== undefined && Object.keys(all).length > 0 && parameters['vf'] === undefined)
    return sendMember('parameters', all);
  const size = step && fittedSizeOf(step);
  if (step === undefined || size === undefined || parameters['vf'] !== undefined)
    return hint`Send what the steps do as options in "parameters", such as "vf": "scale=1280:-2", or as a recipe: ${{ do: 'find-recipe' }}.`;
  const rest = Object.fromEntries(
    Object.entries(step).flatMap(([name, one]) => (isOfFit(name) ? [] : [[STEP_TIMES[name] ?? name, one]])),
  );
  const others = fieldsAsParameters(rest, Object.keys(rest));
  return sendWithUnread(
    { parameters: { ...parameters, ...others, vf: size } },
    others === undefined ? Object.keys(rest) : [],
  );
}

/** The fix for "parameters" that has steps, as requests of other services have. */
function stepsInParameters(name: string, parameters: unknown): Hint | undefined {
  if (!STEPS.test(name) || !isMembers(parameters)) return undefined;
  const { [name]: value, ...others } = parameters;
  return settingsOf(name, value, { parameters: others }, ['preset']);
}

/** Whether `fittedSizeOf` reads a member of a step. */
const isOfFit = (name: string): boolean => /^(?:w|h|g|width|height|gravity)$/i.test(name) || FIT_NAME.test(name);

/** Steps that only bring files in or out. */
const TRANSFER = /^\/?(?:upload|import|export|s3|http|file|store)\b/i;

/** The settings of a step, also those in an object for ffmpeg, without its name and its place among the steps. */
function plainStep(step: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
  if (step === undefined) return undefined;
  const {
    robot,
    use: _use,
    result: _result,
    operation: _operation,
    preset,
    ffmpeg,
    ffmpeg_stack: _stack,
    ...rest
  } = step;
  // A preset of another service has settings that are not known here, unless it only names the container.
  const isContainer = robot !== undefined && EXTENSION.test(String(preset));
  return { ...(preset !== undefined && !isContainer && { preset }), ...rest, ...(isMembers(ffmpeg) ? ffmpeg : {}) };
}

/** Whether all settings of a step are automatic, such as `{"quality": "auto"}`. The defaults of the encoder apply then. */
const isChoiceOfService = (step: unknown): boolean =>
  isMembers(step) &&
  Object.entries(step).every(([key, one]) => /^(?:quality|(?:fetch_)?format)$/.test(key) && one === 'auto');

/** The only step of a conversion: of a list, an object with names, the step itself, or its text. */
function stepOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'string') return stepOfText(value);
  const every: readonly unknown[] = (
    Array.isArray(value) ? value : isMembers(value) ? Object.values(value) : []
  ).filter((one: unknown) => !isChoiceOfService(one));
  if (every.length > 0 && every.every((one) => Array.isArray(one) && one.length === 2 && typeof one[0] === 'string'))
    return Object.fromEntries(every as readonly (readonly [string, unknown])[]);
  const list = every.filter((one) => !isMembers(one) || !TRANSFER.test(String(one['robot'] ?? one['operation'] ?? '')));
  const [only, ...others] = list;
  if (typeof only === 'string' && Array.isArray(value) && others.length === 0) return stepOfText(only);
  if (isMembers(only)) return others.length === 0 ? only : undefined;
  return isMembers(value) ? value : undefined;
}

/** The fix for a change of scenes on the scale of the filter "select", which goes from 0 to 1. undefined for other numbers. */
function fixOfShare(field: string, value: unknown): string | undefined {
  if (!/\/scenes\/threshold$/.test(field) || typeof value !== 'number' || value <= 0) return undefined;
  return `If ${value} is a score of ffmpeg's "select", which goes to 1, send ${Number((value * 100).toPrecision(6))}. Else send a number from 1 to 100.`;
}

/** The fix for a number beyond a limit. */
const limitFix = (limit: number | bigint, others: 'less' | 'more'): Edits => ({
  ...sendValue(Number(limit)),
  or: others,
  isNearest: true,
});

function badName(field: string, key: string, inner: Issue | undefined): FieldError {
  if (inner?.code === 'too_big')
    return {
      field,
      code: 'TOO_LONG',
      message: `An option name is ${key.length} characters long; at most ${inner.maximum} are allowed.`,
      fix: 'Send the name of an ffmpeg option.',
    };
  return {
    field,
    code: 'EMPTY',
    message: 'An option has an empty name.',
    fix: 'Send the name of an ffmpeg option, such as "c:v".',
  };
}

function tooBig(
  field: string,
  name: string,
  issue: z.core.$ZodIssueTooBig,
  value: unknown,
  parent: unknown,
): FieldError {
  if (issue.origin === 'string') {
    const length = typeof value === 'string' ? value.length : 0;
    const message = `${name} is ${length} characters long; at most ${issue.maximum} are allowed.`;
    return { field, code: 'TOO_LONG', message, fix: `Send at most ${issue.maximum} characters.` };
  }
  if (issue.origin === 'array') {
    const length = Array.isArray(value) ? value.length : 0;
    const message = `${name} has ${length} elements; at most ${issue.maximum} are allowed.`;
    return { field, code: 'TOO_MANY', message, fix: `Send at most ${issue.maximum}.` };
  }
  return {
    field,
    code: 'OUT_OF_RANGE',
    message: `${name} must be at most ${issue.maximum}, not ${String(value)}.`,
    fix:
      fixOfField(field) ??
      belowZero(field, value, issue.maximum) ??
      ofMilliseconds(field, value, issue.maximum) ??
      largeGridFix(field.slice(1), parent) ??
      // Whoever asks for more entries, or for a longer wait, gets the most.
      (/\/(?:limit|timeoutSeconds)$/.test(field) ? sendValue(Number(issue.maximum)) : limitFix(issue.maximum, 'less')),
  };
}

/** The fix for a level in decibels that was sent without its sign (40 for -40) or as a share of full scale. undefined for other fields. */
function belowZero(field: string, value: unknown, maximum: number | bigint): Edits | undefined {
  if (!field.endsWith('Db') || maximum !== 0 || typeof value !== 'number') return undefined;
  if (value < 1)
    return { ...sendValue(Number((20 * Math.log10(value)).toFixed(2))), why: 'it is that share of full scale' };
  return value >= 5 && value <= 120 ? sendValue(-value) : undefined;
}

/**
 * The fix for milliseconds in a field of seconds: 604800000 for a week, 200 as a margin. undefined for other fields, and for values that
 * are over the maximum as milliseconds too.
 */
const ofMilliseconds = (field: string, value: unknown, maximum: number | bigint): Edits | undefined =>
  field.endsWith('Seconds') &&
  typeof value === 'number' &&
  (value % 1000 === 0 || field.endsWith('/marginSeconds')) &&
  value / 1000 <= Number(maximum)
    ? { ...sendValue(value / 1000), why: 'it is that number of milliseconds' }
    : undefined;
