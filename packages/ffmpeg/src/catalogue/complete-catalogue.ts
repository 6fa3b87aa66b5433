import { createHash } from 'node:crypto';
import { CLI_RULES } from '../allowlist/allowed-cli-options.ts';
import { MUXERS } from '../allowlist/containers.ts';
import { DEVICE_FILTERS } from '../allowlist/device-components.ts';
import { FILTERS } from '../allowlist/filters.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';
import type { Build } from './build.ts';
import { type Catalogue, LIST_OF, type MissingFacts, stillMissing } from './catalogue.ts';
import { FORMAT } from './catalogue-file.ts';
import type { ComponentKind, ComponentName } from './component.ts';
import type { LiveCatalogue } from './live-catalogue.ts';

/** All filters that requests may use. Some need a worker with a device. */
const ALL_FILTERS: ReadonlySet<string> = new Set([...FILTERS, ...DEVICE_FILTERS]);

/** The options and components that requests may use. A complete catalogue contains all of them that the build has. */
const REQUESTABLE = [CLI_RULES.keys(), ALL_FILTERS, INPUT_FORMAT_NAMES, MUXERS].map((names) => [...names].sort());

/** Identifies the complete catalogue of a build. The key also changes with the file format and the allowlist of Telecine. */
export const catalogueKeyOf = ({ key }: Pick<Build, 'key'>): string =>
  createHash('sha256')
    .update(JSON.stringify([key, FORMAT, REQUESTABLE]))
    .digest('hex');

/** How many facts a service queries at the same time. Queries for requests run in between. */
const CHUNK = 2;

/**
 * Queries all facts that a request may need, so that machines without this ffmpeg can plan requests. A build with all libraries needs some
 * 1,500 processes of 60 ms. This happens once, because the catalogue saves the facts.
 *
 * @param options.chunk How many facts to query at the same time.
 * @param options.inBackground Whether the queries run at low priority.
 */
export async function completeCatalogue(
  live: Pick<LiveCatalogue, 'current' | 'ensure'>,
  signal: AbortSignal,
  { chunk = CHUNK, inBackground = false } = {},
): Promise<Catalogue> {
  let catalogue = live.current;
  for (;;) {
    const missing = missingFacts(catalogue);
    if (missing === undefined) return catalogue;
    const { options, components } = missing;
    const steps: readonly MissingFacts[] = [
      ...chunks(options, chunk).map((some) => ({ options: some, components: [] })),
      ...chunks(components, chunk).map((some) => ({ options: [], components: some })),
    ];
    for (const facts of steps) {
      signal.throwIfAborted();
      catalogue = await live.ensure((known) => stillMissing(known, facts), { inBackground, signal });
    }
  }
}

const chunks = <T>(values: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

/** Whether the catalogue has all facts, so that `completeCatalogue` has nothing to query. */
export const isComplete = (catalogue: Catalogue): boolean => missingFacts(catalogue) === undefined;

/**
 * The kinds of components, in the order of their queries, with their allowlists. undefined: the kind has no allowlist, and requests may use
 * all its names.
 */
const ALLOWED = new Map<ComponentKind, ReadonlySet<string> | undefined>([
  ['encoder', undefined],
  ['muxer', MUXERS],
  ['filter', ALL_FILTERS],
  ['bsf', undefined],
  ['demuxer', INPUT_FORMAT_NAMES],
  ['decoder', undefined],
]);

/** Whether requests may use an option. Only then may ffmpeg run with it in a query. */
export const isRequestableOption = (name: string): boolean => CLI_RULES.has(name);

/** Whether requests may use a component, and the build contains it. */
export const isRequestableComponent = ({ lists }: Pick<Catalogue, 'lists'>, { kind, name }: ComponentName): boolean =>
  lists[LIST_OF[kind]].has(name) && (ALLOWED.get(kind)?.has(name) ?? true);

function missingFacts(catalogue: Catalogue): MissingFacts | undefined {
  const components = [...ALLOWED.keys()]
    .flatMap((kind) => [...catalogue.lists[LIST_OF[kind]].keys()].map((name) => ({ kind, name })))
    .filter((one) => isRequestableComponent(catalogue, one));
  return stillMissing(catalogue, { options: [...CLI_RULES.keys()], components });
}
