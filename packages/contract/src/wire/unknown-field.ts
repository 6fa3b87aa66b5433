import { closestMatch } from '../domain/closest-match.ts';
import {
  fieldsAsParameters,
  isOptionOnly,
  objectAsParameters,
  readCommand,
  readOptions,
} from '../domain/command-line.ts';
import { type Edits, hasEdits, leaveOut, orElse, rename, sendMember, sendMembers, withMore } from '../domain/edit.ts';
import { isPlainFile } from '../domain/foreign-path.ts';
import { type Hint, hint, LIST_JOBS } from '../domain/hint.ts';
import type { FieldError } from '../domain/problem.ts';
import { isMembers, type Members, memberAt, stringOf } from '../domain/structured-values.ts';
import { isEncoderPreset } from '../domain/synonyms/encoder-presets.ts';
import { isProbeOption, meantChoice, meantField, OF_FFPROBE } from '../domain/synonyms/field-words.ts';
import { meansQuality, optionAdvice, optionMeanings } from '../domain/synonyms/option-meanings.ts';
import { MAIL, NO_MAIL } from '../domain/webhook.ts';
import { ENDPOINTS } from './endpoints.ts';
import { cutFieldFix, cutOfRanges } from './explain-cut.ts';
import { crossfadeFix } from './explain-files.ts';
import { jobIdsFix, labelFix } from './explain-jobs.ts';
import { isSettings, measurementFix, settingsFix } from './explain-measurements.ts';
import { mediaFieldFix } from './explain-media-fields.ts';
import {
  CALLBACK,
  isOfInput,
  isOfSize,
  OF_OUTPUT,
  parametersFix,
  presetArgumentsFix,
  QUALITY_ADVICE,
  recipeOf,
} from './explain-options.ts';
import { contradictionFix, TAGS, withTags } from './explain-parameters.ts';
import { previewFieldFix } from './explain-preview.ts';
import { renamedFix, UPLOAD_FOLDER } from './explain-renamed.ts';
import { isScalar } from './explain-scalars.ts';
import { isUuid } from './job-id.ts';
import { nameOf, pointerOf } from './json-pointer.ts';
import type { SentField } from './schema-at.ts';

type Path = readonly PropertyKey[];

interface UnknownField extends SentField {
  /** The known field with the same meaning or a similar name. */
  readonly near: string | undefined;
  /** The fixes that all unknown fields of one object share. */
  readonly shared: SharedFixes;
}

interface SharedFixes {
  readonly inSettings: () => Edits | undefined;
  readonly inArguments: () => Edits | undefined;
  readonly inPreset: () => Edits | undefined;
  readonly inParameters: () => Hint | undefined;
}

/**
 * The meaning of an unknown field. It applies if the field has one of `names`, and if the object may have all fields of `has` (separated by
 * spaces) and none of `lacks`.
 */
interface Meaning {
  readonly names?: RegExp;
  readonly has?: string;
  readonly lacks?: string;
  /** Present if the meaning applies only if no known field has a similar name. */
  readonly isFar?: true;
  /** The fix. undefined: the field means something else. */
  readonly fix: Hint | ((field: UnknownField) => Hint | undefined);
}

const isMeant = ({ names, has = '', lacks, isFar }: Meaning, { key, known, near }: UnknownField): boolean =>
  names?.test(key) !== false &&
  (has === '' || has.split(' ').every((one) => known.includes(one))) &&
  (lacks === undefined || !known.includes(lacks)) &&
  !(isFar === true && near !== undefined);

/**
 * The errors for the unknown fields of the object at `path`. `known`: the fields that the object may have. `measured`: the measurements of
 * the request, if the object contains their settings. `misplaced`: returns the fix for a field that belongs to another object.
 */
export function* unknownFieldErrors(
  path: Path,
  unknown: readonly string[],
  object: { readonly parent: Members; readonly known: readonly string[]; readonly measured: unknown },
  misplaced: (key: string) => Hint | undefined,
): Generator<FieldError> {
  const { parent, known, measured } = object;
  const shared: SharedFixes = {
    inSettings: once(() => settingsFix(parent, known, unknown, measured)),
    inArguments: once(() => argumentsFix(parent, known, unknown)),
    inPreset: once(() => presetArgumentsFix(parent, unknown.filter(isArgument))),
    inParameters: once(() =>
      parametersFix(parent, known, withRecipe ? unknown.filter((key) => !isArgument(key)) : unknown),
    ),
  };
  const isArgument = (key: string): boolean =>
    fixOf(key, { ...shared, inPreset: () => MOVED, inParameters: () => leaveOut() }).fix === MOVED;
  const withRecipe = known.includes('preset') && recipeOf(parent) !== undefined;
  const fixOf = (key: string, fixes: SharedFixes): { readonly near: string | undefined; readonly fix: Hint } => {
    const sent = { key, value: memberAt(parent, [key]), parent, known };
    const elsewhere = misplaced(key) ?? (withRecipe ? undefined : (cutFieldFix(sent) ?? cutOfRanges(sent)));
    const meant = elsewhere === undefined ? (meantField(key, known) ?? closestMatch(key, known)) : undefined;
    // "target" beside a recipe and "output" is not another output.
    const near = withRecipe && meant !== undefined && parent[meant] !== undefined ? undefined : meant;
    const field = { ...sent, near, shared: fixes };
    return { near, fix: elsewhere ?? meaningOf(field) ?? renamedFix(field, near ?? '') };
  };
  for (const key of unknown) {
    const { near, fix } = fixOf(key, shared);
    const at = [...path, key];
    yield {
      field: pointerOf(at),
      code: 'UNKNOWN_FIELD',
      message: `Unknown field ${nameOf(at)}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      allowed: known,
      fix,
    };
  }
}

/** Marks a field that moves into the arguments of the recipe. */
const MOVED: Edits = { edits: [] };

function meaningOf(field: UnknownField): Hint | undefined {
  for (const meaning of MEANINGS) {
    if (!isMeant(meaning, field)) continue;
    const fix = typeof meaning.fix === 'function' ? meaning.fix(field) : meaning.fix;
    if (fix !== undefined) return fix;
  }
  return undefined;
}

/** Field names outside "preset" that mean the arguments of a recipe. */
export const RECIPE_ARGUMENTS = /^(?:arguments|(?:preset|recipe)_?(?:arguments|args|params|parameters|options))$/i;

/** The meanings of unknown fields. The first meaning with a fix counts. */
const MEANINGS: readonly Meaning[] = [
  {
    names: /^(?:preset|recipe)$/,
    has: 'parameters output',
    lacks: 'preset',
    fix: ({ value }) =>
      isEncoderPreset(stringOf(value))
        ? undefined
        : 'A recipe is for the whole request: send one request for each recipe, with "output" and "preset", instead of "outputs".',
  },
  // The id of an upload. Files have no ids, only paths.
  {
    names: /^(?:uploads?|files?|assets?|media|attachments?)_?ids?$/i,
    has: 'input',
    fix: ({ value }) =>
      isPlainFile(value)
        ? sendMember('input', value)
        : hint`Files have paths, and no ids: send "input" with the path of the upload. For your files: ${{ do: 'list-files' }}.`,
  },
  // A job where a file is expected.
  {
    names: /^job_?ids?$/i,
    has: 'input',
    fix: ({ value }) =>
      typeof value === 'string' && isUuid(value)
        ? hint`Send "input": the path of an output. For the outputs of the job: ${{ do: 'list-outputs', jobId: value }}.`
        : hint`Send "input": the path of an output. For the jobs and their outputs: ${LIST_JOBS}.`,
  },
  { has: 'view at columns', fix: previewFieldFix },
  { fix: ({ key, value, known }) => jobIdsFix(key, value, known) },
  { names: /^batch(?:_?id)?$/i, lacks: 'batchId', fix: batchOfJobsFix },
  {
    fix: ({ value, near }) => {
      if (near !== 'jobId') return undefined;
      return typeof value === 'string' && isUuid(value)
        ? sendMember('jobId', value)
        : hint`Send "jobId": the id of a job, which is a UUID. For the ids: ${LIST_JOBS}.`;
    },
  },
  {
    names: /^each$/,
    has: 'output parameters',
    fix: `Send the request to POST ${ENDPOINTS.submitBatch.path}, as one of "requests": "each" makes several jobs.`,
  },
  { has: 'keyUri', fix: encryptFix },
  {
    has: 'input',
    fix: ({ key, known }) => (isProbeOption(key) ? (known.includes('output') ? OF_FFPROBE : leaveOut()) : undefined),
  },
  { has: 'measure settings', fix: measurementFix },
  { has: 'kind use', fix: capabilityFix },
  { has: 'inputs', fix: (field) => (recipeOf(field.parent) === undefined ? crossfadeFix(field) : undefined) },
  { has: 'preset inputs', fix: (field) => (recipeOf(field.parent) === undefined ? mediaFieldFix(field) : undefined) },
  {
    names: /^(?:chapters?|chapter_?(?:list|marks?|markers?))$/i,
    has: 'inputs',
    fix: ({ value }) =>
      typeof value === 'object'
        ? 'Chapters come from a file in the format FFMETADATA. Upload one, send it as the last of "inputs" ({"input": "chapters.txt", "parameters": {"f": "ffmetadata"}}), and send "map": "0" and "map_chapters": its number, such as "1", in "parameters".'
        : undefined,
  },
  { names: TAGS, has: 'parameters', fix: tagsFix },
  { has: 'metadata', fix: labelFix },
  {
    names: /^(?:recipe|preset_?name|recipe_?name|template|profile_?name|use_?preset)$/i,
    has: 'preset',
    fix: ({ value }) => {
      const preset = typeof value === 'string' && value !== '' ? { name: value } : value;
      return isMembers(preset) ? sendMember('preset', preset) : undefined;
    },
  },
  { fix: ({ shared }) => shared.inSettings() },
  { names: RECIPE_ARGUMENTS, has: 'preset', fix: argumentsBesideFix },
  { has: 'parameters', fix: meantParts },
  { isFar: true, fix: ({ shared }) => shared.inArguments() },
  {
    names: /^dry_?run$/i,
    isFar: true,
    has: 'output parameters',
    fix: `Leave it out, and send it in the query: POST ${ENDPOINTS.submitConversion.path}?dryRun=true.`,
  },
  { names: CALLBACK, fix: callbackFix },
  {
    names: /^(?:remove|trim|cut|strip|delete)_?silences?$|^silence_?remov/i,
    has: 'cut',
    fix: sendMember('cut', { remove: { silence: {} } }),
  },
  // Words for deleting files.
  {
    names: /^(?:delete|remove|clean_?up|purge|discard)/i,
    isFar: true,
    has: 'expiresAfterSeconds',
    fix: {
      ...orElse(leaveOut(), 'send "expiresAfterSeconds": 86400 to remove the outputs later'),
      note: 'A conversion never removes its inputs.',
    },
  },
  {
    isFar: true,
    has: 'preset parameters',
    fix: ({ parent, value, shared }) =>
      recipeOf(parent) !== undefined && isScalar(value) ? shared.inPreset() : undefined,
  },
  { isFar: true, has: 'parameters', fix: ({ key }) => (meansQuality(key) ? QUALITY_ADVICE : undefined) },
  { names: UPLOAD_FOLDER, has: 'maxBytes', fix: leaveOut(undefined, 'the folder is part of "path"') },
  {
    names: /^(?:out|output|target|dest|destination)_?(?:dir|directory|folder)$/i,
    isFar: true,
    fix: leaveOut(undefined, 'the folder is part of "output", such as "movies/out.mp4"'),
  },
  {
    isFar: true,
    has: 'preset',
    fix: hint`Leave it out. If it is an option of ffmpeg, it belongs in "parameters". For a usual task, find a recipe: ${{ do: 'find-recipe' }}.`,
  },
  // Words for listing the files in subfolders too.
  {
    names: /^(?:recurs|sub_?(?:folder|dir)|include_?sub|deep|depth|max_?depth)/i,
    isFar: true,
    has: 'prefix',
    fix: leaveOut(undefined, 'one folder is listed at a time; for a folder in it, send its path as "prefix"'),
  },
  {
    isFar: true,
    has: 'prefix',
    fix: leaveOut(undefined, 'files are selected by "prefix", the beginning of the paths, and listed by name'),
  },
  {
    isFar: true,
    has: 'input parameters',
    fix: ({ known }) =>
      known.length === 2 ? leaveOut(undefined, 'all streams, chapters and tags of the file are reported') : undefined,
  },
  {
    isFar: true,
    fix: ({ known }) =>
      isSettings(known)
        ? orElse(leaveOut(), `send one of these settings: ${known.map((one) => JSON.stringify(one)).join(', ')}`)
        : undefined,
  },
  {
    isFar: true,
    has: 'parameters',
    fix: orElse(leaveOut(), 'send it in "parameters" if it is an option of ffmpeg'),
  },
  { isFar: true, fix: leaveOut() },
];

/** The fix for the id of a batch in a field for jobs. */
function batchOfJobsFix({ value, known }: UnknownField): Hint | undefined {
  const isId = typeof value === 'string' && isUuid(value);
  const isOfJobs =
    (known.includes('jobId') && !known.includes('jobIds')) ||
    (isId && known.includes('status') && known.includes('cursor'));
  return isOfJobs
    ? hint`It is the id of a batch, which has several jobs: ${{ do: 'wait-for-batch', ...(isId && { batchId: value }) }}.`
    : undefined;
}

/** The fix for a field whose name is a kind of capability: `{"filter": "scale"}`. */
function capabilityFix({ key, value, parent, known }: UnknownField): Edits | undefined {
  if (typeof value !== 'string') return undefined;
  const isKind = /^(?:type|category)$/i.test(key);
  const kind = capabilityKind(isKind ? value : key);
  if (kind === undefined) return undefined;
  if (isKind) return sendMember('kind', kind);
  const { kind: sentKind = 'options', ...others } = parent;
  const isAskedFor = (one: string): boolean =>
    capabilityKind(one) === 'options' || /^(?:name|query)$/.test(meantField(one, known) ?? one);
  // Together with the name of an option or a query for options, the field means the encoder, filter or format that has the option.
  const isOwner = sentKind === 'options' && (parent['kind'] !== undefined || Object.keys(others).some(isAskedFor));
  return kind !== 'options' && isOwner ? sendMember('of', value) : sendMembers({ kind, name: value });
}

/** The kind of capabilities that a word means. */
const capabilityKind = (word: string): string | undefined => {
  const kinds = ['formats', 'codecs', 'filters', 'options'];
  const plain = word.toLowerCase();
  return kinds.find((one) => one === plain || one === `${plain}s`) ?? meantChoice(word, kinds);
};

/** The fix for a key or a method of encryption, which the service chooses. A URL in such a field means "keyUri". */
function encryptFix({ key, value, known }: UnknownField): Edits | undefined {
  if (/key/i.test(key) && typeof value === 'string' && /^https?:/i.test(value)) return rename('keyUri');
  if (meantField(key, ['keyUri']) !== undefined) return undefined;
  if (!known.includes('key'))
    return leaveOut(
      undefined,
      'the service encrypts with AES-128, and makes the key and the initialization vector itself',
    );
  return /method|type|mode|cipher|algorithm/i.test(key)
    ? leaveOut(undefined, 'segments are encrypted with AES-128')
    : undefined;
}

/** The fix for tags of the output that are outside "parameters". */
function tagsFix({ value, parent }: UnknownField): Edits | undefined {
  const parameters = isMembers(value) ? objectAsParameters(parent['parameters'] ?? {}) : undefined;
  const tags = parameters && withTags(parameters['metadata'], value as Members);
  return tags && sendMember('parameters', { ...parameters, metadata: tags.map(stringOf) });
}

/** The fix for "arguments" that are outside "preset". */
function argumentsBesideFix({ key, value, parent: { preset } }: UnknownField): Edits | undefined {
  // If "preset" is a text, its own error says how to send arguments.
  if (typeof preset === 'string') return leaveOut(undefined, 'it belongs in "preset"');
  if (typeof preset !== 'object' || preset === null) return undefined;
  return withMore(sendMember('preset', { ...preset, arguments: value }), { do: 'remove', name: key });
}

/** Returns a function that computes its result at the first call and remembers it. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/** Field names inside "preset" that mean the arguments of a recipe. */
const ARGUMENTS = /^(?:parameters|params|args|options|opts|settings|values|variables|overrides|config)$/i;

/** The fix for recipe arguments that are outside "arguments" or have another name. */
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

const COMMAND = /^(?:command|cmd|commandline|ffmpeg|ffmpegcommand|exec|run)$/i;

/** The fix for a field that contains parts of a request: a whole command, or options outside "parameters". */
function meantParts({ key, value, parent, known, near, shared }: UnknownField): Hint | undefined {
  if (COMMAND.test(key.replaceAll(/[\s_-]/g, '')) && typeof value === 'string') {
    const options = readOptions(value.replace(/^\s*ffmpeg\s/, ''));
    // An element of "inputs" cannot contain all files of a command.
    const request =
      (isOfInput(known) ? undefined : readCommand(value)) ??
      (Object.hasOwn(parent, 'parameters') ? undefined : options && { parameters: options });
    // A request has either "output" or "outputs".
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
  // Beside a recipe, a word such as "width" or "start" is an argument of the recipe.
  const isForSure = isOptionOnly(key) || optionMeanings(key)?.some(({ send }) => send['y'] !== undefined) === true;
  if (recipeOf(parent) !== undefined && known.includes('preset') && isScalar(value) && !isForSure) return undefined;
  const advice = isScalar(value) ? optionAdvice(key, String(value)) : undefined;
  if (advice !== undefined) return hasEdits(advice) ? advice : `${advice} Options belong in "parameters".`;
  const options = fieldsAsParameters({ [key]: value }, [key], { keepsWords: true });
  if (options === undefined && !isOfSize(key, parent)) return undefined;
  const names = Object.keys(options ?? {});
  if (isOfInput(known) && names.length > 0 && names.every((one) => OF_OUTPUT.test(one)))
    return {
      edits: Object.entries(options ?? {}).map(([name, one]) => ({ do: 'send', name, value: one, in: 'parameters' })),
    };
  return contradictionFix(options ?? {}, memberAt(parent, ['parameters'])) ?? shared.inParameters();
}

/** The fix for a field that means the URL to call at the end of the job. */
function callbackFix({ value, parent, known }: UnknownField): Hint {
  if (typeof value === 'string' && MAIL.test(value)) return NO_MAIL;
  if (!known.includes('callbackUrl') || parent['callbackUrl'] !== undefined) return leaveOut();
  if (typeof value === 'string' && /^https?:\/\//i.test(value)) return sendMember('callbackUrl', value);
  return orElse(leaveOut(), 'send "callbackUrl" with an http(s) URL to which the end of the job is sent');
}
