import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import {
  type Catalogue,
  type CliFacts,
  componentKey,
  type MissingFacts,
} from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { parseInitialAnswers, parseListAnswers } from '../../packages/ffmpeg/src/catalogue/query-ffmpeg.ts';
import type { InitialAnswers, ListAnswers } from '../../packages/ffmpeg/src/catalogue/started-queries.ts';

/** The recorded ffmpeg builds, see test/fixtures/ffmpeg-help/README.md. */
export const RECORDED = ['5.1', '7.1', '9.0'] as const;
export type Recorded = (typeof RECORDED)[number];

/** The output of `scripts/record-catalogue.ts`. */
interface Recording {
  readonly versionLine: string;
  readonly version: string;
  readonly release: readonly [number, number];
  readonly basics: InitialAnswers & ListAnswers;
  readonly options: readonly (readonly [string, CliFacts])[];
  readonly components: readonly (readonly [string, string])[];
}

const recordings = new Map<Recorded, Recording>();
const catalogues = new Map<Recorded, Catalogue>();
const freshCatalogues = new Map<Recorded, Catalogue>();

/** Read once per process. */
export function recording(version: Recorded): Recording {
  const recording = recordings.get(version) ?? readRecording(version);
  recordings.set(version, recording);
  return recording;
}

function readRecording(version: Recorded): Recording {
  const file = new URL(`../fixtures/ffmpeg-help/${version}.json.br`, import.meta.url);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}

/** The catalogue of a recorded build, with all options and the recorded components. Parsed once per process. */
export function recordedCatalogue(version: Recorded = '5.1'): Catalogue {
  const catalogue = catalogues.get(version) ?? parseRecording(version);
  catalogues.set(version, catalogue);
  return catalogue;
}

function parseRecording(version: Recorded): Catalogue {
  const { options, components } = recording(version);
  const fresh = freshCatalogue(version);
  return {
    ...fresh,
    cli: new Map([...fresh.cli, ...options]),
    components: new Map(components.map(([key, text]) => [key, { text }])),
  };
}

/** The catalogue of a recorded build at the first start, before any request needed a fact. Parsed once per process. */
export function freshCatalogue(version: Recorded = '5.1'): Catalogue {
  const catalogue = freshCatalogues.get(version) ?? parseFresh(version);
  freshCatalogues.set(version, catalogue);
  return catalogue;
}

function parseFresh(version: Recorded): Catalogue {
  const { versionLine, version: whole, release, basics } = recording(version);
  const build = { path: '/usr/bin/ffmpeg', versionLine, version: whole, release, key: whole };
  return parseInitialAnswers(build, basics, parseListAnswers(basics));
}

/**
 * Adds facts to a catalogue as `LiveCatalogue.ensure` does, from the recording of its build. Returns undefined if the
 * recording lacks one.
 */
export function ensureRecorded(
  version: Recorded,
  from: Catalogue,
  findMissing: (catalogue: Catalogue) => MissingFacts | undefined,
): Catalogue | undefined {
  const all = recordedCatalogue(version);
  let current = from;
  for (let missing = findMissing(current); missing !== undefined; missing = findMissing(current)) {
    const cli = new Map(current.cli);
    for (const name of missing.options) cli.set(name, all.cli.get(name) ?? { argument: false, place: 'nowhere' });
    const components = new Map(current.components);
    for (const component of missing.components) {
      const help = all.components.get(componentKey(component));
      if (help === undefined) return undefined;
      components.set(componentKey(component), help);
    }
    current = { ...current, cli, components };
  }
  return current;
}
