import { allows } from '@telecine/contract/domain/client.ts';
import { sendImages } from '@telecine/contract/domain/each-file.ts';
import { type Edits, sendMember, sendValue, withMore } from '@telecine/contract/domain/edit.ts';
import { type FieldError, Problem } from '@telecine/contract/domain/problem.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { isSameLanguage } from '@telecine/contract/domain/transcription.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { IMAGES } from '@telecine/contract/domain/wildcard.ts';
import { expandEach } from '../../files/expand-each.ts';
import type { ToolContext } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

/**
 * If an unknown job id is the id of a batch, or an unknown batch id that of a job, returns an error that says so.
 * Returns other errors unchanged.
 */
export async function withOtherId(
  error: unknown,
  args: unknown,
  { deps, call: { caller } }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<unknown> {
  const isJob = error instanceof Problem && error.code === 'JOB_NOT_FOUND';
  if (!(error instanceof Problem) || !(isJob || error.code === 'BATCH_NOT_FOUND') || !isMembers(args)) return error;
  const name = isJob ? 'jobId' : 'batchId';
  const id = args[name];
  if (typeof id !== 'string') return error;
  const other = isJob ? deps.jobs.findBatch(caller, id) : deps.jobs.get(caller, id);
  const isOther = await other.then(
    () => true,
    () => false,
  );
  if (!isOther) return error;
  const message = `${id} is the id of a ${isJob ? 'batch, which has several jobs' : 'job'}, not of a ${isJob ? 'job' : 'batch'}.`;
  const fix = `Call wait_for_job with ${JSON.stringify({ [isJob ? 'batchId' : 'jobId']: id })}.`;
  return new Problem(error.code, message, {
    errors: [{ field: `/${name}`, code: error.code, message, fix }],
    cause: error,
  });
}

/** The time limit for reading the languages of an input, in ms. */
const MAX_MS = 5000;

/** The maximum number of streams that a fix names. */
const MAX_NAMED = 10;

/**
 * Improves the error about a language such as `"audio": "deu"`, where the number of a stream is expected. The new fix
 * sends the number of the stream in this language, or lists the languages of all streams. Returns other errors
 * unchanged.
 */
export async function withAudioOfLanguage(
  error: unknown,
  args: unknown,
  { deps, call: { caller }, signal }: Pick<ToolContext, 'deps' | 'call' | 'signal'>,
): Promise<unknown> {
  if (!(error instanceof Problem) || !isMembers(args)) return error;
  const wrong = error.errors.find(({ field, code }) => field === '/audio' && code === 'WRONG_TYPE');
  const { input, audio } = args;
  if (wrong === undefined || typeof input !== 'string' || typeof audio !== 'string') return error;
  // Do not probe a URL, because an error must not cause a download.
  if (!toolsOf(caller)('probe_media') || isUrl(input)) return error;
  // Ignore errors: if the input cannot be probed, the corrected call reports that.
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  const probed = await deps.probes.probe(caller, { input }, limited).catch(() => undefined);
  const streams = (probed?.streams ?? []).filter(({ type }) => type === 'audio');
  if (streams.length === 0) return error;
  const numbers = streams.flatMap(({ language = '' }, at) => (isSameLanguage(language, audio) ? [at] : []));
  const [only, ...others] = numbers;
  // Show only language codes, because this tag of a file can contain any text.
  const all = streams.map(
    ({ language = '' }, at) => `${at} (${/^[\w-]{2,11}$/.test(language) ? language : 'no language'})`,
  );
  const fix =
    only !== undefined && others.length === 0
      ? sendValue(only)
      : `Send the number of one: ${all.slice(0, MAX_NAMED).join(', ')}.`;
  const message = `"audio" must be a number, which counts the audio streams from 0, not ${JSON.stringify(audio.slice(0, 60))}.`;
  const errors = error.errors.map((one) => (one === wrong ? { ...one, message, fix } : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}

/** The maximum number of files that a fix sends as inputs. */
const MAX_FILES = 50;

/**
 * Improves the error about an output without `{name}` in a request with `each` that makes one video of all files: with
 * `join`, or with a recipe that reads several files. The new fix sends the files as inputs. Returns other errors
 * unchanged.
 */
export async function withVideoOfEach(error: unknown, args: unknown, context: ToolContext): Promise<unknown> {
  if (!(error instanceof Problem) || !isMembers(args)) return error;
  const { each, input, inputs, join, preset } = args;
  const same = error.errors.find(({ code, field }) => code === 'NO_PLACEHOLDER' && field === '/output');
  if (same === undefined || typeof each !== 'string' || input !== undefined || inputs !== undefined) return error;
  const name = isMembers(preset) && typeof preset['name'] === 'string' ? preset['name'] : undefined;
  const reads = join === undefined ? await filesOf(name, context) : 'several';
  if (reads === undefined) return error;
  const misplaced: FieldError = {
    field: '/each',
    code: 'MISPLACED',
    message: `"each" makes a job for each file, and ${join === undefined ? `the recipe "${name}"` : '"join"'} makes one video of all files.`,
    fix:
      reads === 'several'
        ? sendFiles(await matching(each, context))
        : sendSequence(each, await matching(each, context), args['parameters']),
  };
  const errors = error.errors.map((one) => (one === same ? misplaced : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}

/** Returns what a recipe reads: several files, or one image sequence. undefined: neither. */
async function filesOf(
  name: string | undefined,
  { deps, call }: ToolContext,
): Promise<'several' | 'sequence' | undefined> {
  // An unknown recipe has an error of its own.
  const recipe = name === undefined ? undefined : await deps.recipes.get(call.caller, name).catch(() => undefined);
  if (recipe?.inputs.some(({ many }) => many === true)) return 'several';
  return recipe?.inputs.length === 1 && recipe.inputs[0]?.parameters?.['framerate'] !== undefined
    ? 'sequence'
    : undefined;
}

/** Returns the files that match a pattern. Returns none if there are too many, or if the caller may not list files. */
async function matching(each: string, { deps: { files }, call, signal }: ToolContext): Promise<readonly string[]> {
  const { caller } = call;
  if (!allows(caller, 'files:read')) return [];
  // Ignore errors, because the answer is complete without the files.
  const found = await expandEach([{ each, request: { output: '{name}' } }], { files, caller, signal }).catch(() => []);
  return found.length > MAX_FILES ? [] : found.flatMap(({ file }) => file ?? []);
}

const sendFiles = (files: readonly string[]): Edits | string =>
  files.length > 1
    ? withMore(sendMember('inputs', files), { do: 'remove', name: 'each' })
    : 'Send the files in "inputs", in the order in which they play, and leave "each" out.';

function sendSequence(each: string, files: readonly string[], sent: unknown): Edits | string {
  const [first = ''] = files;
  const end = IMAGES.exec(first)?.[0];
  const ofFolder = end === undefined ? undefined : `${first.slice(0, first.lastIndexOf('/') + 1)}*${end}`;
  const pattern = IMAGES.test(each) ? each : ofFolder;
  return pattern !== undefined && files.every((one) => one.endsWith(end ?? ''))
    ? sendImages(pattern, isMembers(sent) ? sent : {})
    : 'Send the images as "input", such as "photos/*.jpg" with "pattern_type": "glob" in "parameters", and leave "each" out.';
}
