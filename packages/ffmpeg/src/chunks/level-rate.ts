import { lowestLevel } from '../values/h264-levels.ts';

/** The levels of HEVC: pixels per second and per frame, and kilobits per second of the Main tier. */
const HEVC_LEVELS: readonly (readonly [perSecond: number, perFrame: number, kilobits: number])[] = [
  [552_960, 36_864, 128],
  [3_686_400, 122_880, 1500],
  [7_372_800, 245_760, 3000],
  [16_588_800, 552_960, 6000],
  [33_177_600, 983_040, 10_000],
  [66_846_720, 2_228_224, 12_000],
  [133_693_440, 2_228_224, 20_000],
  [267_386_880, 8_912_896, 25_000],
  [534_773_760, 8_912_896, 40_000],
  [1_069_547_520, 8_912_896, 60_000],
  [1_069_547_520, 35_651_584, 60_000],
  [2_139_095_040, 35_651_584, 120_000],
  [4_278_190_080, 35_651_584, 240_000],
];

/** libx264 assumes that peaks have twice the average bit rate when it chooses a level. */
const PEAK = 2;

/** Frames per second are counted, and so are a little too many or too few. */
const ROUNDING = 0.999;

/** A video whose encoder chooses the level. */
interface LeveledVideo {
  readonly codec: 'h264' | 'hevc';
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

/**
 * The highest average bit rate with which the encoder chooses the level by the size and the rate of the frames alone, in bits per second. All chunks
 * below it have the same level, and so the same headers.
 */
export function mostRateOfLevel({ codec, width, height, framesPerSecond }: LeveledVideo): number {
  const fps = framesPerSecond * ROUNDING;
  if (codec === 'h264')
    return ((lowestLevel({ width, height, fps })?.kilobits ?? Number.POSITIVE_INFINITY) * 1000) / PEAK;
  const area = width * height;
  const level = HEVC_LEVELS.find(([perSecond, perFrame]) => area <= perFrame && area * fps <= perSecond);
  return (level?.[2] ?? Number.POSITIVE_INFINITY) * 1000;
}
