import type { MediaInfo } from '../domain/media-info.ts';
import type { Recipe, RecipeValue } from '../domain/recipe.ts';
import { parseExpression } from './expression.ts';
import { conditionsIn, referencesIn } from './template.ts';

/** What a recipe can know of its first input. */
export const FACTS = ['duration', 'width', 'height', 'fps', 'sounds'] as const;
export type Fact = (typeof FACTS)[number];

/** Facts of the first input: seconds, pixels as shown, frames per second, number of sound streams. Absent ones are unknown. */
export type InputFacts = { readonly [fact in Fact]?: number };

/** The facts that a recipe uses. Those of nearly all recipes are none. */
export function factsOf({ inputs, request, arguments: own, values = {} }: Recipe): ReadonlySet<Fact> {
  const names = [
    ...Object.values(values).flatMap((text) => [...parseExpression(text).names]),
    ...[...inputs.map(({ parameters = {} }) => parameters), request.parameters].flatMap((options) =>
      Object.values(options).flatMap(namesIn),
    ),
    ...inputs.flatMap(({ duration, crossfade }) => [...namesIn(duration), ...namesIn(crossfade)]),
    ...Object.values(own)
      .flatMap((argument) => (argument.type === 'choice' ? Object.values(argument.choices) : []))
      .flatMap(namesIn),
  ];
  return new Set(FACTS.filter((fact) => names.includes(`input.${fact}`)));
}

const namesIn = (value: RecipeValue | undefined): readonly string[] => [...referencesIn(value), ...conditionsIn(value)];

/** The facts in what ffprobe reports about a file. A picture that is turned when it is shown has its sides swapped. */
export function readFacts({ format, streams }: MediaInfo): InputFacts {
  const video = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  const { width, height, frameRate, rotationDegrees = 0 } = video ?? {};
  const isTurned = Math.abs(rotationDegrees) % 180 === 90;
  const [shownWidth, shownHeight] = isTurned ? [height, width] : [width, height];
  return {
    ...(format.durationSeconds !== undefined && { duration: format.durationSeconds }),
    ...(shownWidth !== undefined && { width: shownWidth }),
    ...(shownHeight !== undefined && { height: shownHeight }),
    ...(frameRate !== undefined && { fps: frameRate }),
    sounds: streams.filter(({ type }) => type === 'audio').length,
  };
}
