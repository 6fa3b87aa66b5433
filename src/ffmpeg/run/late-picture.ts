import { addOption, orElse, sendOption } from '../../domain/edit.ts';
import type { MediaStream } from '../../domain/media-info.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { inputStream, type MediaFacts, secondsText, sentNameOf, withField } from './media-facts.ts';

/** By how many seconds the picture of a file starts after its sound, if ffprobe told it. */
export interface PictureDelay {
  readonly pictureDelay?: number | undefined;
}

export function pictureDelayOf(streams: readonly MediaStream[]): number | undefined {
  const starts = (wanted: MediaStream['type']): readonly number[] =>
    streams.flatMap(({ type, startSeconds, isAttachedPicture }) =>
      type === wanted && startSeconds !== undefined && isAttachedPicture !== true ? [startSeconds] : [],
    );
  const [picture, ...pictures] = starts('video');
  const [sound, ...sounds] = starts('audio');
  return picture === undefined || sound === undefined || pictures.length + sounds.length > 0
    ? undefined
    : picture - sound;
}

/** Whether the picture is copied from a place that need not be a key frame: it starts only at the next one. */
export function mayStartLate(facts: MediaFacts, used: FinishedPass['used']): boolean {
  const films = used.filter(({ input, stream }) => inputStream(facts, input, stream)?.type === 'video');
  return (facts.plan.span.output.start ?? 0) > 0 && films.length === 1 && films.every(({ copied }) => copied);
}

/** A delay that is noticed. */
const NOTICED_SECONDS = 0.5;

/** A copy whose sound starts at `ss`, and whose picture starts at the next key frame. */
export function latePicture(facts: MediaFacts, { used, pictureDelay }: FinishedPass): readonly RunWarning[] {
  if (pictureDelay === undefined || pictureDelay <= NOTICED_SECONDS || !mayStartLate(facts, used)) return [];
  const key = facts.argv.includes('-c:v') ? 'c:v' : 'c';
  const name = sentNameOf(facts, key);
  const encoder = facts.plan.output.muxer === 'webm' ? 'libvpx-vp9' : 'libx264';
  return [
    withField(facts, key, {
      code: 'UNEQUAL_LENGTHS',
      message: `The picture starts ${secondsText(pictureDelay)} after the sound: a copy starts at a key frame, and the next one after "ss" is there.`,
      fix: key === 'c' ? addOption('c:v', encoder) : sendOption(name, encoder),
    }),
  ];
}

/** A copy of a film starts at a key frame. If none follows the start, the output has no picture. */
export function copyWithoutFrames(
  facts: MediaFacts,
  { lastBlock, used, outputStreams }: Pick<FinishedPass, 'lastBlock' | 'used' | 'outputStreams'>,
): readonly RunWarning[] {
  if (lastBlock?.frame !== 0 || !outputStreams.some(({ type }) => type === 'video')) return [];
  const films = used.filter(({ input, stream }) => inputStream(facts, input, stream)?.type === 'video');
  if (films.length === 0 || !films.every(({ copied }) => copied)) return [];
  return [
    withField(facts, 'c', {
      code: 'EMPTY_STREAM',
      message:
        'The output has a video stream without a frame: a copy can start only at a key frame, and the requested part has none.',
      fix: orElse(addOption('c:v', 'libx264'), '"ss" with the input: it starts at the key frame before'),
    }),
  ];
}
