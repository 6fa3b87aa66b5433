import type { Job } from '../../domain/job.ts';
import { AROUND, encodingSeconds, wallSeconds } from './conversion-time.ts';
import { NoEstimate } from './link.ts';

/** The encoders that ffmpeg has for codecs, for jobs that do not name theirs. */
const USUAL_ENCODERS: Readonly<Record<string, string>> = {
  h264: 'libx264',
  hevc: 'libx265',
  vp9: 'libvpx-vp9',
  vp8: 'libvpx',
  av1: 'libsvtav1',
  mpeg4: 'mpeg4',
  mpeg2video: 'mpeg2video',
  prores: 'prores_ks',
};

/**
 * The fewest seconds of a run, and of its work by the model, that say something about the speed: shorter ones are mostly start and end,
 * which do not grow with the work.
 */
const MIN_SECONDS = 2;

const MEGA = 1e6;

/**
 * How many times as long as the model says a finished job ran, by the streams of its outputs. Undefined for a job that tells
 * nothing: it copied streams, was short, had little work, or used an encoder that the model does not know.
 */
export function speedRatio({ request, outputs = [], startedAt, completedAt }: Job, cores: number): number | undefined {
  const seconds = (Date.parse(completedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
  if (!(seconds >= MIN_SECONDS)) return undefined;
  const film = outputs.flatMap(({ durationSeconds = 0, streams = [] }) =>
    streams.flatMap(({ type, codec, width = 0, height = 0, fps = 0 }) =>
      type === 'video' && width > 0 && fps > 0
        ? [{ codec, megapixels: (width * height * fps * durationSeconds) / MEGA }]
        : [],
    ),
  );
  const { parameters = {} } = request;
  const option = (name: string): string | undefined =>
    [parameters[`${name}:v`], parameters[name], name === 'c' ? parameters['vcodec'] : undefined].find(
      (one) => typeof one === 'string',
    ) as string | undefined;
  if (film.length === 0 || option('c') === 'copy') return undefined;
  try {
    const work = film.reduce((sum, { codec, megapixels }) => {
      const encoder = option('c') ?? USUAL_ENCODERS[codec] ?? codec;
      return sum + megapixels * encodingSeconds(encoder, option);
    }, 0);
    const modelled = wallSeconds(work, cores);
    return modelled < MIN_SECONDS ? undefined : (seconds - AROUND) / modelled;
  } catch (error) {
    if (error instanceof NoEstimate) return undefined;
    throw error;
  }
}
