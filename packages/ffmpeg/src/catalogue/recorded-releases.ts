import type { Build } from './build.ts';
import type { CliFacts, Lists } from './catalogue.ts';
import type { Component } from './component.ts';
import recorded from './recorded-releases.json' with { type: 'json' };

/** The lists of libavutil, which depend only on the release. */
type UtilityLists = Pick<Lists, 'pixelFormats' | 'sampleFormats' | 'channelLayouts' | 'colors'>;

/** What the lists and `-h full` do not say about a component. */
export interface ComponentFacts
  extends Partial<Omit<Component, 'kind' | 'name' | 'options' | 'timeline' | 'positions'>> {
  /** The titles of its classes of options in `-h full`, if they do not follow from its name: `mpeg/(s)vcd/vob/dvd muxer`. */
  readonly classes?: readonly string[];
}

/** What is known about a release of ffmpeg, and what its programs do not print at once. */
export interface ReleaseFacts {
  readonly lists: UtilityLists;
  /** Where options of the ffmpeg program apply. */
  readonly places: ReadonlyMap<string, CliFacts['place']>;
  /** By `componentKey`. A component that is not here follows the rules of `componentOf`. */
  readonly components: ReadonlyMap<string, ComponentFacts>;
}

/**
 * The recorded releases, oldest first. `scripts/record-catalogue.ts` writes them; a test compares them with `test/fixtures/ffmpeg-help` and the
 * installed ffmpeg. Each has only what differs from the one before.
 */
const RELEASES = recorded as readonly {
  readonly release: readonly number[];
  /** The options of the ffmpeg program that requests may use and that the release does not have. */
  readonly lacks: readonly string[];
  readonly lists: Partial<Record<keyof UtilityLists, string>>;
  readonly places: Readonly<Record<string, CliFacts['place']>>;
  readonly components: Readonly<Record<string, ComponentFacts>>;
}[];

/** Later than all releases, for snapshots of ffmpeg's sources. */
const SNAPSHOT = [99, 0] as const;

const ageOf = ([major = 0, minor = 0]: readonly number[]): number => 10 * major + minor;

/** The options of the ffmpeg program that a release is known not to have. Empty for a release that is not recorded. */
export const lackedOptions = ({ release = SNAPSHOT }: Pick<Build, 'release'>): readonly string[] =>
  RELEASES.find((one) => ageOf(one.release) === ageOf(release))?.lacks ?? [];

const byIndex = new Map<number, ReleaseFacts>();

/** The facts of the nearest recorded release, the newer one of two. What it lacks comes from the others: its programs do not have it. */
export function releaseFacts({ release = SNAPSHOT }: Pick<Build, 'release'>): ReleaseFacts {
  const distance = (one: (typeof RELEASES)[number]): number => Math.abs(ageOf(one.release) - ageOf(release));
  const nearest = RELEASES.reduce((best, one) => (distance(one) <= distance(best) ? one : best));
  const index = RELEASES.indexOf(nearest);
  const known = byIndex.get(index) ?? mergeUpTo(index);
  byIndex.set(index, known);
  return known;
}

function mergeUpTo(index: number): ReleaseFacts {
  const inOrder = [...RELEASES.slice(index + 1).reverse(), ...RELEASES.slice(0, index + 1)];
  const merged = <T>(part: (of: (typeof RELEASES)[number]) => Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
    new Map(inOrder.flatMap((one) => Object.entries(part(one))));
  const lists = merged((one) => one.lists as Record<string, string>);
  const namesOf = (list: keyof UtilityLists): ReadonlySet<string> => new Set(lists.get(list)?.split(' '));
  return {
    lists: {
      pixelFormats: namesOf('pixelFormats'),
      sampleFormats: namesOf('sampleFormats'),
      channelLayouts: namesOf('channelLayouts'),
      colors: namesOf('colors'),
    },
    places: merged((one) => one.places),
    components: merged((one) => one.components),
  };
}
