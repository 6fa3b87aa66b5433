import { isMembers } from '../domain/members.ts';
import { bareWord } from '../domain/synonyms/bare-word.ts';

/*
 * Fields of other services that name a second file of a conversion: a sound, subtitles, a logo, or the next film. Here, a recipe or
 * "inputs" takes it.
 */

const json = (value: unknown): string => JSON.stringify(value);

/** A name of a file. */
const FILE = /^[^\n]{0,500}\.\w{2,5}$/;

/** The path of a file: the value itself, or the member of it that has one. */
function pathOf(value: unknown): string | undefined {
  const [only] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [value];
  const text = isMembers(only)
    ? Object.entries(only).find(
        ([key, one]) =>
          /^(?:path|file|url|src|source|uri|image|input|name|filename)$/i.test(key) && FILE.test(String(one)),
      )?.[1]
    : only;
  // A URL may contain a password or a signature, which no reply shows.
  return typeof text === 'string' && FILE.test(text) && !text.includes(':/') ? text : undefined;
}

const preset = (name: string, role: string, path: string): string =>
  `"preset": ${json({ name, arguments: { [role]: path } })}`;

/** What a file under such a name is for. */
const ROWS: readonly (readonly [names: RegExp, fix: (path: string) => string])[] = [
  [
    /^(?:audio|sound|audiotrack|audiofile|audiopath|soundtrack|music|backgroundmusic|bgm|voiceover|narration|song)$/,
    (path) =>
      `To replace the sound, send ${preset('replace-audio', 'sound', path)} instead of this field. To mix it in, send ${preset('background-music', 'music', path)}.`,
  ],
  [
    /^(?:subtitles?|subs?|srt|captions?|subtitle(?:file|path)|closedcaptions)$/,
    (path) =>
      `To burn them into the picture, send ${preset('burn-subtitles', 'subtitles', path)} instead of this field. For subtitles that viewers switch on, send ${preset('soft-subtitles', 'subtitles', path)}.`,
  ],
  [
    /^(?:watermarks?|logo|overlays?|image|brand|overlayimage|watermarkimage)$/,
    (path) => `Send ${preset('watermark', 'logo', path)} instead of this field.`,
  ],
  [
    /^(?:cover|coverart|artwork|albumart)$/,
    (path) => `Send ${preset('add-cover', 'picture', path)} instead of this field.`,
  ],
];

/** Names of a file that is shown before or after the input. */
const NEXT = /^(?:append|concat|concatwith|mergewith|joinwith|second|secondinput|input2|outro|next|with)$/;
const BEFORE = /^(?:prepend|intro)$/;

/**
 * The fix for a field of a request that names a second file. undefined for other fields.
 *
 * @param known The names of the fields that a request has.
 */
export function mediaFieldFix(
  key: string,
  value: unknown,
  parent: unknown,
  known: readonly string[],
): string | undefined {
  if (!known.includes('preset') || !known.includes('inputs')) return undefined;
  const path = pathOf(value);
  if (path === undefined || !isMembers(parent)) return undefined;
  const bare = bareWord(key);
  const { input } = parent;
  if (NEXT.test(bare) || BEFORE.test(bare)) {
    const inputs = typeof input !== 'string' ? undefined : BEFORE.test(bare) ? [path, input] : [input, path];
    return inputs === undefined || json(inputs).includes(':/')
      ? 'Send both files in "inputs", in the order in which they play, with "join": "encode".'
      : `Send "inputs": ${json(inputs)} and "join": "encode", and leave "input" out.`;
  }
  if (/^(?:video|film|movie)$/.test(bare) && input === undefined) return `Send "input": ${json(path)}.`;
  return ROWS.find(([names]) => names.test(bare))?.[1](path);
}
