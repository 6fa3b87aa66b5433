import type { ArgvOption } from './argv-option.ts';

/** The numbers of the videos of an output that a specifier means. undefined: it may mean other streams. */
export function videosOf(specifier = '', videos = 1): readonly number[] | undefined {
  const all = Array.from({ length: videos }, (_, at) => at);
  if (/^[vV]?$/.test(specifier)) return all;
  const number = /^[vV]:(\d{1,3})$/.exec(specifier)?.[1];
  return number !== undefined && Number(number) < videos ? [Number(number)] : undefined;
}

/** The value of an option for a video of an output, by the number of the video. */
export const valueForVideo = (options: readonly ArgvOption[], wanted: string, video: number): string | undefined =>
  options.findLast(
    ({ name: { name, specifier } }) => name === wanted && videosOf(specifier, video + 1)?.includes(video) === true,
  )?.values[0];
