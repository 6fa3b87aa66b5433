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

/** Facts about a release of ffmpeg that its program does not print at once. Facts that are equal to those of the release before are left out. */
interface RecordedRelease {
  readonly release: readonly number[];
  /** The options of the ffmpeg program that requests may use and that the release does not have. */
  readonly lacks: readonly string[];
  readonly lists: Partial<Record<keyof UtilityLists, string>>;
  /** Where options of the ffmpeg program apply. */
  readonly places: Partial<Record<string, CliFacts['place']>>;
  /** By `componentKey`. A component that is not here follows the rules of `componentOf`. */
  readonly components: Partial<Record<string, ComponentFacts>>;
}

/**
 * The recorded releases, oldest first. `scripts/record-catalogue.ts` writes them; a test compares them with `test/fixtures/ffmpeg-help` and the
 * installed ffmpeg.
 */
const RELEASES = recorded as readonly RecordedRelease[];

/** Later than all releases, for snapshots of ffmpeg's sources. */
const SNAPSHOT = [99, 0] as const;

const ageOf = ([major = 0, minor = 0]: readonly number[]): number => 10 * major + minor;

/** The options of the ffmpeg program that a release is known not to have. Empty for a release that is not recorded. */
export const lackedOptions = ({ release = SNAPSHOT }: Pick<Build, 'release'>): readonly string[] =>
  RELEASES.find((one) => ageOf(one.release) === ageOf(release))?.lacks ?? [];

/**
 * The recorded releases in the order in which to look something up for a build: the nearest one (the newer one of two), those before it, from
 * which it may not differ, and those after it, for what only they have.
 */
export function nearestReleases({ release = SNAPSHOT }: Pick<Build, 'release'>): readonly RecordedRelease[] {
  const distance = (one: RecordedRelease): number => Math.abs(ageOf(one.release) - ageOf(release));
  const nearest = RELEASES.reduce((best, one) => (distance(one) <= distance(best) ? one : best));
  const after = RELEASES.indexOf(nearest) + 1;
  return [...RELEASES.slice(0, after).reverse(), ...RELEASES.slice(after)];
}

/** Looks up something in `nearestReleases`. */
export const firstOf = <T>(
  releases: readonly RecordedRelease[],
  part: (one: RecordedRelease) => T | undefined,
): T | undefined => releases.map(part).find((one) => one !== undefined);

export function utilityLists(build: Pick<Build, 'release'>): UtilityLists {
  const releases = nearestReleases(build);
  const namesOf = (list: keyof UtilityLists) => new Set(firstOf(releases, ({ lists }) => lists[list])?.split(' '));
  return {
    pixelFormats: namesOf('pixelFormats'),
    sampleFormats: namesOf('sampleFormats'),
    channelLayouts: namesOf('channelLayouts'),
    colors: namesOf('colors'),
  };
}
