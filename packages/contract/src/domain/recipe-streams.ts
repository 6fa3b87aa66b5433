import type { AbsentStream } from './failure.ts';
import type { Recipe } from './recipe.ts';

type Kind = AbsentStream['kind'];

const KINDS: Readonly<Record<string, Kind>> = { v: 'video', V: 'video', a: 'audio', s: 'subtitle' };

/** Matches a map of streams of one kind of the first input that must exist: `0:s:{{index}}`, and not `0:a?`. */
const REQUIRED = /^0:([vVas])(?::[^?]+)?$/;

/**
 * The kinds of streams that the first input of a recipe must have, because its maps select them in each case. A job of a file without them
 * fails. Without a map, ffmpeg takes what there is.
 */
export function neededStreams({ request }: Pick<Recipe, 'request'>): readonly Kind[] {
  const outputs = request.outputs?.filter(({ when }) => when === undefined) ?? [];
  const maps = [request, ...outputs].flatMap(({ parameters = {} }) => {
    const { map = [] } = parameters;
    return typeof map === 'string' || Array.isArray(map) ? map : [];
  });
  const kinds = maps.flatMap((map) => KINDS[REQUIRED.exec(map)?.[1] ?? ''] ?? []);
  return [...new Set(kinds)];
}
