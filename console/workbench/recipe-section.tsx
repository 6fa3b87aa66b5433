import { Link } from '@tanstack/react-router';
import type { Recipe } from '@telecine/client';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { loadPart } from '../app/load-part.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { otherClientOf } from './draft.ts';
import { missingArguments, RECIPE } from './field-messages.ts';
import { Notes } from './field-notes.tsx';
import type { PictureChoice } from './picture-arguments.ts';
import { readSource } from './recipe-fit.ts';
import { type ChosenRecipe, RecipeSearch } from './recipe-search.tsx';
import styles from './recipe-section.module.css';
import type { SearchWords } from './search-words.ts';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';
import { useFirstSource } from './use-probe.ts';

// The first page has no recipe. It is loaded while the chosen one is read.
const RecipeFields = lazyComponent(async () => (await import('./recipe-fields.tsx')).RecipeFields);

export type Carry = Pick<typeof import('./carry-part.ts'), 'partToSource' | 'partToRecipe'> &
  Pick<typeof import('./picture-arguments.ts'), 'pictureChoice' | 'pictureArguments'>;

/** Used if it cannot be loaded. */
const CARRY_NOTHING: Carry = {
  partToSource: () => [],
  partToRecipe: () => [],
  pictureChoice: () => ({}),
  pictureArguments: () => [],
};

/** Lets the user choose a recipe and enter its arguments. `find`: the first words of the search. */
export function RecipeSection({
  recipe,
  find,
  onWords,
  hasLinks = false,
  isEach = false,
  loadCarry,
  children,
}: {
  readonly recipe: Recipe | undefined;
  readonly find?: string | undefined;
  /** Called with the words of the search while no recipe is chosen. Must not change. */
  readonly onWords: (words: SearchWords) => void;
  /** Whether it leads to the pages of the client's own recipes. A form that is not stored would be lost. */
  readonly hasLinks?: boolean;
  /** Whether each source is converted by itself. */
  readonly isEach?: boolean;
  /** Loads what keeps the choices about a source from one recipe to the next. Must not change. undefined: there is no source. */
  readonly loadCarry?: (() => Promise<Carry>) | undefined;
  /** What else can be done, at the end. */
  readonly children?: ReactNode;
}) {
  const { draft, change } = useDraft();
  const { preset } = draft;
  const { errors, warnings } = useMessages(RECIPE);
  const info = useFirstSource(draft);
  const source = useMemo(() => readSource(draft.inputs[0]?.input ?? '', info), [draft.inputs, info]);
  const path = draft.inputs[0]?.input;
  const seconds = info?.format.durationSeconds;
  /** The recipe that was chosen last, until it is read. The recipe of a stored draft was not chosen. */
  const [chosen, setChosen] = useState<ChosenRecipe>();
  /** What the arguments of earlier recipes chose on the frame of a source. */
  const framed = useRef<{ readonly path: string | undefined; readonly choice: PictureChoice }>(undefined);
  // The words of the search with numbers that are in no field of the recipe.
  const [unused, setUnused] = useState<readonly string[]>([]);
  const fields = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  /** The recipe whose fields are shown. */
  const [shown, setShown] = useState<string>();
  const [carry, setCarry] = useState<Carry>();
  const heading = useRef<HTMLHeadingElement>(null);
  /** How often the user has chosen a recipe or gone back. The pressed button then disappears, so the heading gets the focus. */
  const [turns, setTurns] = useState(0);
  useEffect(() => {
    if (turns > 0) heading.current?.focus();
  }, [turns]);
  const hasRecipe = preset !== undefined;
  useEffect(() => {
    if (hasRecipe) RecipeFields.preload();
    if (hasRecipe) loadCarry?.().then(setCarry, () => setCarry(CARRY_NOTHING));
  }, [hasRecipe, loadCarry]);
  // Options that a command or a job has brought say what to do. The recipes would only be in the way.
  const hasOptions = draft.rows.some(({ name }) => name !== '');
  const [isFolded, setFolded] = useState(preset === undefined && hasOptions && find === undefined);
  // After the last option was removed, options are added by hand, and the recipes must not vanish meanwhile.
  if (isFolded && !hasOptions) setFolded(false);
  // On a phone, the recipes are longer than the window, and the user has a source and can convert.
  const isPhone = useMedia('(width < 48rem)');
  const turnTo = (next: ChosenRecipe | undefined): void => {
    // What the user has found in the source stays when the recipe goes.
    if (recipe !== undefined && carry !== undefined) {
      const earlier = framed.current?.path === path ? framed.current?.choice : undefined;
      for (const one of carry.partToSource(draft, recipe, { seconds, isEach })) change(one);
      framed.current = { path, choice: carry.pictureChoice(recipe, preset?.arguments, earlier) };
    }
    change({ do: 'choose-recipe', name: next?.name });
    setChosen(next);
    setUnused([]);
    setFolded(false);
    if (next?.keepsFocus !== true) setTurns(turns + 1);
  };
  useEffect(() => {
    if (recipe === undefined || chosen?.name !== recipe.name || shown !== recipe.name) return;
    if (loadCarry !== undefined && carry === undefined) return;
    setChosen(undefined);
    for (const one of carry?.partToRecipe(draft, recipe, { seconds, isEach }) ?? []) change(one);
    const choice = framed.current?.path === path ? framed.current?.choice : undefined;
    for (const [name, value] of carry?.pictureArguments(recipe, choice, draft.preset?.arguments) ?? [])
      change({ do: 'set-argument', name, value });
    // Move the focus only if the user has not moved it since.
    if (document.activeElement === heading.current) {
      // The sides of a region are filled in on the picture above them. On a phone, the keyboard of a field would hide it.
      if (recipe.arguments['x'] !== undefined && picture.current?.hasChildNodes())
        picture.current.scrollIntoView({ block: 'nearest' });
      else fields.current?.querySelector<HTMLElement>('[aria-required="true"]')?.focus();
    }
    if (chosen.words === '') return;
    const findUnused = async (): Promise<void> => {
      const { unusedWords } = await loadPart(() => import('./unused-words.ts'));
      setUnused(unusedWords(chosen.words, [recipe.title, recipe.description]));
    };
    findUnused().catch(() => undefined);
  }, [recipe, chosen, shown, carry, loadCarry, draft, seconds, isEach, path, change]);
  const otherwise = hasOptions ? 'the options below say what to do' : 'the name of the output says the format';
  if (preset === undefined && isFolded)
    return (
      <Section
        variant="quiet"
        title="Recipe"
        heading={heading}
        actions={
          <Button
            aria-keyshortcuts="/"
            onClick={() => {
              setFolded(false);
              setTurns(turns + 1);
            }}
          >
            Choose a recipe
          </Button>
        }
      >
        <p className={styles.soft}>None: {otherwise}.</p>
      </Section>
    );
  if (preset === undefined)
    return (
      <Section variant="panel" title="Recipe" heading={heading}>
        <RecipeSearch
          find={find}
          isForOther={otherClientOf(draft) !== undefined}
          source={source}
          isBrief={isPhone && draft.inputs.length > 0}
          onWords={onWords}
          onChoose={turnTo}
        >
          {hasLinks && (
            <Link to="/recipes" className={buttonClass('quiet')}>
              Your recipes
            </Link>
          )}
        </RecipeSearch>
        {draft.inputs.length > 0 && <p className={styles.soft}>Without a recipe, {otherwise}.</p>}
        {children}
      </Section>
    );
  return (
    <Section
      variant="panel"
      title={recipe?.title ?? preset.name}
      heading={heading}
      actions={
        <div className={styles.actions}>
          {hasLinks && recipe?.source === 'own' && (
            <Link
              to="/recipes/$recipeName"
              params={{ recipeName: recipe.name }}
              aria-label="Edit this recipe"
              className={buttonClass('quiet')}
            >
              Edit
            </Link>
          )}
          <Button variant="quiet" onClick={() => turnTo(undefined)}>
            Choose another
          </Button>
        </div>
      }
    >
      <Notes errors={errors.filter((error) => missingArguments([error]).length === 0)} warnings={warnings} />
      {recipe !== undefined && (
        <>
          <p className={styles.soft}>
            <WithCode text={recipe.description} />
          </p>
          {unused.length > 0 && (
            <p role="status" className={styles.unused}>
              Not used of your words: {unused.map((one) => `“${one}”`).join(', ')}.
            </p>
          )}
          {recipe.inputs.length > 1 && (
            <p className={styles.soft}>Reads: {recipe.inputs.map(inputText).join(', then ')}.</p>
          )}
          <RecipeFields
            recipe={recipe}
            values={preset.arguments}
            fields={fields}
            picture={picture}
            onShown={setShown}
          />
        </>
      )}
      {children}
    </Section>
  );
}

const inputText = ({ role, optional, many }: Recipe['inputs'][number]): string =>
  `${role}${many ? ' (any number)' : ''}${optional ? ' (optional)' : ''}`;
