import type { Job } from '@telecine/client';

/** The video stream of the first output of a finished job. undefined: it has no frames. */
export const shownVideo = ({ outputs }: Job) =>
  outputs?.[0]?.streams?.find(({ type, width, height }) => type === 'video' && width && height);
