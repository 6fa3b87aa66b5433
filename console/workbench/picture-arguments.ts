import type { MediaInfo, Recipe } from '@telecine/client';
import { arePlaces } from '../../packages/contract/src/domain/place.ts';
import { turnedSize } from '../media/shown-aspect.ts';
import type { Region, Size } from '../picture/region.ts';
import type { Arguments } from './draft.ts';
import { SIDES, takesRegion } from './region-recipe.ts';

/** The frame size of the video as players show it. undefined: there is no video. */
export function frameSizeOf({ streams }: Pick<MediaInfo, 'streams'>): Size | undefined {
  const video = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  return video && turnedSize(video);
}

/**
 * The rectangle of the arguments. An empty width or height is that of the frame. undefined: a required side has no value, and no side has
 * one that the user has entered.
 */
export function regionOf(
  recipe: Pick<Recipe, 'arguments'>,
  sent: Arguments | undefined,
  frame: Size,
): Region | undefined {
  const known = (side: (typeof SIDES)[number]): number | undefined =>
    numberOf(sent?.[side]) ?? defaultNumber(recipe, side);
  if (SIDES.every((side) => numberOf(sent?.[side]) === undefined) && SIDES.some((side) => known(side) === undefined))
    return undefined;
  const [x, y] = [known('x') ?? 0, known('y') ?? 0];
  return { x, y, width: known('width') ?? frame.width - x, height: known('height') ?? frame.height - y };
}

/** The arguments of a rectangle. */
export const regionArguments = (region: Region): readonly (readonly [name: string, value: string])[] =>
  SIDES.map((side) => [side, String(region[side])]);

/** Where a recipe puts something on the frame. */
export interface Placement {
  readonly name: string;
  readonly choices: readonly string[];
  readonly value: string;
  /** What is put there: the role of the second input, or text. */
  readonly what: string;
  /** The width as a share of the width of the frame. */
  readonly share: number;
  /** The distance from the edges, in pixels. */
  readonly margin: number;
}

/** The width of a text is unknown, so this is an example. */
const TEXT_SHARE = 0.3;

/** The argument for the place of something on the frame. undefined: the recipe has none. */
export function placementOf(recipe: Pick<Recipe, 'arguments' | 'inputs'>, sent?: Arguments): Placement | undefined {
  for (const [name, argument] of Object.entries(recipe.arguments)) {
    if (argument.type !== 'choice' || !arePlaces(Object.keys(argument.choices))) continue;
    const number = (of: string): number | undefined => numberOf(sent?.[of]) ?? defaultNumber(recipe, of);
    const percent = number('percent');
    return {
      name,
      choices: Object.keys(argument.choices),
      value: String(sent?.[name] ?? argument.default ?? ''),
      what: recipe.inputs[1]?.role ?? 'text',
      share: percent === undefined ? TEXT_SHARE : percent / 100,
      margin: number('margin') ?? 0,
    };
  }
  return undefined;
}

/** What the user has chosen on the frame: values of arguments that mean the same in each recipe that takes them. */
export interface PictureChoice {
  /** The values of the arguments for a rectangle. */
  readonly region?: Arguments;
  /** The name of a place, such as `top-right`. */
  readonly place?: string;
}

type Pictured = Pick<Recipe, 'arguments' | 'inputs' | 'request'>;

/** What the user has chosen in the arguments of a recipe. What the recipe does not take is that of an earlier one. */
export function pictureChoice(recipe: Pictured, sent: Arguments = {}, earlier: PictureChoice = {}): PictureChoice {
  const sides = Object.entries(sent).filter(([name]) => SIDES.some((side) => side === name));
  const place = sent[placementOf(recipe)?.name ?? ''];
  return {
    ...earlier,
    ...(takesRegion(recipe) && { region: Object.fromEntries(sides) }),
    ...(place !== undefined && { place: String(place) }),
  };
}

/** The arguments of a recipe for what the user has chosen on the frame before. Those that are set already stay. */
export function pictureArguments(
  recipe: Pictured,
  { region = {}, place }: PictureChoice = {},
  sent: Arguments = {},
): readonly (readonly [name: string, value: Arguments[string]])[] {
  const { name = '', choices = [] } = placementOf(recipe) ?? {};
  const takesPlace = place !== undefined && choices.includes(place) && sent[name] === undefined;
  const isRegionSet = SIDES.some((side) => sent[side] !== undefined);
  return [
    ...(takesRegion(recipe) && !isRegionSet ? Object.entries(region) : []),
    ...(takesPlace ? [[name, place] as const] : []),
  ];
}

function defaultNumber(recipe: Pick<Recipe, 'arguments'>, name: string): number | undefined {
  const argument = recipe.arguments[name];
  return argument?.type === 'number' ? argument.default : undefined;
}

function numberOf(value: Arguments[string] | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
