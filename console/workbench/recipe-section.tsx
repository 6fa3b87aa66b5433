import type { Recipe } from '@telecine/client';
import { Button } from '../ui/button.tsx';
import { ArgumentField } from './argument-field.tsx';
import { RECIPE } from './field-messages.ts';
import { FieldNotes } from './field-notes.tsx';
import { RecipeSearch } from './recipe-search.tsx';
import styles from './recipe-section.module.css';
import { Section } from './section.tsx';
import { useDraft } from './use-draft.tsx';

/** Chooses a recipe by what it does, and asks for its arguments. */
export function RecipeSection({ recipe }: { readonly recipe: Recipe | undefined }) {
  const { draft, change } = useDraft();
  const { preset } = draft;
  if (preset === undefined)
    return (
      <Section title="Recipe">
        <RecipeSearch onChoose={(name) => change({ do: 'choose-recipe', name })} />
      </Section>
    );
  return (
    <Section
      title={recipe?.title ?? preset.name}
      actions={
        <Button variant="quiet" onClick={() => change({ do: 'choose-recipe', name: undefined })}>
          Choose another
        </Button>
      }
    >
      <FieldNotes control={RECIPE} />
      {recipe !== undefined && (
        <>
          <p className={styles.soft}>{recipe.description}</p>
          {recipe.inputs.length > 1 && (
            <p className={styles.soft}>Reads: {recipe.inputs.map(inputText).join(', then ')}.</p>
          )}
          <div className={styles.arguments}>
            {Object.entries(recipe.arguments).map(([name, argument]) => (
              <ArgumentField key={name} name={name} argument={argument} value={preset.arguments?.[name]} />
            ))}
          </div>
        </>
      )}
    </Section>
  );
}

const inputText = ({ role, optional, many }: Recipe['inputs'][number]): string =>
  `${role}${many ? ' (any number)' : ''}${optional ? ' (optional)' : ''}`;
