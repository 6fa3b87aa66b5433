/** The maximum number of macroblocks in a frame and in a second, by level of H.264 (Table A-1 of the standard). */
const LEVELS: ReadonlyMap<string, readonly [frame: number, second: number]> = new Map([
  ['1', [99, 1485]],
  ['1.1', [396, 3000]],
  ['1.2', [396, 6000]],
  ['1.3', [396, 11_880]],
  ['2', [396, 11_880]],
  ['2.1', [792, 19_800]],
  ['2.2', [1620, 20_250]],
  ['3', [1620, 40_500]],
  ['3.1', [3600, 108_000]],
  ['3.2', [5120, 216_000]],
  ['4', [8192, 245_760]],
  ['4.1', [8192, 245_760]],
  ['4.2', [8704, 522_240]],
  ['5', [22_080, 589_824]],
  ['5.1', [36_864, 983_040]],
  ['5.2', [36_864, 2_073_600]],
]);

type Video = Readonly<Record<'width' | 'height' | 'fps', number>>;

const blocksOf = (width: number, height: number): number => Math.ceil(width / 16) * Math.ceil(height / 16);

/** Returns the lowest level that allows a video. undefined: no level allows it. */
export function levelFor({ width, height, fps }: Video): string | undefined {
  const blocks = blocksOf(width, height);
  return [...LEVELS].find(([, [frame, second]]) => blocks <= frame && blocks * fps <= second)?.[0];
}

/** Returns filters that reduce a video to what a level allows. undefined: nothing exceeds it, or no usual size is small enough. */
export function filtersForLevel(level: string, { width, height, fps }: Video): string | undefined {
  const limits = LEVELS.get(level);
  if (limits === undefined) return undefined;
  const heights = [1080, 720, 576, 480, 360, 288, 240, 144].filter((one) => one <= height);
  const blocksAt = (one: number): number => blocksOf((width / height) * one, one);
  const fitting = heights.find((one) => blocksAt(one) <= limits[0]);
  if (fitting === undefined) return undefined;
  const most = limits[1] / blocksAt(fitting);
  const rate = fps <= most ? undefined : [60, 50, 30, 25, 24, 15].find((one) => one <= most);
  const scale = fitting === height ? [] : [`scale=-2:${fitting}`];
  return [...scale, ...(rate === undefined ? [] : [`fps=${rate}`])].join(',') || undefined;
}
