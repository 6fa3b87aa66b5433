import type { Recipe } from '@telecine/client';
import { type RefObject, useEffect } from 'react';
import { ArgumentField } from './argument-field.tsx';
import type { Arguments } from './draft.ts';
import { PictureFields } from './picture-fields.tsx';
import styles from './recipe-section.module.css';

/** The arguments of a recipe. `onShown`: called with the name of the recipe when its fields are there. Must not change. */
export function RecipeFields({
  recipe,
  values = {},
  fields,
  onShown,
}: {
  readonly recipe: Recipe;
  readonly values: Arguments | undefined;
  readonly fields: RefObject<HTMLDivElement | null>;
  readonly onShown: (name: string) => void;
}) {
  useEffect(() => onShown(recipe.name), [onShown, recipe.name]);
  return (
    <>
      <PictureFields recipe={recipe} />
      <div ref={fields} className={styles.arguments}>
        {Object.entries(recipe.arguments).map(([name, argument]) => (
          <ArgumentField key={name} name={name} argument={argument} value={values[name]} />
        ))}
      </div>
    </>
  );
}
