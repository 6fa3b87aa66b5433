import type { OutputStream } from '../../domain/job.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { argumentOf, type MediaFacts, withField } from './media-facts.ts';

/** Codecs whose encoders here (libx264, libx265) have no bit rate unless an option sets one. */
const WITHOUT_RATE: ReadonlySet<string> = new Set(['h264', 'hevc']);

/**
 * Variants of HLS whose pictures have no bit rate: releases that do not measure it (5.1) then write that of the sound alone into the
 * master playlist, the same for all, and players cannot choose.
 */
export function sameBandwidth(
  facts: MediaFacts,
  { outputStreams, used, hasMeasuredRates }: FinishedPass,
): readonly RunWarning[] {
  if (hasMeasuredRates !== false) return [];
  if (argumentOf(facts, 'var_stream_map') === undefined || argumentOf(facts, 'master_pl_name') === undefined) return [];
  const copies = new Set(used.flatMap(({ output, copied }) => (copied && output !== undefined ? [output] : [])));
  const videos = outputStreams.filter(({ type }) => type === 'video');
  const unlimited = videos.flatMap((video, number) =>
    WITHOUT_RATE.has(video.codec) && !copies.has(video.index) && !hasRate(facts, number) ? [{ video, number }] : [],
  );
  if (unlimited.length < 2) return [];
  const members = unlimited.flatMap(({ video, number }) => {
    const kilobits = usualKilobits(video);
    return [`"maxrate:v:${number}": "${kilobits}k"`, `"bufsize:v:${number}": "${2 * kilobits}k"`];
  });
  return [
    withField(facts, 'var_stream_map', {
      code: 'SAME_BANDWIDTH',
      message: `The master playlist gives ${unlimited.length} variants the BANDWIDTH of their sound alone, because nothing limits the bit rate of their pictures. Players cannot tell which one their line carries.`,
      fix: `Send ${members.join(' and ')} as well.`,
    }),
  ];
}

/** Whether an option sets the bit rate of a video stream, or its limit. */
const hasRate = ({ argv }: MediaFacts, number: number): boolean =>
  ['b', 'maxrate'].some((name) => ['', ':v', `:v:${number}`].some((of) => argv.includes(`-${name}${of}`)));

/** What streams of 1920x1080 pixels at 25 frames a second have. Smaller ones have more bits for each pixel. */
const FULL_HD = { pixelRate: 1920 * 1080 * 25, kilobits: 5000 };
const EXPONENT = 0.75;

/** A usual limit for pictures of this size, with two significant digits. */
function usualKilobits({ width = 1280, height = 720, fps = 25 }: OutputStream): number {
  const kilobits = FULL_HD.kilobits * ((width * height * fps) / FULL_HD.pixelRate) ** EXPONENT;
  return Math.ceil(Number(kilobits.toPrecision(2)));
}
