import { stemmer } from 'stemmer';

/** Words that say nothing about what a recipe does: grammar, politeness, counts. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a actually all always am an and another any are as at be because been but by can cannot completely convert could did do does don done each ' +
    'file files for from get getting give go going good got had has have how i if in into is isn it its just let like ll ' +
    'made make makes making me media more much my need needs no not of off ok on one only onto or other our out own ' +
    'please put re really same should so some something still than that the their them then there these they this totally ' +
    'those to too turn two three up us use used using ve very want wants was way we were what when where which while ' +
    'will with without won would you your'
  ).split(' '),
);

/** Spellings and other words for one thing, a thing a row. The first of a row stands for all. */
const SYNONYMS: readonly (readonly string[])[] = [
  'video film movie clip footage vid',
  'picture image photo photograph pic jpeg jpg png img',
  'sound audio',
  'size filesize big megabyte mb mib meg large huge',
  'subtitle sub caption srt',
  'silence silent pause gap',
  'loudness loud volume louder level normalise normalize',
  'small smaller shrink reduce compress compression smallest lighter tiny',
  'join concatenate concat merge append glue stitch combine',
  'speed fast faster quick quicker slow slower',
  'rotate sideways',
  'stabilise stabilize stabilisation stabilization stabilizer stabiliser shaky shake shakes shaking wobbly wobble steady jumpy jitter jittery',
  'deinterlace interlaced interlacing',
  'thumbnail thumb preview still',
  'portrait upright',
  'hevc h265 x265',
  'h264 x264 avc',
  'colour color',
  'grey gray greyscale grayscale monochrome',
  'bar border letterbox',
  'fade',
  'wave',
  'wav',
  'phone iphone android mobile smartphone',
  'remove strip delete drop rid erase eliminate',
  'email mail gmail attachment attach',
  'transcription transcribe transcript recognition recognise recognize recogniser recognizer dictation',
  'extract rip pull',
  'cut trim shorten section snippet excerpt chop',
  'watermark logo brand',
  'music song tune',
  'television tv',
  'interlace comb combing',
].map((row) => row.split(' '));

/** The first word of the row of a word or of its stem. A word itself counts more than a stem: "wav" is not the stem of "wave". */
const SAME_WORD: ReadonlyMap<string, string> = new Map(
  [stemmer, (word: string) => word].flatMap((form) =>
    SYNONYMS.flatMap((row) => row.map((word): [string, string] => [form(word), row[0] ?? word])),
  ),
);

/** The form of a word in which it is compared: its stem, or the word that stands for its synonyms. '' for a stop word. */
export function normalForm(word: string): string {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return '';
  const stem = stemmer(lower);
  return SAME_WORD.get(lower) ?? SAME_WORD.get(stem) ?? stem;
}

/** "without re-encoding" is one word: "re-encode" alone asks for the opposite. */
const NOT_ENCODED = /\b(?:without|no|not|nothing is)\s+(?:any\s+)?(?:re-?encod|re-?compress|transcod)\w*/gi;

/** The words of a text as they are, except that what belongs together is one: "9:16" becomes "9x16". */
export const wordsIn = (text: string): string[] =>
  text
    .replaceAll(NOT_ENCODED, ' notencoded ')
    .replaceAll(/h\.(26[456])/gi, 'h$1')
    // "10mb" is a number and a unit.
    .replaceAll(/(\d)([kmg]i?b|meg(?:abytes?)?)\b/gi, '$1 $2')
    .replaceAll(/(\d)\s*:\s*(\d)/g, '$1x$2')
    // Apostrophes are part of a word, whose rest says nothing: "can't", "child's".
    .replaceAll(/['’]\w{1,2}\b/g, '')
    .split(/[^\p{L}\p{N}]+/u);

/** The words of a text that say something, in the form in which they are compared. */
export const normalWords = (text: string): readonly string[] =>
  wordsIn(text)
    .map(normalForm)
    .filter((word) => word !== '');
