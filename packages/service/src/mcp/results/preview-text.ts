import type { PreviewFacts, PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';

/** If the shown frame is more than this after the requested time, the frames in between are missing or damaged. */
const LATE_SECONDS = 0.5;

/** Describes a preview in words, for models that cannot see images. `view`: the argument of the tool. */
export function describePreview(view: string, spec: PreviewSpec, image: PreviewImage): string {
  const { width, height, bytes, format, durationSeconds } = image;
  const of = durationSeconds === undefined ? '' : ` of ${durationSeconds} s`;
  const size = `${width}x${height} ${format.toUpperCase()}, ${Math.ceil(bytes.length / 1000)} KB`;
  return `${shown(view, spec, image, of)}. ${size}.`;
}

function shown(
  view: string,
  spec: PreviewSpec,
  { times, durationSeconds, maxHz = 0 }: PreviewFacts,
  of: string,
): string {
  if (view === 'waveform') return `Waveform${of}, left to right; full height is full scale`;
  if (view === 'spectrogram') return `Spectrogram${of}, left to right; bottom 0 Hz, top ${maxHz} Hz`;
  if (view === 'compare') {
    const pairs = times.flatMap((time, at) => (at % 2 === 1 ? [`${times[at - 1] ?? 0} | ${time}`] : []));
    return `Left: the source, right: the result, at (s): ${pairs.join(', ')}${of}. Both are scaled to one size; grey borders are not in the files`;
  }
  if (spec.view === 'frame') {
    const [time] = times;
    if (durationSeconds === undefined) return 'A still image';
    if (spec.at !== undefined && time !== undefined && time - spec.at > LATE_SECONDS)
      return `The frame at ${spec.at} s cannot be decoded. This is the next one that can, at ${time} s${of}`;
    return `Frame at ${times.join()} s${of}`;
  }
  return `${times.length} ${times.length === 1 ? 'frame' : 'frames'} in reading order, at (s): ${times.join(', ')}${of}`;
}
