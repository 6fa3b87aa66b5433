import { stemmer } from 'stemmer';
import { EXPRESSIONS, SYNONYMS } from './synonyms.ts';

/** Words that say nothing about what a recipe does: grammar, politeness, counts. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a actually all always am an and another any are as at be because been but by can cannot completely convert could create creates creating did do does don done each ' +
    'file files for from get getting give go going good got had has have how i if in into is isn it its just let like ll ' +
    'made make makes making me media more much my need needs no not of off ok on one only onto or other our out own ' +
    'please produce put px re really should so some something still than that the their them then there these they this totally ' +
    'those to too turn two three up us use used using ve very want wants was way we were what when where which while ' +
    'will with without won would you your'
  ).split(' '),
);

/** The first word of the row of a word or of its stem. A word itself counts more than a stem: "wav" is not the stem of "wave". */
const SAME_WORD: ReadonlyMap<string, string> = new Map(
  [stemmer, (word: string) => word].flatMap((form) =>
    SYNONYMS.flatMap((row) => row.map((word): [string, string] => [form(word), row[0] ?? word])),
  ),
);

/** The form of a word in which it is compared: its stem, or the word that stands for its synonyms. '' for a stop word. */
export function normalForm(word: string): string {
  // Accents are those of other languages, whose words are often the same: vidéo.
  const lower = word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
  if (STOP_WORDS.has(lower)) return '';
  const stem = stemmer(lower);
  return SAME_WORD.get(lower) ?? SAME_WORD.get(stem) ?? stem;
}

/** The words of a text as they are, except that what belongs together is one: "9:16" becomes "9x16". */
export const wordsIn = (text: string): string[] =>
  EXPRESSIONS.reduce((read, [expression, word]) => read.replaceAll(expression, word), text)
    // Apostrophes are part of a word, whose rest says nothing: "can't", "child's".
    .replaceAll(/['’]\w{1,2}\b/g, '')
    // A name of a format between words of a script without spaces: 動画をGIFに変換.
    .replaceAll(/(?<=\p{Lo})(?=[a-z\d])|(?<=[a-z\d])(?=\p{Lo})/giu, ' ')
    .split(/[^\p{L}\p{N}]+/u);

/** The words of a text that say something, in the form in which they are compared. */
export const normalWords = (text: string): readonly string[] =>
  wordsIn(text)
    .map(normalForm)
    .filter((word) => word !== '');
