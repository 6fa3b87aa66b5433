import type { Recipe } from '@telecine/client';
import { type RefObject, useEffect } from 'react';
import { ArgumentField } from './argument-field.tsx';
import { partToRecipe, partToSource } from './carry-part.ts';
import type { Arguments } from './draft.ts';
import { pictureArguments, pictureChoice } from './picture-arguments.ts';
import { PictureFields } from './picture-fields.tsx';
import styles from './recipe-section.module.css';

/** What keeps the choices about a source from one recipe to the next. It comes with the fields, so that the first page does not load it. */
const CARRY = { partToSource, partToRecipe, pictureChoice, pictureArguments } as const;

export type ShownFields = typeof CARRY & {
  /** The name of the recipe. */
  readonly name: string;
};

/** The arguments of a recipe. `onShown`: called when its fields are there. Must not change. */
export function RecipeFields({
  recipe,
  values = {},
  fields,
  onShown,
}: {
  readonly recipe: Recipe;
  readonly values: Arguments | undefined;
  readonly fields: RefObject<HTMLDivElement | null>;
  readonly onShown: (shown: ShownFields) => void;
}) {
  useEffect(() => onShown({ name: recipe.name, ...CARRY }), [onShown, recipe.name]);
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
