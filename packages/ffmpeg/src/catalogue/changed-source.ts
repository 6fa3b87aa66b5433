import { createHash } from 'node:crypto';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import type { Build } from './build.ts';
import type { Catalogue, MissingFacts } from './catalogue.ts';
import type { QueryOptions } from './query-ffmpeg.ts';

/** Has the newest catalogue, and can query more facts: `LiveCatalogue` or `CatalogueSource`. */
export interface CatalogueFrom {
  readonly current: Catalogue;
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined, how?: QueryOptions): Promise<Catalogue>;
}

/** A source that applies `change` to each catalogue of `source`. For one catalogue, `change` must always return the same object. */
function changedSource<S extends CatalogueFrom>(source: S, change: (catalogue: Catalogue) => Catalogue): S {
  const changed = {
    get current() {
      return change(source.current);
    },
    ensure: async (...[findMissing, how]: Parameters<CatalogueFrom['ensure']>) =>
      change(await source.ensure((known) => findMissing(change(known)), how)),
  };
  // Keeps the getters of `source`. A spread (`...source`) would read its catalogue only once.
  return Object.create(source, Object.getOwnPropertyDescriptors(changed));
}

/**
 * By catalogue without devices: the catalogues with devices. Plans are cached by catalogue object, so each call with the same devices must
 * return the same object.
 */
const made = new WeakMap<Catalogue, Map<string, Catalogue>>();

function withDevices(catalogue: Catalogue, devices: ReadonlySet<string>): Catalogue {
  if (devices.size === 0) return catalogue;
  const key = [...devices].join(' ');
  const known = made.get(catalogue) ?? new Map<string, Catalogue>();
  made.set(catalogue, known);
  const found = known.get(key) ?? { ...catalogue, devices };
  known.set(key, found);
  return found;
}

/** Adds the abilities of a machine's devices to all catalogues of a source. */
export const sourceWithDevices = <S extends CatalogueFrom>(source: S, devices: ReadonlySet<string>): S =>
  devices.size === 0 ? source : changedSource(source, (catalogue) => withDevices(catalogue, devices));

/** What a worker can run, as a text: the key of its build, and the abilities of its devices. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

/** The build under another key, so that workers with the same ffmpeg that differ in `what` count as different builds. */
const buildWith = (build: Build, what: string): Build => ({
  ...build,
  key: createHash('sha256').update(`${build.key} ${what}`).digest('hex'),
  programKey: build.programKey ?? build.key,
});

/** The filter of ffmpeg 8 that recognises speech with whisper.cpp. A request cannot name it, because it opens files by path. */
export const SPEECH_FILTER = 'whisper';

export const hasSpeechFilter = ({ lists }: Pick<Catalogue, 'lists'>): boolean => lists.filters.has(SPEECH_FILTER);

/**
 * The catalogue of a build with a speech model. It counts as another build, because a worker with the same ffmpeg may have no model. If the
 * build lacks the filter, returns `catalogue`. Cached, because plans are cached by catalogue object.
 */
export const withSpeech = rememberEach((catalogue: Catalogue): Catalogue => {
  if (!hasSpeechFilter(catalogue) || catalogue.speech === true) return catalogue;
  return { ...catalogue, speech: true, build: buildWith(catalogue.build, SPEECH_FILTER) };
});

export const sourceWithSpeech = <S extends CatalogueFrom>(source: S): S => changedSource(source, withSpeech);

/** The filter that measures each metric. */
export const METRIC_FILTERS = {
  ssim: 'ssim',
  xpsnr: 'xpsnr',
  vmaf: 'libvmaf',
} as const satisfies Record<QualityMetric, string>;

export const VMAF_FILTER = METRIC_FILTERS.vmaf;

/**
 * The catalogue of a build whose libvmaf has no model: without the filter, which cannot be used. It counts as another build, because a worker
 * with the same ffmpeg may have another libvmaf. Cached as in `withSpeech`.
 */
export const withoutVmaf = rememberEach((catalogue: Catalogue): Catalogue => {
  const { build, lists } = catalogue;
  const filters = new Map([...lists.filters].filter(([name]) => name !== VMAF_FILTER));
  return { ...catalogue, lists: { ...lists, filters }, lacksVmafModel: true, build: buildWith(build, 'no VMAF model') };
});

export const sourceWithoutVmaf = <S extends CatalogueFrom>(source: S): S => changedSource(source, withoutVmaf);

/** Why a build cannot measure with a filter that its `lists` lack: the end of a sentence about the build. */
export const reasonWithoutFilter = ({ lacksVmafModel }: Pick<Catalogue, 'lacksVmafModel'>, filter: string): string =>
  lacksVmafModel === true && filter === VMAF_FILTER
    ? 'its libvmaf was built without a model'
    : `it has no filter "${filter}"`;

/** Why no worker with this catalogue can recognise speech, and what the operator can do. undefined: a worker can. */
export function speechUnavailable(
  catalogue: Pick<Catalogue, 'build' | 'lists' | 'speech'>,
): (Omit<FieldError, 'field' | 'fix'> & { readonly fix: string }) | undefined {
  if (catalogue.speech === true) return undefined;
  const code = 'NEEDS_SPEECH';
  if (hasSpeechFilter(catalogue))
    return {
      code,
      message: 'Captions of speech need a model, and this service has none.',
      fix: 'Ask the operator to set TELECINE_WHISPER_MODEL to the file of a model of whisper.cpp.',
    };
  return {
    code,
    message: `Captions of speech need the filter "${SPEECH_FILTER}" of ffmpeg 8, and ffmpeg ${catalogue.build.version} of this service was built without it.`,
    fix: 'Ask the operator to install an ffmpeg that was built with --enable-whisper, and to set TELECINE_WHISPER_MODEL to a model.',
  };
}
