import type { MediaInfo } from '@telecine/client';
import { nameOf } from '../files/file-list.ts';
import type { FoundRecipe } from './search-words.ts';

/** The file that a recipe would read first, and the kinds of streams in it. */
export interface ReadSource {
  readonly name: string;
  readonly kinds: ReadonlySet<string>;
}

/** What is known of a file. undefined: not all of its streams are known. */
export const readSource = (path: string, info: MediaInfo | undefined): ReadSource | undefined =>
  info === undefined || (info.leftOut?.streams ?? 0) > 0
    ? undefined
    : { name: nameOf(path), kinds: new Set(info.streams.map(({ type }) => type)) };

const NAMES = { video: 'video', audio: 'audio', subtitle: 'subtitles' } as const;

type Needing = Pick<FoundRecipe, 'needs'>;

/** Why a recipe cannot read a file: `in.mp4 has no subtitles`. undefined: it may, or nothing is known of the file. */
export function lackText({ needs = [] }: Needing, source: ReadSource | undefined): string | undefined {
  const kind = source && needs.find((one) => !source.kinds.has(one));
  return kind && `${source.name} has no ${NAMES[kind]}`;
}

/**
 * The recipes that can read a file, and then the others, each in the same order as before. The first `shown` stay among the first, so that what
 * was asked for is seen.
 */
export function readableFirst<R extends Needing>(
  recipes: readonly R[],
  source: ReadSource | undefined,
  shown: number,
): readonly R[] {
  const sorted = (some: readonly R[]): readonly R[] => [
    ...some.filter((one) => lackText(one, source) === undefined),
    ...some.filter((one) => lackText(one, source) !== undefined),
  ];
  return [...sorted(recipes.slice(0, shown)), ...sorted(recipes.slice(shown))];
}
