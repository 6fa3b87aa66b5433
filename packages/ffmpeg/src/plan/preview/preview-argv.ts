import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type ArgvParts, decodingArgv, NULL_OUTPUT, partsOfBuild, severalOutputsArgv } from '../argv.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** A file that a preview reads. Its kind is guessed from the extension of its path. */
export interface PreviewInput {
  readonly logical: string;
  readonly path: MediaPath;
}

/** What every argv of a preview depends on. */
export interface ArgvFacts {
  readonly catalogue: Catalogue;
  readonly policy: ClientLimits;
  readonly cores: number;
}

/** The maximum number of threads of a preview, which is light work: the cores are for conversions. */
const MAX_THREADS = 2;

const previewPolicy = (policy: ClientLimits): ClientLimits => ({
  ...policy,
  threads: Math.min(policy.threads ?? MAX_THREADS, MAX_THREADS),
});

/** The parts that all outputs of an argv share. */
const commonParts = ({ catalogue, policy, cores }: ArgvFacts) => partsOfBuild(catalogue, previewPolicy(policy), cores);

const inputOf = ({ logical, path }: PreviewInput, field: string, options: readonly ArgvOption[]): ArgvInput => ({
  source: { logical, path, field },
  options,
});

/** How a frame is found. */
export type Search =
  /** The first frame at or after the time. */
  | 'exact'
  /** The key frame before the time, which can be decoded without other frames. */
  | 'key frame'
  /** The frame that is on screen at the time: the last one that begins until then. It is searched for if the next one begins late. */
  | 'shown';

/** A frame to write as a tile. */
export interface FrameArgs {
  readonly input: PreviewInput;
  readonly stream: number;
  /** The time in seconds. Absent for an image. */
  readonly time?: number;
  readonly search: Search;
  /** The filters of the frame; see `frameChain`. */
  readonly chain: string;
  readonly tile: string;
  /** The file for the brightness of the frame, as bytes from 0 (black) to 255. Absent: it is not measured. */
  readonly brightnessFile?: string;
}

/** A few pixels are enough for the brightness of a frame. Grey has the full range of values, also if the video has the limited one. */
const BRIGHTNESS = 'scale=w=16:h=16:flags=area,format=gray';

/** Ends a millisecond after the time to which ffmpeg seeks. */
const UNTIL_TIME = 'trim=end=0.001';

/** The argv that writes frames as PNG tiles, and their brightness. Each frame has its own input, so that ffmpeg can seek to it. */
export function framesArgv(frames: readonly FrameArgs[], facts: ArgvFacts): readonly string[] {
  const inputs = frames.map(({ input, time = 0, search }) => {
    const seek = time === 0 ? [] : [serviceOption('ss', [String(time)])];
    const inexact = search === 'exact' ? [] : [serviceOption('noaccurate_seek', [])];
    return inputOf(input, '/path', [...inexact, ...seek]);
  });
  return severalOutputsArgv(
    frames.flatMap(({ stream, chain, tile, search, brightnessFile }, at): readonly ArgvParts[] => {
      const through = (filters: string): Omit<ArgvParts, keyof ReturnType<typeof oneImage>> => ({
        ...commonParts(facts),
        inputs,
        output: [
          REPLACE,
          serviceOption('map', [`${at}:${stream}`]),
          serviceOption('filter:v', [search === 'shown' ? `${UNTIL_TIME},${filters}` : filters]),
          // Without a limit, each frame overwrites the tile, and the last frame remains.
          ...(search === 'shown' ? [] : [serviceOption('frames:v', ['1'])]),
          serviceOption('fps_mode', ['passthrough']),
        ],
      });
      return [
        { ...through(chain), ...oneImage('png', tile) },
        ...(brightnessFile === undefined ? [] : [{ ...through(BRIGHTNESS), ...rawImage(brightnessFile) }]),
      ];
    }),
  );
}

const oneImage = (encoder: string, logical: string) =>
  ({ muxer: 'image2', logical, imageEncoder: encoder, singleImage: true }) as const;

const rawImage = (logical: string) =>
  ({ muxer: 'rawvideo', logical, imageEncoder: 'rawvideo', singleImage: false }) as const;

export const audioArgv = (input: PreviewInput, graph: string, tile: string, facts: ArgvFacts): readonly string[] =>
  severalOutputsArgv([
    {
      ...commonParts(facts),
      inputs: [inputOf(input, '/path', [])],
      output: [globalOption('filter_complex', graph), serviceOption('map', ['[o]']), serviceOption('frames:v', ['1'])],
      ...oneImage('png', tile),
    },
  ]);

/** The number of packets that are kept together: most decoders need some packets until their samples are right. */
const KEPT_PACKETS = 8;

/**
 * The argv that copies every `share`-th part of an audio stream to a file. To decode this file is `share` times as fast, and in a waveform
 * of a long stream, each column still shows several of its parts.
 */
export const sampledAudioArgv = (
  input: PreviewInput,
  { stream, share, logical }: { readonly stream: number; readonly share: number; readonly logical: string },
  facts: ArgvFacts,
): readonly string[] =>
  severalOutputsArgv([
    {
      ...commonParts(facts),
      inputs: [inputOf(input, '/path', [])],
      output: [
        serviceOption('map', [`0:${stream}`]),
        serviceOption('c', ['copy']),
        serviceOption('bsf:a', [`noise=drop='gte(mod(n,${share * KEPT_PACKETS}),${KEPT_PACKETS})'`]),
      ],
      ...{ muxer: 'matroska', logical, imageEncoder: undefined, singleImage: false },
    },
  ]);

const globalOption = (key: string, ...values: readonly string[]): ArgvOption => ({
  ...serviceOption(key, values),
  side: 'global',
});

/** A later search overwrites the tile of an earlier search. */
const REPLACE = globalOption('y');

/** The argv that reads a whole stream to measure its duration, if the file does not state it. */
export const lengthArgv = (input: PreviewInput, stream: number, facts: ArgvFacts): readonly string[] =>
  decodingArgv({ ...commonParts(facts), inputs: [inputOf(input, '/path', [])] }, [
    ...['-map', `0:${stream}`, '-c', 'copy', ...NULL_OUTPUT],
  ]);

/** A way to encode the finished image. */
export interface Candidate {
  readonly encoder: 'mjpeg' | 'png' | 'libwebp';
  readonly options: readonly (readonly [key: string, value: string])[];
  readonly logical: string;
  readonly chain: string;
}

/** The argv that puts tiles together and writes an image for each candidate. `tiles`: a file name with a counter. */
export function composeArgv(
  tiles: string,
  chain: string,
  candidates: readonly Candidate[],
  facts: ArgvFacts,
): readonly string[] {
  const copies = candidates.map((_one, at) => `[c${at}]`).join('');
  const graph = [
    `[0:v]${chain},split=${candidates.length}${copies}`,
    ...candidates.map((one, at) => `[c${at}]${one.chain}[o${at}]`),
  ].join(';');
  const inputs: readonly ArgvInput[] = [
    {
      source: { logical: tiles, path: tiles as MediaPath, field: '/path' },
      options: [serviceOption('framerate', ['1']), serviceOption('start_number', ['0'])],
      format: 'image2',
    },
  ];
  return severalOutputsArgv(
    candidates.map(
      ({ encoder, options, logical }, at): ArgvParts => ({
        ...commonParts(facts),
        inputs,
        output: [
          ...(at === 0 ? [REPLACE, globalOption('filter_complex', graph)] : []),
          serviceOption('map', [`[o${at}]`]),
          serviceOption('frames:v', ['1']),
          ...options.map(([key, value]) => serviceOption(key, [value])),
        ],
        ...oneImage(encoder, logical),
      }),
    ),
  );
}
