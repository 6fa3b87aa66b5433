import type { Job } from '@telecine/client';

type Output = NonNullable<Job['outputs']>[number];

/** The video stream of an output. undefined: it has no frames. */
export const outputVideo = ({ streams = [] }: Pick<Output, 'streams'>) =>
  streams.find(({ type, width, height }) => type === 'video' && width && height);

/** The video stream of the first output of a finished job. undefined: it has no frames. */
export const shownVideo = ({ outputs: [first] = [] }: Job) => first && outputVideo(first);
