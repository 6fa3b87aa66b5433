import type { MediaInfo } from '../domain/media-info.ts';
import type { Recipe, RecipeValue } from '../domain/recipe.ts';
import { parseExpression } from './expression.ts';
import { conditionsIn, referencesIn } from './template.ts';

/** What a recipe can know of its first input. */
export const FACTS = ['duration', 'width', 'height', 'fps', 'bitrate', 'sounds'] as const;
export type Fact = (typeof FACTS)[number];

/**
 * Facts of the first input: seconds, pixels as shown, frames per second, bits per second of the whole file, number of sound
 * streams. Absent ones are unknown.
 */
export type InputFacts = { readonly [fact in Fact]?: number };

/** Whether an argument has a value: the client sent one, or it has a default. */
type HasValue = (argument: string) => boolean;

/** The facts that a recipe uses with these arguments. Those of nearly all recipes are none. */
export const factsOf = (recipe: Recipe, hasValue: HasValue): ReadonlySet<Fact> =>
  factsAmong([...namesInFormulas(recipe, hasValue), ...templateNames(recipe).used, ...templateNames(recipe).tested]);

/** The facts without which a recipe cannot be applied: those that it does more with than test whether they are there. */
export const requiredFactsOf = (recipe: Recipe, hasValue: HasValue): ReadonlySet<Fact> =>
  factsAmong([...namesInFormulas(recipe, hasValue), ...templateNames(recipe).used]);

/** The names in templates of a recipe. */
const templateNames = onceForEach((recipe) => {
  const values = valuesOf(recipe);
  return {
    used: values.flatMap((one) => [...referencesIn(one)]),
    tested: values.flatMap((one) => [...conditionsIn(one)]),
  };
});

/** The names in each formula of a recipe: first those of its values in their order, then those of its limits. */
const formulasOf = onceForEach(({ values = {}, limits = {} }) => [
  ...Object.entries(values).map(([name, text]) => ({ name, uses: parseExpression(text).names })),
  ...Object.values(limits)
    .flatMap(({ min, max }) => [min, max])
    .flatMap((text) => (text === undefined ? [] : [{ name: undefined, uses: parseExpression(text).names }])),
]);

/** The names in formulas whose arguments have values. The others are not computed. */
function namesInFormulas(recipe: Recipe, hasValue: HasValue): readonly string[] {
  const without = new Set(Object.keys(recipe.arguments).filter((name) => !hasValue(name)));
  return formulasOf(recipe).flatMap(({ name, uses }) => {
    if (![...uses].some((one) => without.has(one))) return [...uses];
    if (name !== undefined) without.add(name);
    return [];
  });
}

/** Each request needs the names in its recipe again, and a recipe does not change. */
function onceForEach<T>(find: (recipe: Recipe) => T): (recipe: Recipe) => T {
  const found = new WeakMap<Recipe, { readonly of: T }>();
  return (recipe) => {
    const known = found.get(recipe) ?? { of: find(recipe) };
    found.set(recipe, known);
    return known.of;
  };
}

const factsAmong = (names: readonly string[]): ReadonlySet<Fact> =>
  new Set(FACTS.filter((fact) => names.includes(`input.${fact}`)));

/** The options of the outputs of a recipe. */
const optionsOf = ({ request: { parameters, outputs = [] } }: Recipe): readonly RecipeValue[] =>
  [parameters, ...outputs.map((one) => one.parameters)].flatMap((options) => Object.values(options));

/** All templates of a recipe. */
export function valuesOf(recipe: Recipe): readonly (RecipeValue | undefined)[] {
  const { inputs, request, arguments: own } = recipe;
  return [
    ...inputs.flatMap(({ parameters = {} }) => Object.values(parameters)),
    ...optionsOf(recipe),
    ...inputs.flatMap(({ duration, crossfade }) => [duration, crossfade]),
    ...Object.values(request.thumbnailTrack ?? {}),
    ...Object.values(request.cut?.remove.silence ?? {}),
    request.cut?.remove.marginSeconds,
    ...(request.outputs ?? []).flatMap(({ when }) => (when === undefined ? [] : { when })),
    ...Object.values(own).flatMap((argument) => (argument.type === 'choice' ? Object.values(argument.choices) : [])),
  ];
}

/** The facts in what ffprobe reports about a file. A picture that is turned when it is shown has its sides swapped. */
export function readFacts({ format, streams }: MediaInfo): InputFacts {
  const video = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  const { width, height, frameRate, rotationDegrees = 0 } = video ?? {};
  const isTurned = Math.abs(rotationDegrees) % 180 === 90;
  const [shownWidth, shownHeight] = isTurned ? [height, width] : [width, height];
  const { durationSeconds: duration, sizeBytes, bitRate } = format;
  const bitrate = bitRate ?? (sizeBytes && duration ? (sizeBytes * 8) / duration : undefined);
  return {
    ...(duration !== undefined && { duration }),
    ...(bitrate !== undefined && { bitrate }),
    ...(shownWidth !== undefined && { width: shownWidth }),
    ...(shownHeight !== undefined && { height: shownHeight }),
    ...(frameRate !== undefined && { fps: frameRate }),
    sounds: streams.filter(({ type }) => type === 'audio').length,
  };
}
