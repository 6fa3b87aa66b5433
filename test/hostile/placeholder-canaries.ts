import type { Canaries } from './canaries.ts';

/** Canaries that do not exist, for requests that are planned but not run. */
export const PLACEHOLDER_CANARIES: Canaries = {
  root: '/srv/media',
  movie: '/srv/host/private.mp4',
  stream: '/srv/host/private.ts',
  text: '/srv/host/private.srt',
  library: '/srv/host/plugin.so',
  folder: '/srv/host/untouched',
  listener: '127.0.0.1:9',
  socket: '/srv/host/socket',
  touched: async () => [],
  close: () => undefined,
};
