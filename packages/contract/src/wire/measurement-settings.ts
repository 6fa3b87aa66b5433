import { z } from 'zod';
import { CUT_SETTINGS } from '../domain/cut.ts';
import { integer, number } from './described-schemas.ts';

const bounded = (min: number, max: number, description: string, example: number) =>
  number(description, example).min(min).max(max).exactOptional();

const { minSeconds: SECONDS, noiseDb: DECIBELS } = CUT_SETTINGS;
const minSeconds = bounded(SECONDS.min, SECONDS.max, 'The minimum length of a part, in seconds. Default: 2.', 2);
const noiseDb = (description: string) => bounded(DECIBELS.min, DECIBELS.max, `${description} Default: -60.`, -50);

/** The settings of measurements that find parts of a file. A cut can remove these parts. */
export const partSettings = {
  silence: z
    .strictObject({ noiseDb: noiseDb('Audio below this level is silence, in dBFS.'), minSeconds })
    .exactOptional(),
  black: z
    .strictObject({
      minSeconds,
      share: bounded(0, 1, 'The share of a frame that must be black. Default: 0.98.', 0.98),
      pixel: bounded(0, 1, 'The luminance below which a pixel is black. Default: 0.1.', 0.1),
    })
    .exactOptional(),
  freeze: z
    .strictObject({ noiseDb: noiseDb('The difference below which a frame is the same, in dB.'), minSeconds })
    .exactOptional(),
};

const { threshold: THRESHOLD } = CUT_SETTINGS;

/** The settings that decide how scene changes are found. */
export const sceneSettings = z.strictObject({
  threshold: bounded(THRESHOLD.min, THRESHOLD.max, 'How much a frame must differ. Default: 10.', 10),
});

export const settings = z
  .strictObject({
    ...partSettings,
    scenes: sceneSettings.exactOptional(),
    crop: z
      .strictObject({
        limit: bounded(0, 1, 'The luminance below which a border is black. Default: 0.094.', 0.1),
        round: integer('Width and height are multiples of this number. Default: 2.').min(2).max(64).exactOptional(),
      })
      .exactOptional(),
    bitrate: z
      .strictObject({ intervalSeconds: bounded(0.1, 3600, 'Default: 1, longer for files above 1,000 s.', 1) })
      .exactOptional(),
  })
  .meta({
    id: 'AnalysisSettings',
    description: 'Settings of measurements.',
    examples: [{ silence: { noiseDb: -50 } }],
  });
