import { type Edits, sendMember, sendMembers, withMore } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isMembers, type Members, stringOf } from '../domain/structured-values.ts';
import { bareWord } from '../domain/synonyms/value-words.ts';
import { languageCode } from '../domain/transcription.ts';
import { hasUrl } from './explain-files.ts';
import type { SentField } from './schema-at.ts';

/* Fields of other services for a second file: audio, subtitles, a logo, the next video. Here, a recipe or "inputs" takes the file. */

const json = (value: unknown): string => JSON.stringify(value);

/** A file name with an extension. */
const FILE = /^[^\n]{0,500}\.\w{2,5}$/;

/** A file with settings. The settings become arguments of a recipe. */
interface MediaField {
  readonly path: string;
  readonly settings: Members;
}

/** The file in a value: a path, or an object with a path. undefined for other values. */
function fileIn(value: unknown): MediaField | undefined {
  const [only] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [value];
  const [name, text] = isMembers(only)
    ? (Object.entries(only).find(
        ([key, one]) =>
          /^(?:path|file|url|src|source|uri|image|input|name|filename)$/i.test(key) && FILE.test(stringOf(one)),
      ) ?? [])
    : ['', only];
  const rest = Object.entries(isMembers(only) ? only : {}).filter(([key]) => key !== name);
  return typeof text === 'string' && FILE.test(text) && !hasUrl(only)
    ? { path: text, settings: Object.fromEntries(rest) }
    : undefined;
}

const SUBTITLES = /^(?:subtitles?|subs?|srt|captions?|subtitle(?:files?|paths?|tracks?)|closedcaptions)$/;

const preset = (name: string, role: string, { path, settings }: MediaField): Members => ({
  name,
  arguments: { [role]: path, ...settings },
});

/** The fixes for a field with a second file. The name of the field tells the purpose of the file. */
const ROWS: readonly (readonly [names: RegExp, fix: (file: MediaField) => Hint])[] = [
  [
    /^(?:audio|sound|audiotrack|audiofile|audiopath|soundtrack|music|backgroundmusic|bgm|voiceover|narration|song)$/,
    (file) =>
      `To replace the audio, send "preset": ${json(preset('replace-audio', 'sound', file))} instead of this field. To mix it in, send "preset": ${json(preset('background-music', 'music', file))}.`,
  ],
  [
    SUBTITLES,
    (file) =>
      `To burn them into the video, send "preset": ${json(preset('burn-subtitles', 'subtitles', file))} instead of this field. For subtitles that viewers switch on, send "preset": ${json(preset('soft-subtitles', 'subtitles', file))}.`,
  ],
  [
    /^(?:watermarks?|logo|overlays?|image|brand|overlayimage|watermarkimage)$/,
    (file) => sendMember('preset', preset('watermark', 'logo', file)),
  ],
  [/^(?:cover|coverart|artwork|albumart)$/, (file) => sendMember('preset', preset('add-cover', 'picture', file))],
];

/** The subtitle encoder for each extension. Other video containers store subtitles unchanged. */
const SUBTITLE_ENCODERS: Readonly<Record<string, string>> = {
  mp4: 'mov_text',
  m4v: 'mov_text',
  mov: 'mov_text',
  webm: 'webvtt',
};

/** The fix that adds several subtitle files as tracks. Only one file can be burned into the video. */
function subtitlesFix(files: readonly unknown[], parent: Members): Edits | undefined {
  const { input, inputs, output, parameters = {} } = parent;
  const found = files.flatMap((one) => fileIn(one) ?? []);
  const paths = found.map(({ path }) => path);
  const isWhole = paths.length === files.length && paths.every((path) => /\.(?:srt|vtt|ass|ssa)$/i.test(path));
  const isPlain = typeof input === 'string' && inputs === undefined && isMembers(parameters) && !('map' in parameters);
  if (!isWhole || !isPlain || typeof output !== 'string' || hasUrl(input)) return undefined;
  const encoder = SUBTITLE_ENCODERS[output.slice(output.lastIndexOf('.') + 1).toLowerCase()] ?? 'copy';
  const tags = paths.flatMap((path, track) => {
    const language = found[track]?.settings['language'] ?? /([a-z]{1,20})\.\w{1,8}$/i.exec(path)?.[1];
    const code = languageCode(stringOf(language ?? ''));
    return code === undefined ? [] : [[`metadata:s:s:${track}`, `language=${code}`] as const];
  });
  const options = {
    ...parameters,
    // Subtitles of the input come last, so that the stream numbers in the tags are right for the added subtitles.
    map: ['0:v', '0:a?', ...paths.map((_, at) => String(at + 1)), '0:s?'],
    'c:s': encoder,
    ...Object.fromEntries(tags),
  };
  return withMore(sendMembers({ inputs: [input, ...paths], parameters: options }), { do: 'remove', name: 'input' });
}

/** Whether options copy the video or encode subtitles. Subtitles are then added as a track, not burned in. */
const isOfTrack = ({ settings }: MediaField, parameters: unknown): boolean =>
  isMembers(parameters) &&
  Object.keys(settings).every((one) => one === 'language') &&
  Object.entries(parameters).some(
    ([key, value]) =>
      /^(?:(?:c|codec):s.*|scodec)$/.test(key) || (/^(?:c|codec|c:v|codec:v|vcodec)$/.test(key) && value === 'copy'),
  );

/** Names for a file that is shown before or after the input. */
const NEXT = /^(?:append|concat|concatwith|mergewith|joinwith|second|secondinput|input2|outro|next|with)$/;
const BEFORE = /^(?:prepend|intro)$/;

/** The fix for a field of a request that names a second file. undefined for other fields. */
export function mediaFieldFix({ key, value, parent }: SentField): Hint | undefined {
  const bare = bareWord(key);
  if (SUBTITLES.test(bare) && Array.isArray(value) && value.length > 1) return subtitlesFix(value, parent);
  const file = fileIn(value);
  if (file === undefined) return undefined;
  const tracks =
    SUBTITLES.test(bare) && isOfTrack(file, parent['parameters']) ? subtitlesFix([value].flat(), parent) : undefined;
  if (tracks !== undefined) return tracks;
  const { path } = file;
  const { input } = parent;
  if (NEXT.test(bare) || BEFORE.test(bare)) {
    const inputs = typeof input !== 'string' ? undefined : BEFORE.test(bare) ? [path, input] : [input, path];
    return inputs === undefined || hasUrl(inputs)
      ? 'Send both files in "inputs", in the order in which they play, with "join": "encode".'
      : withMore(sendMembers({ inputs, join: 'encode' }), { do: 'remove', name: 'input' });
  }
  if (/^(?:video|film|movie)$/.test(bare) && input === undefined) return sendMember('input', path);
  return ROWS.find(([names]) => names.test(bare))?.[1](file);
}
