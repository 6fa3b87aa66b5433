import { sendValue } from '../../domain/edit.ts';
import { Problem } from '../../domain/problem.ts';
import { isMembers } from '../../domain/structured-values.ts';
import { isSameLanguage } from '../../domain/transcription.ts';
import { isUrl } from '../../domain/url-input.ts';
import type { ToolContext } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

/** How long the answer waits for the languages. */
const MAX_MS = 5000;

/** The most streams that a fix names. */
const MAX_NAMED = 10;

/**
 * Replaces the fix of an error about `"audio": "deu"`, where a number is expected. The fix sends the number of the stream with that
 * language, or lists the numbers and languages of all streams. Returns any other error as it is.
 */
export async function withSoundOfLanguage(
  error: unknown,
  args: unknown,
  { deps, call: { caller }, signal }: Pick<ToolContext, 'deps' | 'call' | 'signal'>,
): Promise<unknown> {
  if (!(error instanceof Problem) || !isMembers(args)) return error;
  const wrong = error.errors.find(({ field, code }) => field === '/audio' && code === 'WRONG_TYPE');
  const { input, audio } = args;
  if (wrong === undefined || typeof input !== 'string' || typeof audio !== 'string') return error;
  // An answer about a mistake costs no download.
  if (!toolsOf(caller)('probe_media') || isUrl(input)) return error;
  // The numbers are a help: an input that cannot be probed has an error of its own.
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  const probed = await deps.probes.probe(caller, { input }, limited).catch(() => undefined);
  const sounds = (probed?.streams ?? []).filter(({ type }) => type === 'audio');
  if (sounds.length === 0) return error;
  const numbers = sounds.flatMap(({ language = '' }, at) => (isSameLanguage(language, audio) ? [at] : []));
  const [only, ...others] = numbers;
  // Tags are texts of whoever made the file.
  const all = sounds.map(
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
