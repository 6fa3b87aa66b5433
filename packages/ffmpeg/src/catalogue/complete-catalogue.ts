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

/** The filters that requests may use, also those that need a device. */
const ALL_FILTERS: ReadonlySet<string> = new Set([...FILTERS, ...DEVICE_FILTERS]);

/** The options and components that requests may use. A complete catalogue has the facts about all of them that the build has. */
const REQUESTABLE = [CLI_RULES.keys(), ALL_FILTERS, INPUT_FORMAT_NAMES, MUXERS].map((names) => [...names].sort());

/** Identifies the complete catalogue of a build. The key also changes with the form of the file and with the allowlists of Telecine. */
export const catalogueKeyOf = ({ key }: Pick<Build, 'key'>): string =>
  createHash('sha256')
    .update(JSON.stringify([key, FORMAT, REQUESTABLE]))
    .digest('hex');

/** How many facts a running service queries at a time. Between two such groups, the queries of requests run. */
const CHUNK = 2;

/**
 * Queries all facts that a request may need, so that machines without this ffmpeg can plan requests. A build with all libraries needs some
 * 1,500 processes of 60 ms each. The facts are saved, so this happens once.
 *
 * @param options.chunk How many facts to query at a time.
 * @param options.inBackground True: the queries run at low priority.
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

/** True if the catalogue has all facts that a request may need. */
export const isComplete = (catalogue: Catalogue): boolean => missingFacts(catalogue) === undefined;

/**
 * The kinds of components in the order of their queries, with their allowlists. undefined: requests may use every component of the kind.
 */
const ALLOWED = new Map<ComponentKind, ReadonlySet<string> | undefined>([
  ['encoder', undefined],
  ['muxer', MUXERS],
  ['filter', ALL_FILTERS],
  ['bsf', undefined],
  ['demuxer', INPUT_FORMAT_NAMES],
  ['decoder', undefined],
]);

/** True if requests may use an option. A query runs ffmpeg with the option, so other options must not be queried. */
export const isRequestableOption = (name: string): boolean => CLI_RULES.has(name);

/** True if requests may use a component, and the build has it. */
export const isRequestableComponent = ({ lists }: Pick<Catalogue, 'lists'>, { kind, name }: ComponentName): boolean =>
  lists[LIST_OF[kind]].has(name) && (ALLOWED.get(kind)?.has(name) ?? true);

function missingFacts(catalogue: Catalogue): MissingFacts | undefined {
  const components = [...ALLOWED.keys()]
    .flatMap((kind) => [...catalogue.lists[LIST_OF[kind]].keys()].map((name) => ({ kind, name })))
    .filter((one) => isRequestableComponent(catalogue, one));
  return stillMissing(catalogue, { options: [...CLI_RULES.keys()], components });
}
