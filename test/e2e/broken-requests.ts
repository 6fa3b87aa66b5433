import { AUDIO_FILTER_ROWS } from './broken-requests/audio-filter-rows.ts';
import type { BrokenRequest } from './broken-requests/broken-request.ts';
import { CONTAINER_ROWS } from './broken-requests/container-rows.ts';
import { ENCODER_ROWS } from './broken-requests/encoder-rows.ts';
import { FILTERGRAPH_ROWS } from './broken-requests/filtergraph-rows.ts';
import { STREAM_ROWS } from './broken-requests/stream-rows.ts';
import { VIDEO_FILTER_ROWS } from './broken-requests/video-filter-rows.ts';

/** The commonest ways in which a request fails in ffmpeg, each tried with ffmpeg 5.1 and 7.1. */
export const BROKEN_REQUESTS: readonly BrokenRequest[] = [
  ...VIDEO_FILTER_ROWS,
  ...AUDIO_FILTER_ROWS,
  ...FILTERGRAPH_ROWS,
  ...ENCODER_ROWS,
  ...CONTAINER_ROWS,
  ...STREAM_ROWS,
];
