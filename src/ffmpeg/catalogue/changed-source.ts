import { createHash } from 'node:crypto';
import type { FieldError } from '../../domain/problem.ts';
import type { Catalogue, MissingFacts } from './catalogue.ts';
import type { QueryOptions } from './query-ffmpeg.ts';

/** What gives a catalogue, such as `LiveCatalogue` and `CatalogueSource`. */
export interface CatalogueFrom {
  readonly current: Catalogue;
  ensure(findMissing: (catalogue: Catalogue) => MissingFacts | undefined, how?: QueryOptions): Promise<Catalogue>;
}

/** A source that gives each catalogue of another one changed. `change` returns the same object for the same catalogue. */
function changedSource<S extends CatalogueFrom>(source: S, change: (catalogue: Catalogue) => Catalogue): S {
  const changed = {
    get current() {
      return change(source.current);
    },
    ensure: async (...[findMissing, how]: Parameters<CatalogueFrom['ensure']>) =>
      change(await source.ensure((known) => findMissing(change(known)), how)),
  };
  // A spread of `source` would read its catalogue only once.
  return Object.create(source, Object.getOwnPropertyDescriptors(changed));
}

/** By the catalogue without devices. The same one comes back each time, because plans are cached for it. */
const made = new WeakMap<Catalogue, Map<string, Catalogue>>();

/** Adds what devices offer to the catalogue of a build. Unchanged if they offer nothing. */
function withDevices(catalogue: Catalogue, devices: ReadonlySet<string>): Catalogue {
  if (devices.size === 0) return catalogue;
  const key = [...devices].join(' ');
  const known = made.get(catalogue) ?? new Map<string, Catalogue>();
  made.set(catalogue, known);
  const found = known.get(key) ?? { ...catalogue, devices };
  known.set(key, found);
  return found;
}

/** Adds what the devices of a machine offer to all catalogues that a source gives. */
export const sourceWithDevices = <S extends CatalogueFrom>(source: S, devices: ReadonlySet<string>): S =>
  devices.size === 0 ? source : changedSource(source, (catalogue) => withDevices(catalogue, devices));

/** What tells builds apart: their keys, and what the devices of their workers offer. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

/** The filter that recognises speech, in an ffmpeg 8 that was built with whisper.cpp. Clients cannot name it: it opens files by their paths. */
export const SPEECH_FILTER = 'whisper';

/** Whether a build can recognise speech, if it gets a model. */
export const hasSpeechFilter = ({ lists }: Pick<Catalogue, 'lists'>): boolean => lists.filters.has(SPEECH_FILTER);

/** By the catalogue without a model. The same one comes back each time, because plans are cached for it. */
const speechCatalogues = new WeakMap<Catalogue, Catalogue>();

/**
 * The catalogue of a build with a model. It counts as another build, because workers with the same ffmpeg may have none. Unchanged if
 * the build lacks the filter.
 */
export function withSpeech(catalogue: Catalogue): Catalogue {
  if (!hasSpeechFilter(catalogue) || catalogue.speech === true) return catalogue;
  const known = speechCatalogues.get(catalogue);
  if (known !== undefined) return known;
  const { build } = catalogue;
  const key = createHash('sha256').update(`${build.key} ${SPEECH_FILTER}`).digest('hex');
  const speechCatalogue: Catalogue = { ...catalogue, speech: true, build: { ...build, key, programKey: build.key } };
  speechCatalogues.set(catalogue, speechCatalogue);
  return speechCatalogue;
}

/** The same for all catalogues that a source gives. */
export const sourceWithSpeech = <S extends CatalogueFrom>(source: S): S => changedSource(source, withSpeech);

/** Why workers with this catalogue recognise no speech, and what the operator does about it. undefined if they do. */
export function speechUnavailable(
  catalogue: Pick<Catalogue, 'build' | 'lists' | 'speech'>,
): (Omit<FieldError, 'field' | 'fix'> & { readonly fix: string }) | undefined {
  if (catalogue.speech === true) return undefined;
  return hasSpeechFilter(catalogue)
    ? {
        code: 'NEEDS_SPEECH',
        message: 'Captions of speech need a model, and this service has none.',
        fix: 'Ask the operator to set TELECINE_WHISPER_MODEL to the file of a model of whisper.cpp.',
      }
    : {
        code: 'NEEDS_SPEECH',
        message: `Captions of speech need the filter "${SPEECH_FILTER}" of ffmpeg 8, and ffmpeg ${catalogue.build.version} of this service was built without it.`,
        fix: 'Ask the operator to install an ffmpeg that was built with --enable-whisper, and to set TELECINE_WHISPER_MODEL to a model.',
      };
}
