import { z } from 'zod';
import { CUT_LIMITS, CUT_MEASUREMENTS, CUT_SETTINGS } from '../domain/cut.ts';
import { integer, number } from './described-schemas.ts';
import { partSettings, sceneSettings } from './measurement-settings.ts';

const time = (description: string, example: number) =>
  z
    .union([z.number().min(0).max(1e9), z.string().max(32)])
    .meta({ description, examples: [example] })
    .exactOptional();

export const range = z.strictObject({
  start: time('Default: the start of the input.', 10),
  end: time('Default: its end.', 20),
});
const ranges = z.array(range).min(1).max(CUT_LIMITS.ranges);

export const measuredParts = z.strictObject({
  ...partSettings,
  marginSeconds: number('Seconds of each found part, such as a silence, that stay at either side. Default: 0.', 0.2)
    .min(0)
    .max(CUT_LIMITS.marginSeconds)
    .exactOptional(),
});
const measured = measuredParts.refine(
  (parts) => CUT_MEASUREMENTS.filter((one) => parts[one] !== undefined).length === 1,
  {
    error: `"remove" names one of ${CUT_MEASUREMENTS.join(', ')}, with its settings: {"silence": {"noiseDb": -40}}.`,
  },
);

const { count, partSeconds } = CUT_SETTINGS;

export const sceneParts = z.strictObject({
  scenes: sceneSettings,
  count: integer('How many parts. Fewer, if the input has fewer scenes.', 6).min(count.min).max(count.max),
  partSeconds: number('How long each part is, in seconds. Shorter, down to half, if too few scenes are as long.', 2)
    .min(partSeconds.min)
    .max(partSeconds.max),
});

const cutOf = <T extends z.ZodType>(keep: T) =>
  z
    .strictObject({
      keep: keep.exactOptional(),
      remove: z
        .union([ranges, measured])
        .meta({
          description:
            'Instead of `keep`: the parts that it lacks; or what to find when the job runs: `silence`, `black` or `freeze`, with the ' +
            'settings of an analysis.',
          examples: [{ silence: { noiseDb: -40, minSeconds: 0.7 }, marginSeconds: 0.2 }],
        })
        .exactOptional(),
      crossfade: number('Seconds in which each part fades in over the one before.', 0.5).gt(0).exactOptional(),
    })
    .refine(({ keep, remove }) => (keep === undefined) !== (remove === undefined), {
      error: 'Send exactly one of "keep" and "remove" in "cut": {"keep": [{"start": 10, "end": 20}]}.',
    });

/** The field `cut` of a request. */
export const cut = cutOf(
  z.union([ranges, sceneParts]).meta({
    description:
      'The parts of the input that the output has, in order: seconds, or times such as "1:30.5"; or the middles of different scenes, ' +
      'which the job finds.',
    examples: [[{ start: 10, end: 20 }, { start: '1:30' }]],
  }),
).meta({
  id: 'Cut',
  description:
    'Makes the output of parts of `input`, one after the other. Video and audio are cut at the same frames; with `c` "copy", at ' +
    'key frames.',
  examples: [{ keep: [{ start: 10, end: 20 }, { start: '1:30' }] }],
});

/** The field `cut` for models. For scenes, models use the recipe `teaser`. */
export const cutForModels = cutOf(ranges);
