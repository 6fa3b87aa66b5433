import { z } from 'zod';
import { CUT_SETTINGS } from '../domain/cut.ts';

const number = (min: number, max: number, description: string, example: number) =>
  z
    .number()
    .min(min)
    .max(max)
    .meta({ description, examples: [example] })
    .exactOptional();

const { minSeconds: SECONDS, noiseDb: DECIBELS } = CUT_SETTINGS;
const minSeconds = number(SECONDS.min, SECONDS.max, 'The shortest one to report, in seconds. Default: 2.', 2);
const noiseDb = (description: string) => number(DECIBELS.min, DECIBELS.max, `${description} Default: -60.`, -50);

/** The settings of measurements that find parts of a file, which can be removed then. */
export const partSettings = {
  silence: z
    .strictObject({ noiseDb: noiseDb('Sound below this level is silence, in dBFS.'), minSeconds })
    .exactOptional(),
  black: z
    .strictObject({
      minSeconds,
      share: number(0, 1, 'The share of a picture that must be black. Default: 0.98.', 0.98),
      pixel: number(0, 1, 'The luminance below which a pixel is black. Default: 0.1.', 0.1),
    })
    .exactOptional(),
  freeze: z
    .strictObject({ noiseDb: noiseDb('The difference below which a picture is the same, in dB.'), minSeconds })
    .exactOptional(),
};

const { threshold: THRESHOLD } = CUT_SETTINGS;

/** How changes of scenes are found. */
export const sceneSettings = z.strictObject({
  threshold: number(THRESHOLD.min, THRESHOLD.max, 'How much a picture must differ. Default: 10.', 10),
});

/** The settings of measurements. */
export const settings = z
  .strictObject({
    ...partSettings,
    scenes: sceneSettings.exactOptional(),
    crop: z
      .strictObject({
        limit: number(0, 1, 'The luminance below which a border is black. Default: 0.094.', 0.1),
        round: z.int().min(2).max(64).meta({ description: 'Sizes are multiples of it. Default: 2.' }).exactOptional(),
      })
      .exactOptional(),
    bitrate: z
      .strictObject({ intervalSeconds: number(0.1, 3600, 'Default: 1, longer for files above 1,000 s.', 1) })
      .exactOptional(),
  })
  .meta({
    id: 'AnalysisSettings',
    description: 'Settings of measurements.',
    examples: [{ silence: { noiseDb: -50 } }],
  });
