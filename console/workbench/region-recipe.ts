import type { Recipe } from '@telecine/client';

/** The arguments of a rectangle of the frame, in pixels. */
export const SIDES = ['x', 'y', 'width', 'height'] as const;

/** What is read of a recipe. */
export interface ReadRecipe {
  readonly arguments: Recipe['arguments'];
  readonly request: { readonly parameters: Readonly<Record<string, unknown>> };
}

const CROP = 'crop={{width}}:{{height}}:{{x}}:{{y}}';

const cropsOf = ({ request }: ReadRecipe): readonly string[] =>
  Object.values(request.parameters).filter(
    (value): value is string => typeof value === 'string' && value.includes(CROP),
  );

/** Whether a recipe takes a rectangle of the frame in pixels. */
export const takesRegion = (recipe: ReadRecipe): boolean =>
  SIDES.every((side) => recipe.arguments[side]?.type === 'number') && cropsOf(recipe).length > 0;

/** Whether a recipe cuts the picture to its rectangle. Others lay the rectangle over the picture again, such as blurred. */
export const cutsRegion = (recipe: ReadRecipe): boolean =>
  takesRegion(recipe) && !cropsOf(recipe).some((graph) => graph.includes('overlay='));
