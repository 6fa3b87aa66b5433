import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Answers } from '../../packages/ffmpeg/src/catalogue/answers.ts';
import type { Build } from '../../packages/ffmpeg/src/catalogue/build.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { catalogueOf } from '../../packages/ffmpeg/src/catalogue/parse-answers.ts';
import type { queryLists, TriedOption } from './query-ffmpeg.ts';

/** The recorded ffmpeg builds, see test/fixtures/ffmpeg-help/README.md. */
export const RECORDED = ['5.1', '7.1', '9.0'] as const;
export type Recorded = (typeof RECORDED)[number];

/** The output of `scripts/record-catalogue.ts`. */
export interface Recording {
  readonly versionLine: string;
  readonly version: string;
  readonly release: readonly [number, number];
  readonly answers: Answers;
  readonly lists: Awaited<ReturnType<typeof queryLists>>;
  readonly options: readonly (readonly [name: string, tried: TriedOption])[];
  /** The help of the components that requests may use, by `componentKey`. */
  readonly components: readonly (readonly [key: string, help: string])[];
}

const recordings = new Map<Recorded, Recording>();
const catalogues = new Map<Recorded, Catalogue>();

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

export function recordedBuild(version: Recorded): Build {
  const { versionLine, version: whole, release } = recording(version);
  return { path: '/usr/bin/ffmpeg', versionLine, version: whole, release, key: whole };
}

/** The catalogue of a recorded build. Parsed once per process. */
export function recordedCatalogue(version: Recorded = '5.1'): Catalogue {
  const catalogue = catalogues.get(version) ?? catalogueOf(recordedBuild(version), recording(version).answers);
  catalogues.set(version, catalogue);
  return catalogue;
}
