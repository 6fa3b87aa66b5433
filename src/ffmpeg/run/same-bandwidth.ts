import type { OutputStream } from '../../domain/job.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { argumentOf, type MediaFacts, withField } from './media-facts.ts';

/** Codecs whose encoders here (libx264, libx265) have no bit rate unless an option sets one. */
const WITHOUT_RATE: ReadonlySet<string> = new Set(['h264', 'hevc', 'libx264', 'libx265']);

/**
 * Variants of HLS whose pictures have no bit rate: releases that do not measure it (5.1) then write that of the sound alone into the
 * master playlist, the same for all, and players cannot choose.
 */
export function sameBandwidth(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const same = sameVariants(facts, pass);
  return same.length > 0 || pass.hasMeasuredRates !== false ? same : withoutRates(facts, pass, '');
}

/** The same before the run. The release of the worker's ffmpeg is not known here. */
export function foreseenBandwidth(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const same = sameVariants(facts, pass);
  return same.length > 0 ? same : withoutRates(facts, pass, 'With ffmpeg 5, ');
}

/** An option of one of the pictures: `s:v:1`, `b:v:0`. */
const OF_VARIANT = /^-\w[\w-]*:(?:v:)?\d{1,2}$/;

/** Whether variants get pictures of their own. */
export const hasOwnVariants = ({ argv }: MediaFacts): boolean => argv.some((word) => OF_VARIANT.test(word));

/** The beginning of the fix for variants with the same picture. The recipe has sizes that suit the film. */
export const OWN_VARIANTS =
  'For a ladder of sizes, send "preset": {"name": "hls"} instead of "map" and "var_stream_map". For your own variants, send a size and a rate of each, "s:v:1" and "b:v:1",';

/** Variants of HLS that are the same picture, encoded in the same way. */
function sameVariants(facts: MediaFacts, { outputStreams, used }: Pick<ForeseenPass, 'outputStreams' | 'used'>) {
  const videos = outputStreams.filter(({ type }) => type === 'video');
  const sources = videos.map(({ index }) => used.find(({ output }) => output === index));
  const [first] = sources;
  const isOne = sources.every((one) => one?.input === first?.input && one?.stream === first?.stream);
  if (argumentOf(facts, 'var_stream_map') === undefined || videos.length < 2) return [];
  if (first === undefined || !isOne || hasOwnVariants(facts)) return [];
  return [
    withField(facts, 'var_stream_map', {
      code: 'SAME_BANDWIDTH',
      message: `The ${videos.length} variants are the same picture in the same size and rate, so players have no choice.`,
      fix: `${OWN_VARIANTS} as well.`,
    }),
  ];
}

function withoutRates(
  facts: MediaFacts,
  { outputStreams, used }: Pick<ForeseenPass, 'outputStreams' | 'used'>,
  release: string,
): readonly RunWarning[] {
  if (argumentOf(facts, 'var_stream_map') === undefined || argumentOf(facts, 'master_pl_name') === undefined) return [];
  const copies = new Set(used.flatMap(({ output, copied }) => (copied && output !== undefined ? [output] : [])));
  const videos = outputStreams.filter(({ type }) => type === 'video');
  const unlimited = videos.flatMap((video, number) =>
    WITHOUT_RATE.has(video.codec) && !copies.has(video.index) && !hasRate(facts, number) ? [{ video, number }] : [],
  );
  if (unlimited.length < 2) return [];
  const members = unlimited.flatMap(({ video, number }) => {
    const kilobits = usualKilobits(video);
    return [
      { do: 'add', name: `maxrate:v:${number}`, value: `${kilobits}k` },
      { do: 'add', name: `bufsize:v:${number}`, value: `${2 * kilobits}k` },
    ] as const;
  });
  return [
    withField(facts, 'var_stream_map', {
      code: 'SAME_BANDWIDTH',
      message: `${release}${release === '' ? 'The' : 'the'} master playlist gives ${unlimited.length} variants the BANDWIDTH of their sound alone, because nothing limits the bit rate of their pictures. Players cannot tell which one their line carries.`,
      fix: { edits: members },
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
