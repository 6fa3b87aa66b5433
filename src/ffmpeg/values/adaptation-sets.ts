import { sendValue } from '../../domain/edit.ts';
import { quoted, type ValueError } from './value-error.ts';

/** What people write between two sets, where ffmpeg reads only a space. */
const SEPARATOR = /(?<!\s)\s*[,;|]\s*(?=id=)/g;

/** The streams of a set: `v`, `a` or numbers. */
const STREAMS = /(?:^|[\s,])streams=([^\s=]*)(?= |$)/g;

const EXAMPLE = 'id=0,streams=v id=1,streams=a';

/**
 * Checks the sets of a DASH manifest: `id=0,streams=v id=1,streams=a`. Commas join the parts of a set, and its streams;
 * spaces separate sets (`parse_adaptation_sets` in dashenc.c).
 */
export function checkAdaptationSets(key: string, value: string): ValueError | undefined {
  const separated = value.trim().replaceAll(SEPARATOR, ' ');
  if (separated !== value.trim())
    return {
      code: 'BAD_VALUE',
      message: `The sets in "${key}" must be separated by spaces: ffmpeg reads ${quoted(value)} as one set.`,
      fix: sendValue(hasStreams(separated) ? separated : EXAMPLE),
    };
  if (hasStreams(value)) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `"${key}" names streams by "v", "a" or their numbers, not ${quoted(value)}.`,
    fix: sendValue(EXAMPLE),
  };
}

const hasStreams = (value: string): boolean =>
  [...value.matchAll(STREAMS)].every(([, streams = '']) => /^(?:[va]|\d+)(?:,(?:[va]|\d+))*$/.test(streams));
