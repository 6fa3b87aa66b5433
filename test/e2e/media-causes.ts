import { CONTAINER_CAUSES } from './media-causes/container-causes.ts';
import { CUT_OFF_CAUSES } from './media-causes/cut-off-causes.ts';
import { DAMAGE_CAUSES } from './media-causes/damage-causes.ts';
import { FILE_CAUSES } from './media-causes/file-causes.ts';
import { FILTER_CAUSES } from './media-causes/filter-causes.ts';
import { JOIN_CAUSES } from './media-causes/join-causes.ts';
import type { MediaCause } from './media-causes/media-cause.ts';
import { REQUEST_CAUSES } from './media-causes/request-causes.ts';
import { SELECTION_CAUSES } from './media-causes/selection-causes.ts';
import { SUBTITLE_CAUSES } from './media-causes/subtitle-causes.ts';
import { TAG_CAUSES } from './media-causes/tag-causes.ts';
import { TIME_CAUSES } from './media-causes/time-causes.ts';

/** Requests that go wrong because of what their inputs contain. */
export const MEDIA_CAUSES: readonly MediaCause[] = [
  ...CONTAINER_CAUSES,
  ...CUT_OFF_CAUSES,
  ...DAMAGE_CAUSES,
  ...FILE_CAUSES,
  ...FILTER_CAUSES,
  ...JOIN_CAUSES,
  ...REQUEST_CAUSES,
  ...SELECTION_CAUSES,
  ...TAG_CAUSES,
  ...SUBTITLE_CAUSES,
  ...TIME_CAUSES,
];
