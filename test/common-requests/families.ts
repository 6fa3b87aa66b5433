import { AUDIO } from './audio.ts';
import { CHANNELS } from './channels.ts';
import { CODECS } from './codecs.ts';
import type { CommonRequest } from './common-request.ts';
import { CONTAINERS } from './containers.ts';
import { COPYING } from './copying.ts';
import { DRAWINGS } from './drawings.ts';
import { H264 } from './h264.ts';
import { LOOKS } from './looks.ts';
import { OVERLAYS } from './overlays.ts';
import { PACKAGING } from './packaging.ts';
import { PICTURES } from './pictures.ts';
import { RECIPES } from './recipes.ts';
import { SCALING } from './scaling.ts';
import { SLIDES } from './slides.ts';
import { SOUND } from './sound.ts';
import { SUBTITLES } from './subtitles.ts';
import { TAGGING } from './tagging.ts';
import { TIMING } from './timing.ts';
import { TRIMMING } from './trimming.ts';

/** The common requests without a recipe, by family. The outputs of a family are in a folder of its name. */
export const FAMILIES: Readonly<Record<string, readonly CommonRequest[]>> = {
  copying: COPYING,
  trimming: TRIMMING,
  scaling: SCALING,
  timing: TIMING,
  h264: H264,
  codecs: CODECS,
  containers: CONTAINERS,
  audio: AUDIO,
  channels: CHANNELS,
  sound: SOUND,
  subtitles: SUBTITLES,
  pictures: PICTURES,
  slides: SLIDES,
  overlays: OVERLAYS,
  looks: LOOKS,
  drawings: DRAWINGS,
  tagging: TAGGING,
  packaging: PACKAGING,
};

/** All common requests. */
export const ALL_FAMILIES: Readonly<Record<string, readonly CommonRequest[]>> = { ...FAMILIES, recipes: RECIPES };
