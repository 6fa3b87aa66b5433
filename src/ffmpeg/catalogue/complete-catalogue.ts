import { createHash } from 'node:crypto';
import { CLI_RULES } from '../allowlist/cli-rules.ts';
import { DEVICE_FILTER_NAMES } from '../allowlist/device-filters.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';
import { MUXERS } from '../allowlist/muxers.ts';
import type { Build } from './build.ts';
import { type Catalogue, componentKey, type MissingFacts } from './catalogue.ts';
import { FORMAT } from './catalogue-file.ts';
import type { ComponentKind, ComponentName } from './component.ts';
import type { LiveCatalogue } from './live-catalogue.ts';

/** The filters that requests may use, on some worker. */
const ALL_FILTERS: ReadonlySet<string> = new Set([...FILTERS, ...DEVICE_FILTER_NAMES]);

/** The options and components that requests may use, of which a complete catalogue has all that the build has. */
const REQUESTABLE = [CLI_RULES.keys(), ALL_FILTERS, INPUT_FORMAT_NAMES, MUXERS].map((names) => [...names].sort());

/**
 * Identifies the complete catalogue of a build. A version of Telecine that stores catalogues in another form, or that
 * allows other options or components, has another key for the same build.
 */
export const catalogueKeyOf = ({ key }: Pick<Build, 'key'>): string =>
  createHash('sha256')
    .update(JSON.stringify([key, FORMAT, REQUESTABLE]))
    .digest('hex');

/** How many facts a service queries together. Queries for requests come in between. */
const CHUNK = 2;

/**
 * Queries all facts that a request may need, so that requests can be planned on machines without this ffmpeg. This takes
 * some 1,500 processes of 60 ms for a build with all libraries, once: the catalogue saves what it learns. Nearly all of that
 * time goes into loading ffmpeg's 200 libraries.
 *
 * @param chunk How many facts are queried together.
 */
export async function completeCatalogue(
  live: Pick<LiveCatalogue, 'current' | 'ensure'>,
  signal: AbortSignal,
  chunk = CHUNK,
): Promise<Catalogue> {
  for (;;) {
    signal.throwIfAborted();
    const { options, components } = missingFacts(live.current);
    if (options.length + components.length === 0) return live.current;
    const next: MissingFacts =
      options.length > 0
        ? { options: options.slice(0, chunk), components: [] }
        : { options, components: components.slice(0, chunk) };
    await live.ensure((known) => (lacks(known, next) ? next : undefined));
  }
}

/** Whether `completeCatalogue` has nothing to query. */
export function isComplete(catalogue: Catalogue): boolean {
  const { options, components } = missingFacts(catalogue);
  return options.length + components.length === 0;
}

function missingFacts({ cli, lists, components }: Catalogue): MissingFacts {
  const lacking = (kind: ComponentKind, names: Iterable<string>): ComponentName[] =>
    [...names].map((name) => ({ kind, name })).filter((one) => !components.has(componentKey(one)));
  const allowed = (names: ReadonlyMap<string, unknown>, allowlist: ReadonlySet<string>): string[] =>
    [...names.keys()].filter((name) => allowlist.has(name));
  return {
    options: [...CLI_RULES.keys()].filter((name) => (cli.get(name) ?? null) === null),
    components: [
      ...lacking('encoder', lists.encoders.keys()),
      ...lacking('muxer', allowed(lists.muxers, MUXERS)),
      ...lacking('filter', allowed(lists.filters, ALL_FILTERS)),
      ...lacking('bsf', lists.bsfs),
      ...lacking('demuxer', allowed(lists.demuxers, INPUT_FORMAT_NAMES)),
      ...lacking('decoder', lists.decoders.keys()),
    ],
  };
}

const lacks = ({ cli, components }: Catalogue, facts: MissingFacts): boolean =>
  facts.options.some((name) => (cli.get(name) ?? null) === null) ||
  facts.components.some((one) => !components.has(componentKey(one)));
