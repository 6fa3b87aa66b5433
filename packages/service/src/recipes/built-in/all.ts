import type { ListedRecipe } from '@telecine/contract/domain/recipe.ts';
import { AUDIO_RECIPES } from './audio.ts';
import { COMBINE } from './combine.ts';
import { IMAGES } from './images.ts';
import { JOINING } from './joining.ts';
import { LOOKS } from './looks.ts';
import { PROFESSIONAL } from './professional.ts';
import { SEVERAL } from './several.ts';
import { SHAPE } from './shape.ts';
import { STREAMING } from './streaming.ts';
import { TIMING } from './timing.ts';
import { WEB_VIDEO } from './web-video.ts';

/** The built-in recipes by family, in the order of the documentation. */
export const BUILT_IN_FAMILIES = {
  'Video for the web': WEB_VIDEO,
  'Adaptive streaming': STREAMING,
  'Several files at once': SEVERAL,
  'Shape of the video': SHAPE,
  'Parts, speed and order': TIMING,
  'Images and animations': IMAGES,
  Audio: AUDIO_RECIPES,
  Joining: JOINING,
  'Several inputs, subtitles and text': COMBINE,
  'Looks and repairs': LOOKS,
  'Editing and delivery': PROFESSIONAL,
} as const;

export const BUILT_IN: readonly ListedRecipe[] = Object.values(BUILT_IN_FAMILIES).flatMap((family) =>
  family.map((recipe) => ({ ...recipe, source: 'built-in' as const })),
);
