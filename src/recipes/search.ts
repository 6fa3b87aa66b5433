import MiniSearch from 'minisearch';
import type { ListedRecipe } from '../domain/recipe.ts';
import { inSteps, nextTurn } from '../domain/steps.ts';
import { readIntent, writes } from './search-intent.ts';
import { normalForm, normalWords, wordsIn } from './search-words.ts';

/** The recipes that a search finds, the best first. */
export interface FoundRecipes {
  readonly recipes: readonly ListedRecipe[];
  /** Whether the first one is about what the query says, not only about some of its words. */
  readonly isClose: boolean;
  /** How many recipes score about as high as the first one, which counts too. */
  readonly near: number;
  /** How many are about the query at all. Others share a weak word with it, unless none is close. */
  readonly related: number;
}

const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ['to', 'to'],
  ['into', 'to'],
  ['from', 'from'],
]);

/** The least share of a query, weighed by how rare its words are, that the first recipe has to be about. */
const CLOSE = 0.5;

/** The least share of the score of the first recipe that others have that may be meant as well. */
const NEAR = 0.75;

/** The same of others that are about the query. The rest shares a weak word with it: a join and a size both have "smaller". */
const RELATED = 0.2;

/** The factor of a recipe that cannot write the result that the query names. */
const OTHER_RESULT = 0.5;

/** How much of the words and of the arguments of a recipe is searched. Those of the service have less. */
const INDEXED_CHARACTERS = 1000;

/** How many recipes are added to an index before others have their turn: those of a client may have long texts. */
const STEP = 4;

/**
 * The words of an index from which on words of a query match only those that differ by one letter, and not by a fifth of their
 * letters. The recipes of the service have a seventh of it. A client's own can have 25,000, of which each word then takes 4 ms.
 */
const MANY_WORDS = 10_000;

/** In how many recipes a word counts to be that is in none: it may say where or why, such as "golf". */
const UNKNOWN = 8;

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly words: string;
  readonly description: string;
  readonly arguments: string;
}

/** One of the phrases in which a recipe says what it is for. */
interface Phrase {
  /** Its normal words. */
  readonly words: readonly string[];
  /** The same with directions; see `phraseText`. */
  readonly text: string;
}

/** What a search looks up. */
export interface RecipeIndex {
  readonly recipes: readonly ListedRecipe[];
  readonly search: MiniSearch<Entry>;
  /** What each recipe is about: the normal words of its name, title and words. */
  readonly subjects: readonly ReadonlySet<string>[];
  readonly descriptions: readonly ReadonlySet<string>[];
  readonly phrases: readonly (readonly Phrase[])[];
}

/** Creates a search for recipes (`searchIndex`). It keeps the index of a list of recipes as long as the list exists. */
export function recipeSearch(): (recipes: readonly ListedRecipe[], query: string) => Promise<FoundRecipes> {
  const indexes = new WeakMap<readonly ListedRecipe[], Promise<RecipeIndex>>();
  return async (recipes, query) => {
    const index = indexes.get(recipes) ?? indexRecipes(recipes);
    indexes.set(recipes, index);
    return searchIndex(await index, query);
  };
}

/**
 * Finds recipes by what they do. Ranks by how rare the words of the query are in the catalogue, and where they are: what a
 * recipe is called and for says more than its description. What comes after "to" is the result, and counts more: "FLAC to
 * WAV". A recipe that cannot write the wanted result counts less. Others have their turn after each word.
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

interface Hit {
  readonly id: number;
  readonly score: number;
  /** The words of the query that the recipe has. */
  readonly queryTerms: readonly string[];
}

/** Searches as MiniSearch does, but one word after the other. `wanted`: words that count more. */
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
 * The share of a query that a recipe is about, from 0 to 1. Rare words weigh more, and those of no recipe most. A word that only
 * the description has, or that is spelt otherwise, counts half.
 */
function share(
  { subjects, descriptions }: RecipeIndex,
  query: string,
  { id, queryTerms }: { readonly id: number; readonly queryTerms: readonly string[] },
): number {
  let [all, own] = [0, 0];
  for (const word of new Set(normalWords(query))) {
    const known = subjects.filter((words) => words.has(word)).length;
    // A number that no recipe has is a value.
    if (known === 0 && /^\d+$/.test(word)) continue;
    const weight = Math.log(1 + subjects.length / (0.5 + (known || UNKNOWN)));
    const isHalf = descriptions[id]?.has(word) === true || queryTerms.includes(word);
    all += weight;
    own += weight * (subjects[id]?.has(word) === true ? 1 : isHalf ? 0.5 : 0);
  }
  return all === 0 ? 0 : own / all;
}

/** The factor of the recipe whose name is the whole query. */
const OWN_NAME = 10;

/** How much each word of a phrase adds to the score, if the query has the phrase, or its words near each other. */
const WHOLE_PHRASE = 0.5;
const LOOSE_PHRASE = 0.25;

/** How many other words may be between those of a phrase: "swap the sound of the play". */
const MOST_BETWEEN = 3;

/** The factor of the phrase of a recipe that the query has most of: "too quiet". */
function phraseBonus(phrases: readonly Phrase[], asked: string): number {
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

/** The normal words of a text, with the direction between them: "frames to video" is not "frames from a video". */
const phraseText = (text: string): string =>
  ` ${wordsIn(text)
    .map((word) => DIRECTIONS.get(word.toLowerCase()) ?? normalForm(word))
    .filter((word) => word !== '')
    .join(' ')} `;

/** Each word once, so that a recipe does not count more by saying it again. */
const uniqueWords = (phrases: readonly string[]): string =>
  [...new Map(phrases.flatMap(wordsIn).map((word) => [normalForm(word), word])).values()].join(' ');

/** Indexes recipes in steps, between which others have their turn. */
export async function indexRecipes(recipes: readonly ListedRecipe[]): Promise<RecipeIndex> {
  const search = new MiniSearch<Entry>({
    fields: ['name', 'title', 'words', 'description', 'arguments'],
    tokenize: wordsIn,
    processTerm: (term) => normalForm(term) || null,
    searchOptions: {
      boost: { name: 0.4, title: 1.5, words: 2, description: 0.7, arguments: 0.3 },
      // A recipe with many words is not less about each of them.
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
    phrases: [] as (readonly Phrase[])[],
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

/** The first of some texts, as many as are searched. */
function firstOf(texts: readonly string[]): readonly string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= INDEXED_CHARACTERS;
  });
}
