/** A level of H.264, by Table A-1 of the standard. A macroblock has 16 × 16 pixels. */
export interface H264Level {
  readonly level: string;
  /** The maximum number of macroblocks in a frame. */
  readonly blocksPerFrame: number;
  readonly blocksPerSecond: number;
  /** The maximum bit rate of the Main profile, in kilobits per second. */
  readonly kilobits: number;
}

const level = (name: string, blocksPerFrame: number, blocksPerSecond: number, kilobits: number): H264Level => ({
  level: name,
  blocksPerFrame,
  blocksPerSecond,
  kilobits,
});

/** Ascending. */
export const H264_LEVELS: readonly H264Level[] = [
  level('1', 99, 1485, 64),
  level('1.1', 396, 3000, 192),
  level('1.2', 396, 6000, 384),
  level('1.3', 396, 11_880, 768),
  level('2', 396, 11_880, 2000),
  level('2.1', 792, 19_800, 4000),
  level('2.2', 1620, 20_250, 4000),
  level('3', 1620, 40_500, 10_000),
  level('3.1', 3600, 108_000, 14_000),
  level('3.2', 5120, 216_000, 20_000),
  level('4', 8192, 245_760, 20_000),
  level('4.1', 8192, 245_760, 50_000),
  level('4.2', 8704, 522_240, 50_000),
  level('5', 22_080, 589_824, 135_000),
  level('5.1', 36_864, 983_040, 240_000),
  level('5.2', 36_864, 2_073_600, 240_000),
  level('6', 139_264, 4_177_920, 240_000),
  level('6.1', 139_264, 8_355_840, 480_000),
  level('6.2', 139_264, 16_711_680, 800_000),
];

/** The number of macroblocks in a frame. */
export const macroblocksOf = (width: number, height: number): number => Math.ceil(width / 16) * Math.ceil(height / 16);

/** Returns the lowest level that allows the size and the frame rate of a video, whatever its bit rate is. undefined: no level allows them. */
export function lowestLevel({
  width,
  height,
  fps,
}: Readonly<Record<'width' | 'height' | 'fps', number>>): H264Level | undefined {
  const blocks = macroblocksOf(width, height);
  return H264_LEVELS.find(
    ({ blocksPerFrame, blocksPerSecond }) => blocks <= blocksPerFrame && blocks * fps <= blocksPerSecond,
  );
}
