import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import { storedTagOf } from '../allowlist/stored-tags.ts';
import { isHdrTransfer } from '../filtergraph/video-colours.ts';
import type { InputReport } from '../log/report.ts';
import type { FrameTraits } from '../log/stream-line.ts';
import { toJobOutput } from '../probe/probe-clip.ts';
import { MediaFacts } from './facts/media-facts.ts';
import type { ComparedPass } from './facts/pass.ts';

/** An output as it is predicted from its request and a probe of its inputs. */
export interface ForeseenOutput {
  /** In seconds. 0: nothing of the inputs remains, such as with `ss` after their end. undefined: a filter changes the length. */
  readonly seconds?: number;
  readonly streams: readonly ForeseenStream[];
}

export interface ForeseenStream {
  readonly kind: 'video' | 'audio';
  readonly encoder: string;
  /** The input stream that becomes this output stream. undefined: a filtergraph combines several input streams. */
  readonly source?: { readonly input: number; readonly stream: number };
  /** The size of an encoded frame in pixels, and the frame rate. */
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
}

/**
 * Predicts a pass, as ffmpeg would report it.
 *
 * @param media What ffprobe found in each input.
 * @param output Default: nothing is known about the output.
 */
export function foreseePass(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  { streams = [], seconds }: Partial<ForeseenOutput> = {},
): ComparedPass {
  const inputs = media.map(reportOf);
  const read = streams.flatMap(({ source, encoder }, index) =>
    source === undefined ? [] : [{ ...source, copied: encoder === 'copy', output: index }],
  );
  const facts = new MediaFacts(plan, inputs, read);
  const outputStreams = streams.map(({ kind, encoder, source, width, height, fps }, index): OutputStream => {
    const from = source && facts.inputStream(source.input, source.stream);
    return {
      index,
      type: kind,
      codec: encoder === 'copy' ? (from?.codec ?? '') : encoder,
      ...(from?.disposition && { disposition: from.disposition }),
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(fps !== undefined && { fps }),
    };
  });
  return {
    plan,
    inputs,
    used: read.length === streams.length && streams.length > 0 ? read : [...read, ...readByGraphs(facts)],
    outputStreams,
    outputTraits: new Map(),
    writtenSeconds: seconds,
  };
}

/** Converts what ffprobe found in an input to the report that ffmpeg would give. */
function reportOf(media: MediaInfo): InputReport {
  const { format, chapters, streams } = media;
  const byStream = <T>(read: (stream: MediaStream) => T | undefined): ReadonlyMap<number, T> =>
    new Map(
      streams.flatMap((stream) => {
        const value = read(stream);
        return value === undefined ? [] : [[stream.index, value] as const];
      }),
    );
  // The tags of Ogg files are those of their stream.
  const ofFile = format.names.includes('ogg') ? streams[0]?.tags : format.tags;
  const tags = Object.keys(ofFile ?? {}).flatMap((name) => storedTagOf(name) ?? []);
  return {
    demuxer: format.names.join(','),
    // An estimated length must not say that a time is after the end.
    ...(format.durationSeconds !== undefined &&
      !isLengthEstimated(format) && { durationSeconds: format.durationSeconds }),
    streams: toJobOutput(media).streams ?? [],
    ...(chapters.length > 0 && { chapters: chapters.length }),
    ...(tags.length > 0 && { tags }),
    rotations: byStream(({ rotationDegrees }) => rotationDegrees),
    transfers: byStream(({ colorTransfer }) => (isHdrTransfer(colorTransfer) ? colorTransfer : undefined)),
    traits: byStream(traitsOf),
    streamSeconds: byStream(({ durationSeconds, startSeconds = 0 }) =>
      durationSeconds === undefined ? undefined : durationSeconds + startSeconds - (format.startSeconds ?? 0),
    ),
  };
}

/** The input streams that complex filtergraphs read by a label, such as `[1:a]`. */
const readByGraphs = (facts: MediaFacts): ComparedPass['used'] =>
  facts.complexGraphs
    .flatMap(({ filters }) => filters.flatMap(({ inputs }) => inputs))
    .flatMap((label) => {
      const { input = 0, streams: [stream] = [] } = facts.selected(label) ?? {};
      return stream === undefined ? [] : [{ input, stream: stream.index, copied: false }];
    });

/** The pixel aspect ratio of a stream, if ffprobe reports it. */
function traitsOf({ sampleAspectRatio }: MediaStream): FrameTraits | undefined {
  const [width = 0, height = 0] = (sampleAspectRatio ?? '').split(':').map(Number);
  return width > 0 && height > 0 ? { pixelAspect: width / height } : undefined;
}
