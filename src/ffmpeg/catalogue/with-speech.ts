import { createHash } from 'node:crypto';
import type { FieldError } from '../../domain/problem.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueFrom, changedSource } from './changed-source.ts';

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
