import { LADDER_PLACEHOLDERS, type PlannedLadder, type SizedSamples } from '@telecine/contract/domain/ladder.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { SizeValue } from '../../quality/frame-size.ts';
import { type FrameSize, type LadderPoint, peakOf, variantsOfRungs } from '../../quality/ladder.ts';
import type { Sample } from '../../quality/samples.ts';
import { type Pairing, withPairing, withSample } from '../quality/fill-placeholders.ts';

const { rung: RUNG, width, height, sourceWidth, sourceHeight, maxrate, bufsize, variants } = LADDER_PLACEHOLDERS;
const { value: VALUE } = QUALITY_PLACEHOLDERS;

type SampleTimes = Pick<Sample, 'start' | 'seconds'>;

/** Returns the argv that encodes a sample in the size and with the value of each of the tries. */
export function encodeArgv(
  { encode, scale }: Pick<SizedSamples, 'encode' | 'scale'>,
  sample: SampleTimes,
  tries: readonly SizeValue[],
): readonly string[] {
  // Each output has its filters before its value.
  let [sizes, values] = [0, 0];
  const filled = withSample(encode, sample);
  return filled.map((word, at) => {
    const option = filled[at - 1];
    if (option === `-${scale.option}:v` && word === VALUE) return String(tries[values++]?.value ?? scale.max);
    const size = option === '-filter:v' ? tries[sizes++]?.size : undefined;
    return size === undefined ? word : inSize(word, size);
  });
}

/** Returns the argv that compares the encoded samples with their source. */
export const compareArgv = (
  { compare }: Pick<SizedSamples, 'compare'>,
  sample: SampleTimes,
  source: FrameSize,
  pairing: Pairing,
): readonly string[] =>
  withPairing(withSample(compare, sample), pairing).map((word, at, argv) =>
    argv[at - 1] === '-filter:v'
      ? word.replaceAll(sourceWidth, String(source.width)).replaceAll(sourceHeight, String(source.height))
      : word,
  );

/** Returns the argv that writes the rungs, the best first. */
export const ladderArgv = (
  { pass: { start, rung, audio, end }, segmentSeconds }: Pick<PlannedLadder, 'pass' | 'segmentSeconds'>,
  rungs: readonly LadderPoint[],
  hasAudio: boolean,
): readonly string[] => [
  ...start,
  ...rungs.flatMap((one, number) => rungArgs(rung, one, number, segmentSeconds)),
  ...(hasAudio ? audio : []),
  ...end.map((word, at) =>
    end[at - 1] === '-var_stream_map' && word === variants ? variantsOfRungs(rungs.length, hasAudio) : word,
  ),
];

const OF_RUNG = new RegExp(`^(-[a-z]+:v:)${RUNG}$`);

function rungArgs(
  words: readonly string[],
  point: LadderPoint,
  number: number,
  segmentSeconds: number,
): readonly string[] {
  const peak = peakOf(point, segmentSeconds);
  return words.map((word, at) => {
    const name = OF_RUNG.exec(word)?.[1];
    if (name !== undefined) return `${name}${number}`;
    switch (OF_RUNG.exec(words[at - 1] ?? '')?.[1]) {
      case undefined:
        return word;
      case '-filter:v:':
        return inSize(word, point);
      case '-maxrate:v:':
        return word === maxrate ? String(peak.maxrate) : word;
      case '-bufsize:v:':
        return word === bufsize ? String(peak.bufsize) : word;
      default:
        return word === VALUE ? String(point.value) : word;
    }
  });
}

/** Replaces the placeholders of a frame size in a filtergraph. */
export const inSize = (graph: string, size: FrameSize): string =>
  graph.replaceAll(width, String(size.width)).replaceAll(height, String(size.height));
