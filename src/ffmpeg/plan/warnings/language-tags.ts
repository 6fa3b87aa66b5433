import { sendMembers, sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { LANGUAGE_CODES } from '../../../domain/transcription.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Formats that store only codes of three letters. */
const THREE_LETTERS: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'mpegts', '3gp', '3g2']);

/** The tag that is meant, if `value` is a language that players do not find: `lang=german`. */
function meantTag(value: string, muxer: string): string | undefined {
  const [, key = '', language = ''] = /^(lang|language)\s*=\s*([A-Za-z]{2,12})$/i.exec(value.trim()) ?? [];
  if (key === '') return undefined;
  const lower = language.toLowerCase();
  const isCode = lower.length === 3 || (lower.length === 2 && !THREE_LETTERS.has(muxer));
  const code = isCode ? lower : LANGUAGE_CODES.get(lower);
  const tag = code === undefined ? undefined : `language=${code}`;
  return tag === value.trim() ? undefined : tag;
}

/** Formats of which each stream has a language. Tags of songs, such as those of MP3, have one for the whole file. */
const STREAM_LANGUAGES: ReadonlySet<string> = new Set([
  ...THREE_LETTERS,
  'matroska',
  'webm',
  'avi',
  'nut',
  'hls',
  'dash',
]);

/** Warns about a language of the whole file. Players read that of each stream. */
export const languageOfFile = (options: readonly ArgvOption[], muxer: string): readonly Warning[] =>
  (STREAM_LANGUAGES.has(muxer) ? options : []).flatMap((option) => {
    const { name, values } = option;
    if (name.name !== 'metadata' || (name.specifier !== undefined && name.specifier !== 'g')) return [];
    const at = values.findIndex((value) => LANGUAGE.test(value.trim()));
    const value = values[at]?.trim();
    if (value === undefined || options.some((one) => namesLanguage(one))) return [];
    const meant = meantTag(value, muxer) ?? value.toLowerCase();
    const ofStream = options.find((one) => sentName(one) === STREAM_TAGS)?.values ?? [];
    const others = values.filter((_one, index) => index !== at);
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: `${JSON.stringify(value)} is a tag of the whole file, which players do not read: a language belongs to a stream.`,
        fix: sendMembers({
          ...(others.length > 0 && { [sentName(option)]: others.length === 1 ? others[0] : others }),
          [STREAM_TAGS]: ofStream.length === 0 ? meant : [...ofStream, meant],
        }),
      },
    ];
  });

/** The option for the tags of the first sound. */
const STREAM_TAGS = 'metadata:s:a:0';

const LANGUAGE = /^(?:lang|language)\s*=/i;

/** Whether an option sets the language of a stream. */
const namesLanguage = ({ name, values }: ArgvOption): boolean =>
  name.name === 'metadata' &&
  name.specifier?.startsWith('s') === true &&
  values.some((value) => LANGUAGE.test(value.trim()));

/** Warns about languages of streams under another name than "language", or that are no codes. */
export const languageTags = (options: readonly ArgvOption[], muxer: string): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, values } = option;
    if (name.name !== 'metadata' || !name.specifier?.startsWith('s')) return [];
    const meant = values.map((value) => meantTag(value, muxer));
    const at = meant.findIndex((one) => one !== undefined);
    if (at < 0) return [];
    const corrected = values.map((value, index) => meant[index] ?? value);
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: `Players do not read ${JSON.stringify(values[at])} as a language: the tag is "language", and its value a code of three letters.`,
        fix: sendOption(sentName(option), corrected.length === 1 ? (corrected[0] ?? '') : corrected),
      },
    ];
  });
