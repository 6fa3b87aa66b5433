import { fieldsAsParameters, type MeantRequest, objectAsParameters } from '../domain/command-line.ts';
import { type Edits, orElse, sendMember, sendMembers } from '../domain/edit.ts';
import { outputBeside } from '../domain/folder-output.ts';
import { readForeignText, readSteps } from '../domain/foreign-text.ts';
import { type Hint, hint } from '../domain/hint.ts';
import { folderOf } from '../domain/media-path.ts';
import { isMembers, stringOf } from '../domain/structured-values.ts';
import { FIT_NAME, fittedSizeOf, STEP_TIMES, STEPS, stepOfText } from '../domain/synonyms/value-words.ts';
import { EXTENSION } from './explain-renamed.ts';
import { isScalar } from './explain-scalars.ts';
import { foreignRequest, isWithoutMeaning } from './foreign-request.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for requests, texts and steps of other services and programs. */

/** The fix that sends the request meant by a body of another service. It names the members that it leaves out, which need a choice. */
export function foreignFix(parent: unknown, known: readonly string[]): Edits | undefined {
  if (!isMembers(parent) || !known.includes('parameters')) return undefined;
  if (!known.includes('preset')) return isOutputOfSeveral(known) ? foreignOutputFix(parent, known) : undefined;
  const fields = Object.entries(parent);
  const isForeign = fields.some(([name, value]) => typeof value === 'object' && !known.includes(name));
  // A member whose value is a text is a file or a setting, and has a fix of its own.
  const hasParts = fields.some(
    ([name, value]) =>
      (typeof value === 'string' && !/^(?:public_id|format)$/.test(name) && !isWithoutMeaning(name)) ||
      /^(?:inputs|outputs|parameters|preset)$/.test(name) ||
      (/^(?:input|output)$/.test(name) && !isForeign),
  );
  // Fields of a request stay, except these three: other services use them with other values.
  const foreign = fields.filter(([name]) => !known.includes(name) || /^(?:input|output|format)$/.test(name));
  const found = hasParts ? undefined : foreignRequest(Object.fromEntries(foreign));
  return found && sendWithUnread(found.request, found.unread);
}

/** Whether the object is an element of "outputs". `known`: the fields that the object may have. */
export const isOutputOfSeveral = (known: readonly string[]): boolean =>
  known.includes('output') && known.includes('parameters') && !known.includes('preset');

/** The fix for one of several outputs in the words of another service. */
function foreignOutputFix(parent: Readonly<Record<string, unknown>>, known: readonly string[]): Edits | undefined {
  const foreign = Object.entries(parent).filter(([name]) => !known.includes(name));
  if (!foreign.some(([, value]) => typeof value === 'object') || parent['parameters'] !== undefined) return undefined;
  const found = foreignRequest({ input: 'a.mp4', ...Object.fromEntries(foreign) });
  if (found === undefined) return undefined;
  const { output, parameters } = found.request;
  // A path that begins with "a" was derived from the example input `a.mp4` above.
  const isNamed = output !== undefined && !output.startsWith('a');
  const own = parent['output'] === undefined && isNamed ? { output } : {};
  const request = { ...own, ...(parameters !== undefined && { parameters }) };
  return Object.keys(request).length === 0 ? undefined : sendWithUnread(request, found.unread);
}

/** The fix that sends a request. It names the words that the request leaves out (`unread`). */
const sendWithUnread = (request: MeantRequest, unread: readonly string[]): Edits => {
  const names = unread.slice(0, 8).map((one) => JSON.stringify(one.slice(0, 40)));
  const sent = sendMembers(request);
  return names.length === 0 ? sent : orElse(sent, `more options in "parameters": that leaves out ${names.join(', ')}`);
};

const FOREIGN_TEXT = /^(?:pipeline|code|script|python|snippet|launch|gst\w*|sox\w*|effects?|filters?)$/i;

/** The fix for a text that another program would read. undefined for other texts. */
export function foreignTextFix({ key, value, parent }: SentField): Edits | undefined {
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

export const COMMAND = /^(?:command|cmd|commandline|ffmpeg|ffmpegcommand|exec|run)$/i;

const FILES_OF_COMMAND = /^(?:input|output)_?files$/i;

/** Replaces the names in braces in a command by their files: `-i {{in_1}}` with `{"input_files": {"in_1": "a.mp4"}}`. */
export const withFiles = (command: string, parent: object): string => {
  const files = Object.entries(parent).flatMap(([key, one]) =>
    FILES_OF_COMMAND.test(key) && isMembers(one) ? Object.entries(one) : [],
  );
  return files.reduce(
    (text, [name, path]) => (typeof path === 'string' ? text.replaceAll(`{{${name}}}`, path) : text),
    command,
  );
};

/** The manifest of each streaming format, and the option for the length of a segment. */
const STREAMING: Readonly<Record<string, readonly [name: string, seconds: string]>> = {
  hls: ['index.m3u8', 'hls_time'],
  dash: ['index.mpd', 'seg_duration'],
};

/** The fix for stream settings in an object of another service: `{"type": "HLS", "segmentDuration": 6}`. */
export function streamingFix({ value, parent }: SentField): Edits | undefined {
  if (!isMembers(value)) return undefined;
  const entries = Object.entries(value);
  const named = entries.find(([, one]) => typeof one === 'string' && Object.hasOwn(STREAMING, one.toLowerCase()))?.[1];
  const [manifest, option] = STREAMING[stringOf(named).toLowerCase()] ?? [];
  if (manifest === undefined || option === undefined) return undefined;
  const seconds = entries.find(
    ([key, one]) => /^segment_?(?:duration|length|seconds|time)$/i.test(key) && isScalar(one),
  );
  const { output = '', parameters } = parent;
  const folder = typeof output === 'string' ? folderOf(output) : '';
  const options = {
    ...objectAsParameters(parameters),
    ...(seconds && { [option]: stringOf(Number.parseFloat(stringOf(seconds[1]))) }),
    ...(option === 'hls_time' && { hls_playlist_type: 'vod' }),
  };
  return sendMembers({ output: `${folder}${manifest}`, parameters: options });
}

/** The fix for video settings in a step of another service, or for a recipe in one of several outputs. */
export function settingsOf({ value, parent }: Pick<SentField, 'value' | 'parent'>): Hint | undefined {
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

/** The fix for "parameters" that contain steps, like requests of other services. */
export function stepsInParameters(name: string, parameters: unknown): Hint | undefined {
  if (!STEPS.test(name) || !isMembers(parameters)) return undefined;
  const { [name]: value, ...others } = parameters;
  return settingsOf({ value, parent: { parameters: others } });
}

/** Whether `fittedSizeOf` reads a member of a step. */
const isOfFit = (name: string): boolean => /^(?:w|h|g|width|height|gravity)$/i.test(name) || FIT_NAME.test(name);

/** Steps that only download or upload files. */
const TRANSFER = /^\/?(?:upload|import|export|s3|http|file|store)\b/i;

/** The settings of a step, including settings in an object for ffmpeg. Its name and its position among the steps are left out. */
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
  // A preset such as `mp4` only names the container. Any other preset stays, because its settings are unknown here.
  const isContainer = robot !== undefined && EXTENSION.test(stringOf(preset));
  return { ...(preset !== undefined && !isContainer && { preset }), ...rest, ...(isMembers(ffmpeg) ? ffmpeg : {}) };
}

/** Whether all settings of a step are automatic, such as `{"quality": "auto"}`. The defaults of the encoder then apply. */
const isChoiceOfService = (step: unknown): boolean =>
  isMembers(step) &&
  Object.entries(step).every(([key, one]) => /^(?:quality|(?:fetch_)?format)$/.test(key) && one === 'auto');

/** The only step of a conversion. The value is a list, an object with named steps, the step itself, or its text. */
function stepOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'string') return stepOfText(value);
  const every: readonly unknown[] = (
    Array.isArray(value) ? value : isMembers(value) ? Object.values(value) : []
  ).filter((one: unknown) => !isChoiceOfService(one));
  if (every.length > 0 && every.every((one) => Array.isArray(one) && one.length === 2 && typeof one[0] === 'string'))
    return Object.fromEntries(every as readonly (readonly [string, unknown])[]);
  const list = every.filter(
    (one) => !isMembers(one) || !TRANSFER.test(stringOf(one['robot'] ?? one['operation'] ?? '')),
  );
  const [only, ...others] = list;
  if (typeof only === 'string' && Array.isArray(value) && others.length === 0) return stepOfText(only);
  if (isMembers(only)) return others.length === 0 ? only : undefined;
  return isMembers(value) ? value : undefined;
}
