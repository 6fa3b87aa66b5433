import type { ListedRecipe } from '@telecine/contract/domain/recipe.ts';
import { inSteps, nextTurn } from '@telecine/contract/domain/steps.ts';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { EXPRESSIONS, SYNONYMS } from './synonyms.ts';

/** The recipes that a search finds, the best first. */
export interface FoundRecipes {
  readonly recipes: readonly ListedRecipe[];
  /** Whether the first recipe matches most of the query and not only a few words. */
  readonly isClose: boolean;
  /** The number of recipes with about the highest score, including the first one. */
  readonly near: number;
  /**
   * The number of recipes that match the query. Further recipes in the list share only a weak word with the query. If no recipe is close,
   * all count.
   */
  readonly related: number;
}

const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ['to', 'to'],
  ['into', 'to'],
  ['from', 'from'],
]);

/** The first recipe is close if it matches at least this share of the query. Rare words count more. */
const CLOSE = 0.5;

/** Another recipe may also be meant if its score is at least this share of the highest score. */
const NEAR = 0.75;

/**
 * A recipe matches the query if its score is at least this share of the highest score. Recipes below it share only a weak word: joins and
 * size recipes both have "smaller".
 */
const RELATED = 0.2;

/** The score of a recipe is multiplied by this factor if it cannot write the result in the query. */
const OTHER_RESULT = 0.5;

/** The maximum characters of a recipe's words and arguments that are searched. Built-in recipes are shorter. */
const INDEXED_CHARACTERS = 1000;

/** How many recipes are indexed before other requests get their turn. Recipes of clients may have long texts. */
const STEP = 4;

/**
 * In an index with more words, a query word matches only words that differ by one letter. In smaller indexes, a fifth of the letters may
 * differ. A client can have 25,000 words; a search for each query word then takes 4 ms. Built-in recipes have a seventh of this limit.
 */
const MANY_WORDS = 10_000;

/**
 * A word that no recipe has counts as much as a word that this number of recipes has. Such a word may not be about the task, like "golf" in
 * "cut my golf video".
 */
const UNKNOWN = 8;

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly description: string;
  readonly arguments: string;
}

/** A phrase that says what a recipe is for. */
interface OwnPhrase {
  /** The normalized words of the phrase. */
  readonly words: readonly string[];
  /** The text of the phrase with its direction words; see `phraseText`. */
  readonly text: string;
}

interface RecipeIndex {
  readonly recipes: readonly ListedRecipe[];
  readonly search: MiniSearch<Entry>;
  /** For each recipe: the normalized words of its name, title and `words`. */
  readonly subjects: readonly ReadonlySet<string>[];
  readonly descriptions: readonly ReadonlySet<string>[];
  readonly phrases: readonly (readonly OwnPhrase[])[];
}

/** Creates a recipe search with `searchIndex`. The index of a list of recipes is cached until the list is garbage-collected. */
export function recipeSearch(): (recipes: readonly ListedRecipe[], query: string) => Promise<FoundRecipes> {
  const indexes = new WeakMap<readonly ListedRecipe[], Promise<RecipeIndex>>();
  return async (recipes, query) => {
    const index = indexes.get(recipes) ?? indexRecipes(recipes);
    indexes.set(recipes, index);
    return searchIndex(await index, query);
  };
}

/**
 * Finds recipes by what they do. Rare words of the query count more, and so do matches in the name and the `words` of a recipe. The word
 * after "to" is the wanted result ("FLAC to WAV"). A recipe that cannot write this result scores less.
 */
export async function searchIndex(index: RecipeIndex, query: string): Promise<FoundRecipes> {
  const intent = readIntent(query);
  const wanted = new Set(normalWords(intent.result));
  const asked = phraseText(query);
  const found = (await searchWords(index.search, query, wanted))
    .flatMap(({ id, score, queryTerms }) => {
      const recipe = index.recipes[id];
      if (recipe === undefined) return [];
      const factor = (writes(recipe, intent) ? 1 : OTHER_RESULT) * (recipe.name === query.trim() ? OWN_NAME : 1);
      return [{ recipe, id, queryTerms, score: score * phraseBonus(index.phrases[id] ?? [], asked) * factor }];
    })
    .toSorted((a, b) => b.score - a.score);
  const [best] = found;
  const isClose = best !== undefined && share(index, query, best) >= CLOSE;
  const withShare = (least: number): number => found.filter(({ score }) => score >= least * (best?.score ?? 0)).length;
  return {
    recipes: found.map(({ recipe }) => recipe),
    isClose,
    near: withShare(NEAR),
    related: isClose ? withShare(RELATED) : found.length,
  };
}

/** Verbs, in normal form, without which a recipe does something else with the same things. */
const VERBS: readonly string[] = ['remove', 'replace', 'separ', 'chang'];

interface Hit {
  readonly id: number;
  readonly score: number;
  /** The words of the query that the recipe has. */
  readonly queryTerms: readonly string[];
}

/** Searches like MiniSearch, but one word at a time. `wanted`: words that count more. */
async function searchWords(
  search: MiniSearch<Entry>,
  query: string,
  wanted: ReadonlySet<string>,
): Promise<readonly Hit[]> {
  const hits = new Map<number, Hit>();
  const options = {
    tokenize: (word: string) => [word],
    boostTerm: (term: string) => (wanted.has(term) ? 2 : 1),
    fuzzy: (term: string) => term.length > 4 && (search.termCount > MANY_WORDS ? 1 : 0.2),
  };
  for (const word of wordsIn(query).filter((one) => normalForm(one) !== '')) {
    await nextTurn();
    for (const { id, score, queryTerms } of search.search(word, options)) {
      const before = hits.get(id);
      const terms = [...new Set([...(before?.queryTerms ?? []), ...queryTerms])];
      hits.set(id, { id, score: (before?.score ?? 0) + score, queryTerms: terms });
    }
  }
  return [...hits.values()].map((hit) => ({ ...hit, score: hit.score * hit.queryTerms.length }));
}

/**
 * The share of a query that a recipe matches, from 0 to 1. Rare words count more, and unknown words count most. A word counts half if only
 * the description has it, or if its spelling differs.
 */
function share(
  { subjects, descriptions }: RecipeIndex,
  query: string,
  { id, queryTerms }: { readonly id: number; readonly queryTerms: readonly string[] },
): number {
  let [all, own] = [0, 0];
  const words = new Set(normalWords(query));
  // A recipe that extracts something does not remove it, and words of a description alone say too little.
  const lacks = (word: string): boolean => subjects[id]?.has(word) !== true;
  if (VERBS.some((verb) => words.has(verb) && lacks(verb)) || [...words].every(lacks)) return 0;
  for (const word of words) {
    const known = subjects.filter((words) => words.has(word)).length;
    const weight = Math.log(1 + subjects.length / (0.5 + (known || UNKNOWN)));
    const isHalf = descriptions[id]?.has(word) === true || queryTerms.includes(word);
    all += weight;
    own += weight * (subjects[id]?.has(word) === true ? 1 : isHalf ? 0.5 : 0);
  }
  return all === 0 ? 0 : own / all;
}

/** The score is multiplied by this factor if the query is exactly the name of the recipe. */
const OWN_NAME = 10;

/**
 * What a phrase adds to the factor, for each of its words. `WHOLE_PHRASE`: the query contains the phrase. `LOOSE_PHRASE`: the query has the
 * words near each other.
 */
const WHOLE_PHRASE = 0.5;
const LOOSE_PHRASE = 0.25;

/** The maximum number of other words between the words of a phrase. The phrase "remove noise" also fits "remove loud noise". */
const MOST_BETWEEN = 3;

/** The factor for the phrase of a recipe that fits the query best, such as "too quiet". 1: no phrase fits. */
function phraseBonus(phrases: readonly OwnPhrase[], asked: string): number {
  const query = asked.trim().split(' ');
  const bonuses = phrases.map(({ words, text }) => {
    if (asked.includes(text)) return WHOLE_PHRASE * words.length;
    return words.length > 1 && areNear(words, query) ? LOOSE_PHRASE * words.length : 0;
  });
  return 1 + Math.max(0, ...bonuses);
}

function areNear(words: readonly string[], query: readonly string[]): boolean {
  const places = words.map((word) => query.indexOf(word));
  return !places.includes(-1) && Math.max(...places) - Math.min(...places) < words.length + MOST_BETWEEN;
}

/** The normalized words of a text, with direction words: "frames to video" differs from "frames from a video". */
const phraseText = (text: string): string =>
  ` ${wordsIn(text)
    .map((word) => DIRECTIONS.get(word.toLowerCase()) ?? normalForm(word))
    .filter((word) => word !== '')
    .join(' ')} `;

/** Lists each word only once, so that repeated words do not count more. */
const uniqueWords = (phrases: readonly string[]): string =>
  [...new Map(phrases.flatMap(wordsIn).map((word) => [normalForm(word), word])).values()].join(' ');

/** Indexes recipes in steps. Between the steps, other requests get their turn. */
export async function indexRecipes(recipes: readonly ListedRecipe[]): Promise<RecipeIndex> {
  const search = new MiniSearch<Entry>({
    fields: ['name', 'title', 'words', 'description', 'arguments'],
    tokenize: wordsIn,
    processTerm: (term) => normalForm(term) || null,
    searchOptions: {
      boost: { name: 0.4, title: 1.5, words: 2, description: 0.7, arguments: 0.3 },
      // A low `b`: a recipe with many words is as relevant to each word as a recipe with few.
      bm25: { k: 1.2, b: 0.2, d: 0.5 },
      prefix: (term) => term.length > 3,
      weights: { fuzzy: 0.3, prefix: 0.4 },
    },
  });
  const index = {
    recipes,
    search,
    subjects: [] as ReadonlySet<string>[],
    descriptions: [] as ReadonlySet<string>[],
    phrases: [] as (readonly OwnPhrase[])[],
  };
  const add = ({ name, title, words: all, description, arguments: own }: ListedRecipe, id: number): void => {
    const words = firstOf(all);
    const about = Object.entries(own).map(([argument, { description: text }]) => `${argument} ${text}`);
    search.add({
      ...{ id, title, description },
      name: uniqueWords([name]),
      words: uniqueWords(words),
      arguments: firstOf(about).join(' '),
    });
    index.subjects.push(new Set([name, title, ...words].flatMap(normalWords)));
    index.descriptions.push(new Set(normalWords(description)));
    index.phrases.push(
      [...words, title]
        .map((phrase) => ({ words: normalWords(phrase), text: phraseText(phrase) }))
        .filter((phrase) => phrase.words.length > 0),
    );
  };
  for await (const some of inSteps([...recipes.entries()], STEP)) for (const [id, recipe] of some) add(recipe, id);
  return index;
}

/** The first texts of a list, up to `INDEXED_CHARACTERS` in total. */
function firstOf(texts: readonly string[]): readonly string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= INDEXED_CHARACTERS;
  });
}

/** Words that do not describe a task: grammar, politeness, counts. */
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

/**
 * Maps a word to the first word of its row. A word also maps by its stem, but the exact word has priority: "wav" is not the stem of "wave".
 */
const SAME_WORD: ReadonlyMap<string, string> = new Map(
  [stemmer, (word: string) => word].flatMap((form) =>
    SYNONYMS.flatMap((row) => row.map((word): [string, string] => [form(word), row[0] ?? word])),
  ),
);

/** The form in which words are compared: the stem of the word, or the first of its synonyms. '' for a stop word. */
function normalForm(word: string): string {
  // Remove accents. Words of other languages often differ from English only by accents: vidéo.
  const lower = word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
  // A number is a value of the task, and not a word for it.
  if (STOP_WORDS.has(lower) || /^\d+$/.test(lower)) return '';
  const stem = stemmer(lower);
  return SAME_WORD.get(lower) ?? SAME_WORD.get(stem) ?? stem;
}

/** Splits a text into words. Expressions become one word: "9:16" becomes "9x16". */
const wordsIn = (text: string): string[] =>
  EXPRESSIONS.reduce((read, [expression, word]) => read.replaceAll(expression, word), text)
    // Drop the letters after an apostrophe: "can't", "child's".
    .replaceAll(/['’]\w{1,2}\b/g, '')
    // In scripts without spaces, separate the names of formats from the other words: 動画をGIFに変換.
    .replaceAll(/(?<=\p{Lo})(?=[a-z\d])|(?<=[a-z\d])(?=\p{Lo})/giu, ' ')
    .split(/[^\p{L}\p{N}]+/u);

/** The normalized words of a text, without stop words. */
const normalWords = (text: string): readonly string[] =>
  wordsIn(text)
    .map(normalForm)
    .filter((word) => word !== '');

/** The result that a query names. */
interface Intent {
  /** The text after "to": "WAV" in "FLAC to WAV". '' if there is no such word. */
  readonly result: string;
  /** A file name extension in `result`. */
  readonly extension?: string;
  /** The kind of file: an image in "picture of a song". */
  readonly kind?: Kind;
}

type Kind = 'video' | 'picture' | 'sound';

/** For each kind: its file name extensions. The keys are the words for the kinds, in normal form. */
const KINDS: Readonly<Record<Kind, ReadonlySet<string>>> = {
  video: new Set('mp4 mov m4v mkv webm ts m3u8 mpd mxf'.split(' ')),
  picture: new Set('jpg png webp avif gif'.split(' ')),
  sound: new Set('mp3 m4a m4b flac wav opus ogg'.split(' ')),
};
const EXTENSIONS: ReadonlySet<string> = new Set([
  ...Object.values(KINDS).flatMap((one) => [...one]),
  ...['srt', 'vtt', 'ass'],
]);

/** Matches the word between the source format and the result: "to" in "MKV to MP4", but not in "4 to 6" or "cut to the end". */
const RESULT = /\b(?:to|into|as)\b(?!\s+(?:\d|the\s+(?:end|length|start|beginning)\b))/i;

/** Finds the first noun of a query, which is the wanted result: "make a picture of the sound", "one image with several frames". */
const HEAD =
  /^\W*(?:(?:an?|one|the|make|create|draw|get|grab|take|save|give|me|i|want|need|single|nice|good|small|little|whole)\s+)*(?:animated\s+)?(\w+)\s+(?:of|from|out\s+of|with|at|every|per|under|below|within|(?:smaller|less|no\s+(?:more|larger))\s+than|up\s+to)\b/i;

/** Reads the result that a query names. Pure. */
function readIntent(query: string): Intent {
  const result = query.split(RESULT).slice(1).join(' ');
  const head = HEAD.exec(query)?.[1] ?? '';
  const extension = wordsIn(`${result} ${head}`.toLowerCase()).find((word) => EXTENSIONS.has(word));
  const kind = kindIn(result) ?? kindIn(head);
  return { result, ...(extension !== undefined && { extension }), ...(kind !== undefined && { kind }) };
}

const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);

const kindIn = (text: string): Kind | undefined => normalWords(text).find(isKind);

/** Whether a recipe can write the wanted result. */
export function writes({ outputs }: Pick<ListedRecipe, 'outputs'>, { extension, kind }: Intent): boolean {
  if (extension !== undefined) return outputs.includes(extension);
  return kind === undefined || outputs.some((one) => KINDS[kind].has(one));
}
