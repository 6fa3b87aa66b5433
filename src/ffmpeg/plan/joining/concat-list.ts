import type { WrittenText } from '../../../domain/plan.ts';
import { INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import { readTrim } from '../request/trim-range.ts';
import type { Clip } from './clip.ts';

/** The logical name of the list, in the folder for files that are not published. */
export const LIST = 'pass/inputs.ffconcat';

/**
 * Prints the list that ffmpeg's demuxer `concat` reads. It contains only logical names and numbers. Each file may have only the
 * formats of inputs, so a file that is a list itself is not read.
 *
 * Times are those of the file, which may not begin at 0, as in MPEG-TS.
 */
export function concatList(clips: readonly Clip[]): WrittenText {
  const lines = clips.flatMap((clip) => {
    const { start, end } = rangeOf(clip);
    return [
      `file 'file:${clip.input.source.logical}'`,
      'option protocol_whitelist file',
      `option format_whitelist ${INPUT_FORMATS}`,
      ...(start === undefined ? [] : [`inpoint ${print(start)}`]),
      ...(end === undefined ? [] : [`outpoint ${print(end)}`]),
    ];
  });
  return { logical: LIST, text: `${['ffconcat version 1.0', ...lines].join('\n')}\n` };
}

/** The part of a clip that is joined. Absent ends are those of the file. */
export function rangeOf({ input, media }: Clip): { readonly start?: number; readonly end?: number } {
  const { start, duration, end } = readTrim(input.options);
  const offset = media?.format.startSeconds ?? 0;
  const sent = start === undefined ? undefined : start + offset;
  const key = beginsEarlier(media) || start !== undefined ? media?.keySeconds : undefined;
  const from = key ?? sent;
  const to = duration === undefined ? end : (start ?? 0) + duration;
  return { ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to + offset }) };
}

/** The seconds that packets may begin before a film without it being a hidden start. */
const DELAY = 0.2;

/** Whether a file has pictures before its start that players do not show, because it was cut between key frames. */
const beginsEarlier = (media: Clip['media']): boolean =>
  media?.keySeconds !== undefined && media.keySeconds < (media.format.startSeconds ?? 0) - DELAY;

/** How many seconds earlier than the client asked for a clip begins: at a key frame. */
export function secondsBefore({ input, media }: Clip): number {
  const asked = (readTrim(input.options).start ?? 0) + (media?.format.startSeconds ?? 0);
  const isEarly = readTrim(input.options).start !== undefined || beginsEarlier(media);
  return media?.keySeconds === undefined || !isEarly ? 0 : asked - media.keySeconds;
}

const print = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e6}`;
