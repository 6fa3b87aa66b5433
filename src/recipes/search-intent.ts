import type { ListedRecipe } from '../domain/recipe.ts';
import { normalWords, wordsIn } from './search-words.ts';

/** What a query says about the result that it wants. */
export interface Intent {
  /** What comes after "to": "FLAC to WAV". '' if there is no such word. */
  readonly result: string;
  /** A file name extension in `result`. */
  readonly extension?: string;
  /** What kind of file the result is, by its name: "picture of a song". */
  readonly kind?: Kind;
}

type Kind = 'video' | 'picture' | 'sound';

/** File name extensions of each kind, by the word for it in its normal form. */
const KINDS: Readonly<Record<Kind, ReadonlySet<string>>> = {
  video: new Set('mp4 mov m4v mkv webm ts m3u8 mpd mxf'.split(' ')),
  picture: new Set('jpg png webp avif gif'.split(' ')),
  sound: new Set('mp3 m4a flac wav opus ogg'.split(' ')),
};
const EXTENSIONS: ReadonlySet<string> = new Set([
  ...Object.values(KINDS).flatMap((one) => [...one]),
  ...['srt', 'vtt', 'ass'],
]);

/** What separates the source from the result: "MKV to MP4". */
const RESULT = /\b(?:to|into|as)\b/i;

/** What the query is about is its first noun: "make a picture of the sound", "one image with several frames". */
const HEAD =
  /^\W*(?:(?:an?|one|the|make|create|draw|get|grab|take|save|give|me|i|want|need|single|nice|good|small|little|whole)\s+)*(?:animated\s+)?(\w+)\s+(?:of|from|out\s+of|with|at|every|per|under|below|within|(?:smaller|less|no\s+(?:more|larger))\s+than|up\s+to)\b/i;

/** Reads what a query says about its result. Pure. */
export function readIntent(query: string): Intent {
  const result = query.split(RESULT).slice(1).join(' ');
  const head = HEAD.exec(query)?.[1] ?? '';
  const extension = wordsIn(`${result} ${head}`.toLowerCase()).find((word) => EXTENSIONS.has(word));
  const kind = kindIn(result) ?? kindIn(head);
  return { result, ...(extension !== undefined && { extension }), ...(kind !== undefined && { kind }) };
}

const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);

const kindIn = (text: string): Kind | undefined => normalWords(text).find(isKind);

/** Whether a recipe can write the result that is wanted. */
export function writes({ outputs }: Pick<ListedRecipe, 'outputs'>, { extension, kind }: Intent): boolean {
  if (extension !== undefined) return outputs.includes(extension);
  return kind === undefined || outputs.some((one) => KINDS[kind].has(one));
}
