import { createHash } from 'node:crypto';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { QualityMetric } from '@telecine/contract/domain/quality.ts';
import type { Build } from './build.ts';
import type { Catalogue } from './catalogue.ts';

/** Adds the abilities of a machine's devices to a catalogue. */
export const withDevices = (catalogue: Catalogue, devices: ReadonlySet<string>): Catalogue =>
  devices.size === 0 ? catalogue : { ...catalogue, devices };

/** What a worker can run, as a text: the key of its build, and the abilities of its devices. */
export const offerOf = ({ build, devices = new Set() }: Catalogue): string => [build.key, ...devices].join(' ');

/** The build under another key, so that workers with the same ffmpeg that differ in `what` count as different builds. */
const buildWith = (build: Build, what: string): Build => ({
  ...build,
  key: createHash('sha256').update(`${build.key} ${what}`).digest('hex'),
});

/** The filter of ffmpeg 8 that recognises speech with whisper.cpp. A request cannot name it, because it opens files by path. */
export const SPEECH_FILTER = 'whisper';

export const hasSpeechFilter = ({ lists }: Pick<Catalogue, 'lists'>): boolean => lists.filters.has(SPEECH_FILTER);

/**
 * The catalogue of a build with a speech model. It counts as another build, because a worker with the same ffmpeg may have no model. If the
 * build lacks the filter, returns `catalogue`.
 */
export function withSpeech(catalogue: Catalogue): Catalogue {
  if (!hasSpeechFilter(catalogue) || catalogue.speech === true) return catalogue;
  return { ...catalogue, speech: true, build: buildWith(catalogue.build, SPEECH_FILTER) };
}

/** The filter that measures each metric. */
export const METRIC_FILTERS = {
  ssim: 'ssim',
  xpsnr: 'xpsnr',
  vmaf: 'libvmaf',
} as const satisfies Record<QualityMetric, string>;

export const VMAF_FILTER = METRIC_FILTERS.vmaf;

/**
 * The catalogue of a build whose libvmaf has no model: without the filter, which cannot be used. It counts as another build, because a worker
 * with the same ffmpeg may have another libvmaf.
 */
export function withoutVmaf(catalogue: Catalogue): Catalogue {
  const { build, lists } = catalogue;
  const filters = new Map([...lists.filters].filter(([name]) => name !== VMAF_FILTER));
  return { ...catalogue, lists: { ...lists, filters }, lacksVmafModel: true, build: buildWith(build, 'no VMAF model') };
}

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
