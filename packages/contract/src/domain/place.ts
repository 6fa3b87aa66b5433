/** The places where a recipe can put something: the middle of each, as shares of the width and height of the frame. */
const PLACES: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  'top-left': { x: 0, y: 0 },
  top: { x: 0.5, y: 0 },
  'top-right': { x: 1, y: 0 },
  left: { x: 0, y: 0.5 },
  centre: { x: 0.5, y: 0.5 },
  center: { x: 0.5, y: 0.5 },
  middle: { x: 0.5, y: 0.5 },
  right: { x: 1, y: 0.5 },
  'bottom-left': { x: 0, y: 1 },
  bottom: { x: 0.5, y: 1 },
  'bottom-right': { x: 1, y: 1 },
};

export const placeOf = (name: string): { readonly x: number; readonly y: number } | undefined =>
  Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;

/** A place in words: `Top left` of `top-left`. */
export const placeName = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Whether all choices of an argument are places on a frame. */
export const arePlaces = (choices: readonly string[]): boolean =>
  choices.length > 1 && choices.every((choice) => placeOf(choice) !== undefined);

/** The choice nearest to a point, in shares of the width and of the height. */
export function nearestPlace(choices: readonly string[], at: { readonly x: number; readonly y: number }): string {
  const distance = (name: string): number => {
    const { x, y } = placeOf(name) ?? { x: 9, y: 9 };
    return (x - at.x) ** 2 + (y - at.y) ** 2;
  };
  const [nearest = ''] = choices.toSorted((a, b) => distance(a) - distance(b));
  return nearest;
}
