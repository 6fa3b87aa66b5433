import { bareWord } from './bare-word.ts';

/** What people mean by several sizes of one film: recipes write three, of which a request says the largest. */

const NAMES =
  /^(?:(?:output|video|target)?(?:resolutions|renditions|variants|qualities|heights|sizes|levels|bitrates)|ladder|bitrateladder|representations|streamingprofile|abr|adaptive)$/;

/** Whether a name is one for several sizes of a film. */
export const meansRenditions = (name: string): boolean => NAMES.test(bareWord(name));

/** Heights of usual sizes. Other numbers are bit rates and frame rates. */
const HEIGHTS: ReadonlySet<number> = new Set([2160, 1440, 1080, 720, 540, 480, 360, 240]);

/** The greatest of the heights in a value: `[1080, 720]`, `"1080p,720p"`, `[{"height": 720}]`, `["1920x1080"]`. undefined if it has none. */
export function topOfRenditions(value: unknown): number | undefined {
  const shown = (JSON.stringify(value) ?? '').replaceAll(/\b\d{3,4}\s?[x×](?=\d)/g, '');
  const found = [...shown.matchAll(/(?<![\d.])(\d{3,4})p?(?![\d.kKmM])\b/g)].map(([, one]) => Number(one));
  const heights = found.filter((one) => HEIGHTS.has(one));
  return heights.length === 0 ? undefined : Math.max(...heights);
}
