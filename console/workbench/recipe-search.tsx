import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Recipe } from '@telecine/client';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { withoutCode } from '../ui/code-parts.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { WithCode } from '../ui/with-code.tsx';
import { purposeOf } from './first-sentence.ts';
import { lackText, type ReadSource, readableFirst } from './recipe-fit.ts';
import styles from './recipe-search.module.css';
import { recipesQuery } from './recipes-query.ts';
import type { FoundRecipe, SearchWords } from './search-words.ts';

const PAUSE_MS = 200;

/** How many recipes are shown at first. */
const SHOWN = 6;

/** Suggested searches for frequent tasks. */
const WISHES = [
  'plays everywhere',
  'smaller file',
  'audio only',
  'cut a part',
  'animated GIF',
  'poster image',
  'streaming',
  'subtitles',
  'louder',
] as const;

/** Who wrote a recipe that does not come with the service. */
const SOURCES: Readonly<Partial<Record<Recipe['source'], string>>> = {
  operator: 'from your operator',
  own: 'your own',
};

/** The recipe that a user has chosen in a search. */
export interface ChosenRecipe {
  readonly name: string;
  readonly words: string;
  /** Whether a control outside of the search has chosen it, which then moves the focus. */
  readonly keepsFocus: boolean;
}

/**
 * What the user has chosen: the best recipe for a wish, or for all words: by Enter, or outside of the search. A choice can come before the
 * reply for the last letter, and waits for it.
 */
type Choice = 'entered' | 'used' | { readonly wish: string };

/** Searches for a recipe by its purpose, first with the words `find`. */
export function RecipeSearch({
  find = '',
  isForOther = false,
  source,
  isBrief = false,
  onWords,
  onChoose,
  children,
}: {
  readonly find?: string | undefined;
  /** Whether the request runs for another client, which does not have the recipes of the user. */
  readonly isForOther?: boolean;
  /** What is known of the first source. undefined: nothing. */
  readonly source?: ReadSource | undefined;
  /** Whether no recipes are listed before the user searches for one. */
  readonly isBrief?: boolean;
  /** Called with the words when they or their best recipe change, and with '' when the search is gone. */
  readonly onWords: (words: SearchWords) => void;
  readonly onChoose: (recipe: ChosenRecipe) => void;
  /** What else can be done, beside the button that shows all recipes. */
  readonly children?: ReactNode;
}) {
  const id = useId();
  const [text, setText] = useState(find);
  const [isWhole, setIsWhole] = useState(false);
  const q = useDebounced(text.trim(), PAUSE_MS);
  const found = useQuery({ ...recipesQuery(q), placeholderData: keepPreviousData });
  const isUsable = ({ source: author }: FoundRecipe): boolean => !isForOther || author !== 'own';
  const matching = (found.data?.recipes ?? []).filter(isUsable);
  // What is listed must not move when the source is read.
  const [arrived, setArrived] = useState({ recipes: found.data, source });
  if (arrived.recipes !== found.data) setArrived({ recipes: found.data, source });
  const all = q === '' ? matching : readableFirst(matching, arrived.source, SHOWN);
  const shown = isWhole ? all : all.slice(0, isBrief && q === '' ? 0 : SHOWN);
  const [choice, setChoice] = useState<Choice>();
  // Whether Enter chose nothing because no recipe is close enough.
  const [hasNoMatch, setNoMatch] = useState(false);
  const isCurrent = q === text.trim();
  const isFound = isCurrent && found.data !== undefined && !found.isPlaceholderData;
  const hasFailed = isCurrent && found.error !== null;
  const wish = typeof choice === 'object' ? choice.wish : undefined;
  const ofWish = useQuery({ ...recipesQuery(wish ?? ''), enabled: wish !== undefined });
  const isWishFound = wish === undefined || !ofWish.isPending;
  const [wished] = ofWish.data?.close === false ? [] : (ofWish.data?.recipes.filter(isUsable) ?? []);
  // What a user has asked for is not replaced by another recipe without a question.
  const best = found.data?.close === false || q === '' ? undefined : matching[0];
  const lack = best && lackText(best, source);
  const first = lack === undefined ? best : undefined;
  useEffect(() => {
    if (choice === undefined || !(isFound || hasFailed) || !isWishFound) return;
    setChoice(undefined);
    const meant = wish === undefined ? first : wished && lackText(wished, source) === undefined ? wished : undefined;
    const name = isFound ? meant?.name : undefined;
    if (name !== undefined) onChoose({ name, words: q, keepsFocus: choice === 'used' });
    else if (isFound) setNoMatch(choice === 'entered');
  }, [choice, isFound, hasFailed, first, wish, isWishFound, wished, source, q, onChoose]);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (choice === undefined) return undefined;
    // The user does something else now. A recipe that is chosen later would take the focus from it.
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Node && root.current?.contains(target) === false) setChoice(undefined);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [choice]);
  const search = (next: string): void => {
    setChoice(undefined);
    setNoMatch(false);
    setText(next);
  };
  /** Searches for a wish, and chooses the recipe that is clearly meant by it. A second press takes the wish back. */
  const pressWish = (pressed: string): void => {
    search(text === pressed ? '' : pressed);
    if (text !== pressed) setChoice({ wish: pressed });
  };
  const chooseBest = useCallback(() => setChoice('used'), []);
  const chosenByEnter = isFound ? first : undefined;
  const isLack = best !== undefined && lack !== undefined;
  const noMatch = isLack
    ? `“${best.title}” is not possible${hasNoMatch ? ', so Enter chose none' : ''}: ${lack}.`
    : found.data === undefined
      ? ''
      : noMatchText(all.length, found.data.close, hasNoMatch);
  const words = text.trim();
  useEffect(
    () => onWords({ text: words, isSearched: isFound, ...(chosenByEnter && { best: chosenByEnter, use: chooseBest }) }),
    [words, isFound, chosenByEnter, chooseBest, onWords],
  );
  useEffect(() => () => onWords({ text: '' }), [onWords]);
  return (
    <div ref={root} className={styles.search}>
      <label htmlFor={id} className="visually-hidden">
        What to do
      </label>
      <input
        id={id}
        type="search"
        aria-keyshortcuts="/"
        className={styles.text}
        placeholder="What to do, such as: fit in 8 MB"
        aria-describedby={chosenByEnter && `${id}-enter`}
        value={text}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        // The user does something else now. A recipe that is chosen later would surprise.
        onBlur={() => setChoice(undefined)}
        onKeyDown={({ key, ctrlKey, metaKey, nativeEvent }) => {
          // Ctrl+Enter converts. Enter that ends a composition of letters chooses nothing.
          if (key === 'Enter' && !ctrlKey && !metaKey && !nativeEvent.isComposing)
            setChoice(text.trim() === '' ? undefined : 'entered');
        }}
      />
      {chosenByEnter && (
        <span id={`${id}-enter`} className="visually-hidden">
          Enter chooses {chosenByEnter.title}.
        </span>
      )}
      <div className={styles.wishes} role="group" aria-label="Often wanted" onBlur={() => setChoice(undefined)}>
        {WISHES.map((one) => (
          <Button key={one} aria-pressed={text === one} onClick={() => pressWish(one)}>
            {one}
          </Button>
        ))}
      </div>
      {found.error !== null && <ProblemNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {/* The recipe itself says what the source lacks. Another line would move the list when the source is read. */}
      <p role="status" className={noMatch === '' || (isLack && !hasNoMatch) ? 'visually-hidden' : styles.soft}>
        {noMatch}
      </p>
      <ul
        className={styles.recipes}
        aria-label="Recipes"
        aria-busy={found.isPlaceholderData}
        // A search has found few, and all count.
        data-whole={isWhole || q !== ''}
      >
        {shown.map((recipe) => (
          <li key={recipe.name}>
            <RecipeButton
              recipe={recipe}
              isChosenByEnter={recipe.name === chosenByEnter?.name}
              lack={q === '' ? undefined : lackText(recipe, source)}
              onChoose={() => onChoose({ name: recipe.name, words: text.trim(), keepsFocus: false })}
            />
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        {all.length > shown.length && (
          <Button variant="quiet" onClick={() => setIsWhole(true)}>
            Show all {all.length}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

function RecipeButton({
  recipe: { title, description, source: author },
  isChosenByEnter,
  lack,
  onChoose,
}: {
  readonly recipe: FoundRecipe;
  readonly isChosenByEnter: boolean;
  /** Why the recipe cannot read the source. */
  readonly lack: string | undefined;
  readonly onChoose: () => void;
}) {
  return (
    <button type="button" className={styles.recipe} title={withoutCode(description)} onClick={onChoose}>
      <strong>
        {title}
        {isChosenByEnter && (
          <span className={styles.key} aria-hidden="true">
            Enter
          </span>
        )}
      </strong>
      {/* The tooltip has the other sentences, which say when to use the recipe. They are also shown after the choice. */}
      <span className={styles.soft} data-lack={lack !== undefined}>
        {lack === undefined ? <WithCode text={purposeOf(description)} /> : `Not possible: ${lack}.`}
      </span>
      {SOURCES[author] !== undefined && <span className={styles.source}>{SOURCES[author]}</span>}
    </button>
  );
}

/** What a search says whose words no recipe is close to. '': one is. `isEntered`: the user has pressed Enter to choose one. */
function noMatchText(count: number, isClose: boolean | undefined, isEntered: boolean): string {
  const chose = isEntered ? ', so Enter chose none' : '';
  if (count === 0) return `No recipe matches${chose}. Try other words, or set options below.`;
  return isClose === false ? `No recipe does exactly this${chose}. Similar recipes:` : '';
}
