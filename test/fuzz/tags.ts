import type { SeededChoices } from '../faults/soak/seeded-choices.ts';
import { below, oneOf } from './bytes.ts';
import { element, movie } from './ebml.ts';

/** Stands in every forged line: a caller may see it where tags are shown, never as ffmpeg's own word. */
export const FORGED = 'forgedforged';

/** Whole lines, as ffmpeg and its -progress write them. */
const LINES = [
  `[info] Output #0, ${FORGED}, to 'file:out/x.mp4':`,
  `[info] Input #0, ${FORGED}, from 'file:in/0.mp4':`,
  `[info]   Stream #0:0: Video: ${FORGED}, yuv420p, 1x1, 1 fps`,
  `[info]   Stream #0:9(eng): Audio: ${FORGED} (LC), 48000 Hz, stereo`,
  '[info]   Duration: 99:59:59.00, start: 0.000000, bitrate: 1 kb/s',
  `[error] in/0.mp4: No such file or directory ${FORGED}`,
  '[fatal] av_interleaved_write_frame(): No space left on device',
  '[info] Exiting normally, received signal 15.',
  '[error] /etc/shadow: Permission denied',
  `[libx264 @ 0x55d0c0ffee00] [error] ${FORGED} width not divisible by 2 (1x1)`,
  `[error] Unknown encoder '${FORGED}'`,
  'progress=end',
  'out_time_us=99999999999',
  `bwrap: ${FORGED}`,
] as const;

const WORDS = [
  ...LINES,
  '\u001b[2J\u001b[31mred\u001b]0;title\u0007',
  '\u202edesrever\u2066',
  '</script><script>alert(1)</script>',
  '../../../../etc/passwd',
  '%s%n%p%x',
  '$(id) `id` ; id | id',
  '{"streams":[]}',
  '\u0000\u0001\u0002\u007f\u009b',
  '__proto__',
  'constructor',
  'language',
  'filename',
  '',
  ' ',
  'x'.repeat(300),
  'ä😀'.repeat(500),
] as const;

/** Of a text that is repeated. */
const LONGEST = 200_000;

/** A text that imitates, misleads or breaks: a few of the above, on lines of their own. */
export function hostileText(chance: SeededChoices): string {
  const words = Array.from({ length: 1 + below(chance, 4) }, () => oneOf(chance, WORDS));
  const text = `${chance.happens(0.5) ? 'abc : x\n' : ''}${words.join(oneOf(chance, ['\n', '\r\n', '\r', ' ']))}`;
  return chance.happens(0.05) ? text.repeat(Math.ceil(LONGEST / (text.length + 1))) : text;
}

/** Sometimes no text at all. */
function hostileBytes(chance: SeededChoices): Buffer {
  if (chance.happens(0.9)) return Buffer.from(hostileText(chance));
  return Buffer.from(Array.from({ length: below(chance, 5000) }, () => below(chance, 256)));
}

/** Names and values: a few of any length, or very many short ones. */
function pairs(chance: SeededChoices): readonly (readonly [Buffer, Buffer])[] {
  const many = chance.happens(0.1);
  return Array.from({ length: many ? 3000 : 1 + below(chance, 6) }, () => [
    chance.happens(0.6) ? hostileBytes(chance).subarray(0, 2000) : Buffer.from('title'),
    hostileBytes(chance).subarray(0, many ? 200 : LONGEST),
  ]);
}

const size32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const size32le = (value: number): Buffer => size32(value).reverse();
const synchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));

/** ID3v2.4 with texts of its user's own names, before an MP3. */
function id3(chance: SeededChoices, mp3: Buffer): Buffer {
  const frames = pairs(chance).map(([name, value]) => {
    const body = Buffer.concat([Buffer.from([3]), name, Buffer.from([0]), value]);
    return Buffer.concat([Buffer.from('TXXX'), synchsafe(body.length), Buffer.alloc(2), body]);
  });
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), synchsafe(body.length), body, mp3]);
}

/** A comment block before the others of a FLAC. */
function flacComments(chance: SeededChoices, flac: Buffer): Buffer {
  const all = pairs(chance);
  const comments = all.flatMap(([name, value]) => {
    const line = Buffer.concat([name, Buffer.from('='), value]);
    return [size32le(line.length), line];
  });
  const block = Buffer.concat([size32le(0), size32le(all.length), ...comments]);
  // Its own first block, which must stay first, is 34 bytes long.
  const after = 4 + 4 + 34;
  const header = size32(block.length & 0xffffff);
  header[0] = 4;
  const first = Buffer.from(flac.subarray(0, after));
  first[4] = 0;
  return Buffer.concat([first, header, block, flac.subarray(after)]);
}

/** Tags, a language, a codec and a file name of a Matroska's own wording. */
function matroska(chance: SeededChoices): Buffer {
  const text = (id: string, what: Buffer) => element(id, what);
  const simple = pairs(chance).map(([name, value]) => element('67c8', element('45a3', name), element('4487', value)));
  return movie(
    [{ language: hostileBytes(chance), name: hostileBytes(chance) }],
    [
      element('1254c367', element('7373', element('63c0'), ...simple)),
      element(
        '1941a469',
        element(
          '61a7',
          text('466e', hostileBytes(chance)),
          text('4660', hostileBytes(chance)),
          text('465c', Buffer.from('x')),
          element('46ae', Buffer.from([1])),
        ),
      ),
      element(
        '1043a770',
        element(
          '45b9',
          element('b6', element('91', Buffer.from([0])), element('80', element('85', hostileBytes(chance)))),
        ),
      ),
    ],
  );
}

/** A file whose tags lie, and what kind of file it is. */
export function hostileTags(
  chance: SeededChoices,
  sources: { readonly mp3: Buffer; readonly flac: Buffer },
): { readonly bytes: Buffer; readonly how: string; readonly extension: string } {
  const kind = chance.pick({ mp3: 3, flac: 2, mkv: 4 });
  const bytes =
    kind === 'mp3' ? id3(chance, sources.mp3) : kind === 'flac' ? flacComments(chance, sources.flac) : matroska(chance);
  return { bytes, how: `hostile tags of ${kind}`, extension: kind };
}
