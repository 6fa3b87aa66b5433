import { type Edits, leaveOut, orElse, sendIn } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { readPlainNumber } from '../../values/number.ts';

/** An option that only newer releases of ffmpeg have, and what does the same in older ones. */
interface NewerOption {
  readonly release: string;
  fix(value: string): Edits;
}

const mirrored = (filter: string): NewerOption => ({
  release: '6.0',
  fix: () => sendIn('parameters', 'vf', filter),
});

/** The options that the service allows and ffmpeg 5.1 lacks. */
const NEWER_OPTIONS: ReadonlyMap<string, NewerOption> = new Map<string, NewerOption>([
  ['display_rotation', { release: '6.0', fix: rotationFix }],
  ['display_hflip', mirrored('hflip')],
  ['display_vflip', mirrored('vflip')],
  ['shortest_buf_duration', { release: '6.0', fix: () => leaveOut() }],
]);

/** Filters that turn pictures counterclockwise by whole quarters. */
const TURNS: Readonly<Record<number, string>> = { 90: 'transpose=2', 180: 'hflip,vflip', 270: 'transpose=1' };

/** Muxers of ffmpeg 5.1 read the tag `rotate` in the same direction as `display_rotation`, and write it as a matrix. */
function rotationFix(value: string): Edits {
  const sent = readPlainNumber(value);
  const degrees = sent === undefined ? undefined : ((sent % 360) + 360) % 360;
  if (degrees === undefined || degrees === 0) return leaveOut();
  const filter = TURNS[degrees];
  const copied = sendIn('parameters', 'metadata:s:v:0', `rotate=${degrees}`);
  return filter === undefined
    ? { ...copied, note: 'That is for a copy.' }
    : {
        ...orElse(copied, sendIn('parameters', 'vf', filter)),
        note: 'The first is for a copy, the second encodes the picture.',
      };
}

/** Returns the error for an option that newer releases have. `key`: the name as the client sent it. */
export function newerOption(name: string, key: string, value: unknown): Omit<FieldError, 'field'> | undefined {
  const newer = NEWER_OPTIONS.get(name);
  if (newer === undefined) return undefined;
  return {
    code: 'UNKNOWN_OPTION',
    message: `The installed ffmpeg has no option "${key}": it exists from ffmpeg ${newer.release} on.`,
    fix: newer.fix(typeof value === 'string' ? value : ''),
  };
}
