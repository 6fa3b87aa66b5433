import type { Recipe } from '@telecine/client';

/** The arguments of a rectangle of the frame, in pixels. */
export const SIDES = ['x', 'y', 'width', 'height'] as const;

type Read = Pick<Recipe, 'arguments'> & { readonly request: Pick<Recipe['request'], 'parameters'> };

const CROP = 'crop={{width}}:{{height}}:{{x}}:{{y}}';

const cropsOf = ({ request }: Read): readonly string[] =>
  Object.values(request.parameters).filter((value) => typeof value === 'string' && value.includes(CROP));

/** Whether a recipe takes a rectangle of the frame in pixels. */
export const takesRegion = (recipe: Read): boolean =>
  SIDES.every((side) => recipe.arguments[side]?.type === 'number') && cropsOf(recipe).length > 0;

/** Whether a recipe cuts the picture to its rectangle. Others lay the rectangle over the picture again, such as blurred. */
export const cutsRegion = (recipe: Read): boolean =>
  takesRegion(recipe) && !cropsOf(recipe).some((graph) => graph.includes('overlay='));
