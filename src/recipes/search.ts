import MiniSearch from 'minisearch';
import type { ListedRecipe } from '../domain/recipe.ts';

/** Words that say nothing about what a recipe does: grammar and politeness. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a all an and any are as at be but by can convert could do does file files for from get give has have how i if in ' +
    'into is it its just let like made make me media my need of off on one onto or our out please put same ' +
    'should so some something that the their them there these this those to too turn up us use using ' +
    'want was way we what when which will with without would you your'
  ).split(' '),
);

/** Spellings and forms of one word. The first of a row stands for all. */
const SYNONYMS: readonly (readonly string[])[] = [
  'video videos film films movie movies clip clips footage',
  'picture image images photo photos photograph photographs pic pics jpeg jpg png pictures',
  'sound audio',
  'size filesize big megabyte megabytes mb mib',
  'subtitle subtitles subs caption captions srt',
  'silence silent pauses pause gaps',
  'loudness loud volume louder level levels normalise normalize normalised normalized',
  'small smaller shrink reduce compress compressed compression smallest lighter',
  'join joined concatenate concat merge combine append glue stitch together',
  'speed fast faster quick quicker slow slower',
  'rotate rotated turn turned sideways upside',
  'stabilise stabilize stabilised stabilized shaky shake wobbly steady',
  'deinterlace interlaced interlacing',
  'thumbnail thumbnails thumb preview previews still',
  'portrait vertical upright',
  'hevc h265 x265',
  'h264 x264 avc',
  'colour color colours colors',
  'grey gray greyscale grayscale monochrome',
  'bar bars border borders letterbox',
  'fade fades faded fading',
  'wave waves',
  'wav',
  'phone phones iphone android mobile',
  'remove removed strip delete drop rid erase eliminate',
  'email emails mail mails gmail attachment attachments attach attached',
  'transcription transcribe transcribed transcript transcripts recognition recognise recognize recogniser recognizer',
  'extract extracted rip pull',
  'cut trim trimmed shorten part section snippet excerpt',
  'watermark logo brand overlay',
].map((row) => row.split(' '));

/** The first word of the row of a word or of its stem. A word itself counts more than a stem: "wav" is not the stem of "wave". */
const SAME_WORD: ReadonlyMap<string, string> = new Map(
  [stem, (word: string) => word].flatMap((form) =>
    SYNONYMS.flatMap((row) => row.map((word): [string, string] => [form(word), row[0] ?? word])),
  ),
);

/** What separates the source from the result: "MKV to MP4". */
const RESULT = /\b(?:to|into|as)\b/i;

const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ['to', 'to'],
  ['into', 'to'],
  ['from', 'from'],
]);

/** The form of a word in which it is compared. '' for a stop word. */
function normalForm(word: string): string {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return '';
  return SAME_WORD.get(lower) ?? SAME_WORD.get(stem(lower)) ?? stem(lower);
}

/** Removes the usual endings of English words, so that "rotate" and "rotating" are one word. */
function stem(word: string): string {
  // "mute" has the stem of "muting". Other endings of short words are part of the word: "bed", "gas".
  if (word.length < 5) return word.length === 4 ? word.replace(/e$/, '') : word;
  return word.replace(/(?:ies|ing|ed|es|s|e)$/, '').replace(/(.)\1$/, '$1');
}

/** "without re-encoding" is one word: "re-encode" alone asks for the opposite. */
const NOT_ENCODED = /\b(?:without|no|not|nothing is)\s+(?:any\s+)?(?:re-?encod|re-?compress|transcod)\w*/gi;

const tokenize = (text: string): string[] =>
  text
    .replaceAll(NOT_ENCODED, ' notencoded ')
    .replaceAll(/h\.(26[456])/gi, 'h$1')
    .replaceAll(/(\d)\s*:\s*(\d)/g, '$1x$2')
    .split(/[^\p{L}\p{N}]+/u);

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly description: string;
  readonly arguments: string;
}

/**
 * Creates a search for recipes by what they do. It ranks by how rare the words of the query are in the catalogue, and where
 * they are: a title says more than a description. What comes after "to" is the result, and counts more: "FLAC to WAV". A recipe
 * that cannot write the file name extension after "to" counts less. The index of a list of recipes is kept as long as the list.
 */
export function recipeSearch(): (recipes: readonly ListedRecipe[], query: string) => readonly ListedRecipe[] {
  const indexes = new WeakMap<readonly ListedRecipe[], MiniSearch<Entry>>();
  return (recipes, query) => {
    const index = indexes.get(recipes) ?? createIndex(recipes);
    indexes.set(recipes, index);
    const result = query.split(RESULT).slice(1).join(' ');
    const wanted = new Set(normalWords(result));
    const extension = tokenize(result.toLowerCase()).find((word) =>
      recipes.some(({ outputs }) => outputs.includes(word)),
    );
    const asked = phraseText(query);
    return index
      .search(query, { boostTerm: (term) => (wanted.has(term) ? 2.5 : 1) })
      .flatMap(({ id, score }) => {
        const recipe = recipes[id];
        return recipe === undefined
          ? []
          : [{ recipe, score: score * phraseBonus(recipe, asked) * outputFactor(recipe, extension) }];
      })
      .toSorted((a, b) => b.score - a.score)
      .map(({ recipe }) => recipe);
  };
}

/** Half as much again for each word of the longest of the recipe's own phrases that the query has: "too quiet". */
const phraseBonus = ({ words, title }: ListedRecipe, asked: string): number =>
  1 +
  0.5 *
    Math.max(
      0,
      ...[...words, title].map((phrase) => {
        const own = normalWords(phrase);
        return own.length > 0 && asked.includes(phraseText(phrase)) ? own.length : 0;
      }),
    );

/** The normal words of a text, with the direction between them: "frames to video" is not "frames from a video". */
const phraseText = (text: string): string =>
  ` ${tokenize(text)
    .map((word) => DIRECTIONS.get(word.toLowerCase()) ?? normalForm(word))
    .filter((word) => word !== '')
    .join(' ')} `;

/** Half the score if the recipe cannot write a file of the extension that the query wants. */
const outputFactor = ({ outputs }: ListedRecipe, extension: string | undefined): number =>
  extension === undefined || outputs.includes(extension) ? 1 : 0.5;

const normalWords = (text: string): readonly string[] =>
  tokenize(text)
    .map(normalForm)
    .filter((word) => word !== '');

function createIndex(recipes: readonly ListedRecipe[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['name', 'title', 'words', 'description', 'arguments'],
    tokenize,
    processTerm: (term) => normalForm(term) || null,
    searchOptions: {
      boost: { name: 3, title: 3, words: 2 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      prefix: (term) => term.length > 3,
      weights: { fuzzy: 0.3, prefix: 0.4 },
    },
  });
  index.addAll(
    recipes.map(({ name, title, words, description, arguments: own }, id) => ({
      id,
      name,
      title,
      words: [...new Set(words.flatMap(normalWords))].join(' '),
      description,
      arguments: Object.entries(own)
        .map(([argument, { description: about }]) => `${argument} ${about}`)
        .join(' '),
    })),
  );
  return index;
}
