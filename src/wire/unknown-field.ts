import { MEASUREMENTS, type Measurement } from '../domain/analysis.ts';
import { closestMatch } from '../domain/closest-match.ts';
import {
  fieldsAsParameters,
  type MeantRequest,
  objectAsParameters,
  readCommand,
  readOptions,
} from '../domain/command-line.ts';
import {
  type Edits,
  editsText,
  hasEdits,
  leaveOut,
  orElse,
  rename,
  sendMember,
  sendMembers,
  withMore,
} from '../domain/edit.ts';
import { outputBeside } from '../domain/folder-output.ts';
import { foreignPath, hostPath, isPlainFile, pathsInText } from '../domain/foreign-path.ts';
import { readForeignText, readSteps } from '../domain/foreign-text.ts';
import { fixText, type Hint, hint, LIST_JOBS } from '../domain/hint.ts';
import { MAIL, NO_MAIL } from '../domain/mail-address.ts';
import { lastPart, parseMediaPath } from '../domain/media-path.ts';
import { type FieldError, pointerToken } from '../domain/problem.ts';
import { MAX_CALL_WAIT_SECONDS } from '../domain/quantity.ts';
import { isMembers, type Members, memberAt } from '../domain/structured-values.ts';
import { isEncoderPreset } from '../domain/synonyms/encoder-presets.ts';
import { isProbeOption, meantChoice, meantField, OF_FFPROBE } from '../domain/synonyms/field-words.ts';
import { meansQuality, optionAdvice } from '../domain/synonyms/option-meanings.ts';
import { FIT_NAME, fittedSizeOf, STEP_TIMES, STEPS, stepOfText } from '../domain/synonyms/value-words.ts';
import { PICTURES } from '../domain/wildcard.ts';
import { ENDPOINTS } from './endpoints.ts';
import { cutFieldFix, cutOfRanges } from './explain-cut.ts';
import { crossfadeFix, meantFiles, outputsFix } from './explain-files.ts';
import { jobIdsFix, labelFix } from './explain-jobs.ts';
import { mediaFieldFix } from './explain-media-fields.ts';
import { alreadySet, contradictionFix, TAGS, withTags } from './explain-parameters.ts';
import { previewFieldFix } from './explain-preview.ts';
import { renditionsFix } from './explain-renditions.ts';
import { splitFix } from './explain-split.ts';
import { foreignRequest, isWithoutMeaning } from './foreign-request.ts';
import { isUuid } from './job-id.ts';
import { settings } from './measurement-settings.ts';
import type { SentField } from './schema-at.ts';

type Path = readonly PropertyKey[];

export const pointer = (path: Path): string => path.map((key) => `/${pointerToken(String(key))}`).join('');

/** The name of a field in a message: `"crf"`, `"inputs[2]"`, `The body`. Long names are truncated. */
export function nameOf(path: Path): string {
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

/** Values of ffmpeg's own option `strict`. The field of a request makes warnings errors. */
const COMPLIANCE = /^(?:-?[12]|experimental|unofficial|normal|very|strict)$/;

export const isCompliance = (value: unknown): boolean => typeof value === 'string' && COMPLIANCE.test(value);

/*
 * The errors about fields that an object may not have: what was meant, in the order in which it is looked for.
 */

interface UnknownField extends SentField {
  /** The field whose name is meant or near. */
  readonly near: string | undefined;
  /** The fixes that several unknown fields of one object share. */
  readonly shared: SharedFixes;
}

interface SharedFixes {
  readonly foreign: () => Edits | undefined;
  readonly inSettings: () => Edits | undefined;
  readonly inArguments: () => Edits | undefined;
  readonly inParameters: () => Hint | undefined;
}

/** What a field means, if it has one of these names, and if the object may have all the fields of `has`, separated by spaces. */
interface Meaning {
  readonly names?: RegExp;
  readonly has?: string;
  readonly lacks?: string;
  /** Whether the field has no near name. */
  readonly isFar?: true;
  /** undefined: it means something else. */
  readonly fix: Hint | ((field: UnknownField) => Hint | undefined);
}

const isMeant = ({ names, has = '', lacks, isFar }: Meaning, { key, known, near }: UnknownField): boolean =>
  names?.test(key) !== false &&
  (has === '' || has.split(' ').every((one) => known.includes(one))) &&
  (lacks === undefined || !known.includes(lacks)) &&
  !(isFar === true && near !== undefined);

/**
 * The errors for the unknown fields of the object at `path`.
 *
 * @param known The names of the fields that it may have.
 * @param measured What the request measures, beside the settings of measurements.
 * @param misplaced The fix for a field that belongs elsewhere.
 */
export function* unknownFieldErrors(
  path: Path,
  unknown: readonly string[],
  object: { readonly parent: Members; readonly known: readonly string[]; readonly measured: unknown },
  misplaced: (key: string) => Hint | undefined,
): Generator<FieldError> {
  const { parent, known, measured } = object;
  const shared: SharedFixes = {
    foreign: once(() => foreignFix(parent, known)),
    inSettings: once(() => settingsFix(parent, known, unknown, measured)),
    inArguments: once(() => argumentsFix(parent, known, unknown)),
    inParameters: once(() => parametersFix(parent, known, unknown)),
  };
  for (const key of unknown) {
    const value = memberAt(parent, [key]);
    const sent = { key, value, parent, known };
    const elsewhere = misplaced(key) ?? cutFieldFix(sent) ?? cutOfRanges(sent);
    const near = elsewhere === undefined ? (meantField(key, known) ?? closestMatch(key, known)) : undefined;
    const field = { ...sent, near, shared };
    const at = [...path, key];
    yield {
      field: pointer(at),
      code: 'UNKNOWN_FIELD',
      message: `Unknown field ${nameOf(at)}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      allowed: known,
      fix: elsewhere ?? meaningOf(field) ?? renamedFix(field, near ?? ''),
    };
  }
}

function meaningOf(field: UnknownField): Hint | undefined {
  for (const meaning of MEANINGS) {
    if (!isMeant(meaning, field)) continue;
    const fix = typeof meaning.fix === 'function' ? meaning.fix(field) : meaning.fix;
    if (fix !== undefined) return fix;
  }
  return undefined;
}

const CALLBACK = /^(?:web_?hook|call_?back|notif|on_?(?:complete|success|error|done))/i;

/** Words for the folder of an upload. */
const UPLOAD_FOLDER = /^(?:(?:target|dest|destination|upload)_?)?(?:dir|directory|folder)$/i;

/** Arguments of a recipe beside the recipe, by the names that people give them. */
export const RECIPE_ARGUMENTS = /^(?:arguments|(?:preset|recipe)_?(?:arguments|args|params|parameters|options))$/i;

const QUALITY_ADVICE =
  'Send the quality as an option of the encoder, such as "parameters": {"crf": "23"} for H.264, where 18 is better and 28 smaller, or "b:a": "192k" for sound.';

/** What fields mean, in the words of people and of other services. Of several, the first counts. */
const MEANINGS: readonly Meaning[] = [
  { names: /^(?:input|output)_?files$/i, fix: filesOfCommandFix },
  {
    names: /^(?:preset|recipe)$/,
    has: 'parameters output',
    lacks: 'preset',
    fix: ({ value }) =>
      isEncoderPreset(String(value))
        ? undefined
        : 'A recipe is for the whole request: send one request for each recipe, with "output" instead of "outputs", and "preset" beside it.',
  },
  // The id of an upload. Files have paths.
  {
    names: /^(?:uploads?|files?|assets?|media|attachments?)_?ids?$/i,
    has: 'input',
    fix: ({ value }) =>
      isPlainFile(value)
        ? sendMember('input', value)
        : hint`Files have paths, and no ids: send "input" with the path of the upload. For your files: ${{ do: 'list-files' }}.`,
  },
  // A job in place of a file. Its outputs are files.
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
  { has: 'inputs', fix: crossfadeFix },
  { has: 'preset inputs', fix: mediaFieldFix },
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
  { has: 'preset', fix: streamingFix },
  { fix: ({ key, value, parent, known }) => renditionsFix(key, value, parent, known) },
  {
    names: /^(?:recipe|preset_?name|recipe_?name|template|profile_?name|use_?preset)$/i,
    has: 'preset',
    fix: ({ value }) => {
      const preset = typeof value === 'string' && value !== '' ? { name: value } : value;
      return isMembers(preset) ? sendMember('preset', preset) : undefined;
    },
  },
  { fix: ({ shared }) => shared.inSettings() },
  { fix: foreignPart },
  { has: 'parameters preset', fix: foreignTextFix },
  { names: RECIPE_ARGUMENTS, has: 'preset', fix: argumentsBesideFix },
  { isFar: true, has: 'preset', fix: splitFix },
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
  // Words for the removal of files.
  {
    names: /^(?:delete|remove|clean_?up|purge|discard)/i,
    isFar: true,
    has: 'expiresAfterSeconds',
    fix: {
      ...orElse(leaveOut(), 'send "expiresAfterSeconds": 86400 to remove the outputs later'),
      note: 'A conversion never removes its inputs.',
    },
  },
  { isFar: true, has: 'parameters', fix: ({ key }) => (meansQuality(key) ? QUALITY_ADVICE : undefined) },
  { names: UPLOAD_FOLDER, has: 'maxBytes', fix: leaveOut(undefined, 'the folder is part of "path"') },
  {
    names: /^(?:out|output|target|dest|destination)_?(?:dir|directory|folder)$/i,
    isFar: true,
    fix: leaveOut(undefined, 'the folder is part of "output", such as "movies/out.mp4"'),
  },
  { names: STEPS, isFar: true, has: 'preset', fix: settingsOf },
  {
    isFar: true,
    has: 'preset',
    fix: hint`Leave it out. If it is an option of ffmpeg, it belongs in "parameters". For a usual task, find a recipe: ${{ do: 'find-recipe' }}.`,
  },
  // Words that ask for the files in subfolders too.
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

/** The fix for the files of a command, which names them in braces. */
function filesOfCommandFix({ value, parent }: UnknownField): Edits | undefined {
  const isNamed = (name: string): boolean =>
    Object.values(parent).some((one) => typeof one === 'string' && one.includes(`{{${name}}}`));
  return isMembers(value) && Object.keys(value).every(isNamed)
    ? leaveOut(undefined, 'the command has these files')
    : undefined;
}

/** The fix for the id of a batch where jobs are meant. */
function batchOfJobsFix({ value, known }: UnknownField): Hint | undefined {
  const isId = typeof value === 'string' && isUuid(value);
  const isOfJobs =
    (known.includes('jobId') && !known.includes('jobIds')) ||
    (isId && known.includes('status') && known.includes('cursor'));
  return isOfJobs
    ? hint`It is the id of a batch, which has several jobs: ${{ do: 'wait-for-batch', ...(isId && { batchId: value }) }}.`
    : undefined;
}

/** The fix for the kind of a capability as the name of the field: `{"filter": "scale"}`. */
function capabilityFix({ key, value, parent, known }: UnknownField): Edits | undefined {
  if (typeof value !== 'string') return undefined;
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

/**
 * The fix for a field that names the key or the method of the encryption: the service sets both. A URL in such a field is meant as "keyUri".
 */
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

/** The fix for tags of the output beside "parameters". */
function tagsFix({ value, parent }: UnknownField): Edits | undefined {
  const parameters = isMembers(value) ? objectAsParameters(parent['parameters'] ?? {}) : undefined;
  const tags = parameters && withTags(parameters['metadata'], value as Members);
  return tags && sendMember('parameters', { ...parameters, metadata: tags.map(String) });
}

/** The manifests of streaming, and the option for the length of a segment. */
const STREAMING: Readonly<Record<string, readonly [name: string, seconds: string]>> = {
  hls: ['index.m3u8', 'hls_time'],
  dash: ['index.mpd', 'seg_duration'],
};

/** The fix for the settings of a stream in an object of another service: `{"type": "HLS", "segmentDuration": 6}`. */
function streamingFix({ value, parent }: UnknownField): Edits | undefined {
  if (!isMembers(value)) return undefined;
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

/** The fix for "arguments" beside a recipe instead of in it. */
function argumentsBesideFix({ key, value, parent: { preset } }: UnknownField): Edits | undefined {
  // The error about the text says it.
  if (typeof preset === 'string') return leaveOut(undefined, 'it belongs into "preset"');
  if (typeof preset !== 'object' || preset === null) return undefined;
  return withMore(sendMember('preset', { ...preset, arguments: value }), { do: 'remove', name: key });
}

/** Calls a function when its result is asked for the first time. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/** The fix that sends the request which the body of another service means. It names what the request leaves out, which needs a choice. */
export function foreignFix(parent: unknown, known: readonly string[]): Edits | undefined {
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
function foreignTextFix({ key, value, parent }: UnknownField): Edits | undefined {
  const isText = FOREIGN_TEXT.test(key) || COMMAND.test(key.replaceAll(/[\s_-]/g, ''));
  if (!isText) return undefined;
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
function foreignPart({ key, value, parent, known, shared: { foreign } }: UnknownField): Edits | undefined {
  const isOfOutput = isOutputOfSeveral(known);
  if (typeof value !== 'object' && !isOfOutput && !isWithoutMeaning(key)) return undefined;
  const isText = typeof value === 'string' && !isOfOutput;
  const objects = Object.entries(parent).flatMap(([name, one]) => (isMembers(one) ? name : []));
  const other =
    objects.find((name) => /^(?:output|input)$/.test(name)) ??
    (isText ? objects.find((name) => !known.includes(name)) : undefined);
  return foreign() !== undefined && other !== undefined
    ? leaveOut(undefined, `the fix of "${other}" has what it says`)
    : foreign();
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
function measurementFix({ key, parent, known }: UnknownField): Edits | undefined {
  const kind = measuredKind(key, parent);
  if (kind !== undefined) return sendMember('measure', [kind]);
  const named = Object.keys(parent).flatMap((name) => measuredKind(name, parent) ?? []);
  const measured: unknown = parent['measure'] ?? (named.length > 0 ? named : undefined);
  if (!Array.isArray(measured)) return undefined;
  const meant = measured.map((one) => meantChoice(String(one), MEASUREMENTS) ?? one);
  const groups = Object.entries(settings.shape).filter(([group]) => meant.includes(group));
  const settingOf = (own: readonly string[], sent: string): Readonly<Record<string, unknown>> => {
    const name = own.includes(sent) ? sent : meantField(sent, own);
    const value = name === undefined ? undefined : renamedValue(name, memberAt(parent, [sent]));
    return name === undefined || value === undefined ? {} : { [name]: value };
  };
  const beside = Object.keys(parent).filter((one) => !known.includes(one));
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

/** The fix for a field that says parts of a request otherwise: a whole command, or options outside "parameters". */
function meantParts({ key, value, parent, known, near, shared }: UnknownField): Hint | undefined {
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
  return contradictionFix(options ?? {}, memberAt(parent, ['parameters'])) ?? shared.inParameters();
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

export const isScalar = (value: unknown): value is string | number | boolean =>
  /^(?:string|number|boolean)$/.test(typeof value);

/** The fix for options of ffmpeg, or words of other tools for them, outside "parameters". */
export function parametersFix(parent: unknown, known: readonly string[], unknown: readonly string[]): Hint | undefined {
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

/** The fix for a word that means a URL to which the end of the job is sent. */
function callbackFix({ value, parent, known }: UnknownField): Hint {
  if (typeof value === 'string' && MAIL.test(value)) return NO_MAIL;
  if (!known.includes('callbackUrl') || parent['callbackUrl'] !== undefined) return leaveOut();
  if (typeof value === 'string' && /^https?:\/\//i.test(value)) return sendMember('callbackUrl', value);
  return orElse(leaveOut(), 'send "callbackUrl" with an http(s) URL to which the end of the job is sent');
}

/** Words for a folder whose files are listed. */
const FOLDER = /^(?:path|folder|dir|directory|root)$/i;

/** The fix for a field whose name is near to that of another one. */
function renamedFix({ key, value, parent, known }: UnknownField, near: string): Hint {
  if (parent[near] !== undefined) return alreadySet(near);
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
function settingsOf({ value, parent }: Pick<SentField, 'value' | 'parent'>): Hint | undefined {
  const step = plainStep(stepOf(value));
  const parameters = objectAsParameters(parent['parameters']) ?? {};
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
export function stepsInParameters(name: string, parameters: unknown): Hint | undefined {
  if (!STEPS.test(name) || !isMembers(parameters)) return undefined;
  const { [name]: value, ...others } = parameters;
  return settingsOf({ value, parent: { parameters: others } });
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
