import { defined } from '@telecine/contract/domain/defined.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { OutputPlan } from '@telecine/contract/domain/plan.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import { storedTagOf } from '../allowlist/stored-tags.ts';
import type { Prediction } from '../estimate/predict.ts';
import { isHdrTransfer } from '../filtergraph/video-colours.ts';
import type { InputReport } from '../log/report.ts';
import type { InputStream } from '../log/stream-line.ts';
import { toJobOutput } from '../probe/probe-clip.ts';
import { MediaFacts } from './facts/media-facts.ts';
import type { ComparedPass } from './facts/pass.ts';

/**
 * Predicts a pass, as ffmpeg would report it.
 *
 * @param media What ffprobe found in each input.
 * @param output undefined: nothing is known about the output.
 */
export function foreseePass(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  output: Prediction | undefined,
): ComparedPass {
  const inputs = media.map(reportOf);
  const { streams = [], seconds, unknown } = output ?? {};
  const read = streams.flatMap(({ from, encoder }, index) => {
    if (from === undefined) return [];
    const input = output?.inputs.indexOf(from.input) ?? -1;
    return [{ input, stream: from.stream.index, copied: encoder === 'copy', output: index }];
  });
  const facts = new MediaFacts(plan, inputs, read);
  const outputStreams = streams.map(({ link: { kind, width, height, fps }, encoder }, index): OutputStream => {
    const own = read.find((one) => one.output === index);
    const from = own && facts.inputStream(own.input, own.stream);
    return {
      index,
      type: kind,
      codec: encoder === 'copy' ? (from?.codec ?? '') : encoder,
      ...(from?.disposition && { disposition: from.disposition }),
      ...(kind === 'video' && unknown === undefined && { width, height, fps }),
    };
  });
  return {
    plan,
    inputs,
    used: read.length === streams.length && streams.length > 0 ? read : [...read, ...readByGraphs(facts)],
    outputStreams,
    outputTraits: new Map(),
    writtenSeconds: unknown === undefined ? seconds : undefined,
  };
}

/** Converts what ffprobe found in an input to the report that ffmpeg would give. */
function reportOf(media: MediaInfo): InputReport {
  const { format, chapters, streams } = media;
  // The tags of Ogg files are those of their stream.
  const ofFile = format.names.includes('ogg') ? streams[0]?.tags : format.tags;
  const tags = Object.keys(ofFile ?? {}).flatMap((name) => storedTagOf(name) ?? []);
  return {
    demuxer: format.names.join(','),
    // An estimated length must not say that a time is after the end.
    ...(format.durationSeconds !== undefined &&
      !isLengthEstimated(format) && { durationSeconds: format.durationSeconds }),
    streams: (toJobOutput(media).streams ?? []).map((one) => ({ ...one, ...factsOf(media, one.index) })),
    ...(chapters.length > 0 && { chapters: chapters.length }),
    ...(tags.length > 0 && { tags }),
  };
}

function factsOf({ format, streams }: MediaInfo, index: number): Partial<InputStream> {
  const stream = streams.find((one) => one.index === index);
  const [width = 0, height = 0] = (stream?.sampleAspectRatio ?? '').split(':').map(Number);
  const { colorTransfer, durationSeconds, startSeconds = 0 } = stream ?? {};
  return defined({
    rotation: stream?.rotationDegrees,
    transfer: isHdrTransfer(colorTransfer) ? colorTransfer : undefined,
    pixelAspect: width > 0 && height > 0 ? width / height : undefined,
    seconds: durationSeconds && durationSeconds + startSeconds - (format.startSeconds ?? 0),
  });
}

/** The input streams that complex filtergraphs read by a label, such as `[1:a]`. */
const readByGraphs = (facts: MediaFacts): ComparedPass['used'] =>
  facts.complexGraphs
    .flatMap(({ filters }) => filters.flatMap(({ inputs }) => inputs))
    .flatMap((label) => {
      const { input = 0, streams: [stream] = [] } = facts.selected(label) ?? {};
      return stream === undefined ? [] : [{ input, stream: stream.index, copied: false }];
    });
