import { AUDIO } from './audio.ts';
import { COPYING } from './copying.ts';
import { DRAWINGS } from './drawings.ts';
import { ENCODING } from './encoding.ts';
import { LOOKS } from './looks.ts';
import { OVERLAYS } from './overlays.ts';
import { PACKAGING } from './packaging.ts';
import { PICTURES } from './pictures.ts';
import type { Recipe } from './recipe.ts';
import { SCALING } from './scaling.ts';
import { SUBTITLES } from './subtitles.ts';
import { TAGGING } from './tagging.ts';
import { TIMING } from './timing.ts';
import { TRIMMING } from './trimming.ts';

/** All recipes; each output has a folder of its family. */
export const FAMILIES: Readonly<Record<string, readonly Recipe[]>> = {
  copying: COPYING,
  trimming: TRIMMING,
  scaling: SCALING,
  timing: TIMING,
  encoding: ENCODING,
  audio: AUDIO,
  subtitles: SUBTITLES,
  pictures: PICTURES,
  overlays: OVERLAYS,
  looks: LOOKS,
  drawings: DRAWINGS,
  tagging: TAGGING,
  packaging: PACKAGING,
};
