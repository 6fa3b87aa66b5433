import type { SeededChoices } from '../faults/soak/seeded-choices.ts';
import { below, oneOf } from './byte-damage.ts';
import { element, matroskaFile } from './matroska-file.ts';

/** Part of every forged line. A client may see it as a tag, but never as a message of ffmpeg. */
export const FORGED = 'forgedforged';

/** Lines in the form of ffmpeg's log and its -progress output. */
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

/** The maximum length of a repeated text. */
const MAX_LENGTH = 200_000;

/** A text of one to four of `WORDS`, often on separate lines. */
export function hostileText(chance: SeededChoices): string {
  const words = Array.from({ length: 1 + below(chance, 4) }, () => oneOf(chance, WORDS));
  const text = `${chance.happens(0.5) ? 'abc : x\n' : ''}${words.join(oneOf(chance, ['\n', '\r\n', '\r', ' ']))}`;
  return chance.happens(0.05) ? text.repeat(Math.ceil(MAX_LENGTH / (text.length + 1))) : text;
}

/** A hostile text, or sometimes random bytes. */
function hostileBytes(chance: SeededChoices): Buffer {
  if (chance.happens(0.9)) return Buffer.from(hostileText(chance));
  return Buffer.from(Array.from({ length: below(chance, 5000) }, () => below(chance, 256)));
}

/** Names and values of tags: a few of any length, or very many short ones. */
function pairs(chance: SeededChoices): readonly (readonly [Buffer, Buffer])[] {
  const many = chance.happens(0.1);
  return Array.from({ length: many ? 3000 : 1 + below(chance, 6) }, () => [
    chance.happens(0.6) ? hostileBytes(chance).subarray(0, 2000) : Buffer.from('title'),
    hostileBytes(chance).subarray(0, many ? 200 : MAX_LENGTH),
  ]);
}

const size32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const size32le = (value: number): Buffer => size32(value).reverse();
const synchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));

/** An MP3 with ID3v2.4 user texts (TXXX). */
function id3(chance: SeededChoices, mp3: Buffer): Buffer {
  const frames = pairs(chance).map(([name, value]) => {
    const body = Buffer.concat([Buffer.from([3]), name, Buffer.from([0]), value]);
    return Buffer.concat([Buffer.from('TXXX'), synchsafe(body.length), Buffer.alloc(2), body]);
  });
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), synchsafe(body.length), body, mp3]);
}

/** A FLAC with a Vorbis comment block. */
function flacComments(chance: SeededChoices, flac: Buffer): Buffer {
  const all = pairs(chance);
  const comments = all.flatMap(([name, value]) => {
    const line = Buffer.concat([name, Buffer.from('='), value]);
    return [size32le(line.length), line];
  });
  const block = Buffer.concat([size32le(0), size32le(all.length), ...comments]);
  // STREAMINFO must stay the first block. It is 34 bytes long.
  const after = 4 + 4 + 34;
  const header = size32(block.length & 0xffffff);
  header[0] = 4;
  const first = Buffer.from(flac.subarray(0, after));
  first[4] = 0;
  return Buffer.concat([first, header, block, flac.subarray(after)]);
}

/** A Matroska file with hostile tags, a language, a track name, an attachment and a chapter title. */
function matroska(chance: SeededChoices): Buffer {
  const text = (id: string, what: Buffer) => element(id, what);
  const simple = pairs(chance).map(([name, value]) => element('67c8', element('45a3', name), element('4487', value)));
  return matroskaFile(
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

/** A file with hostile tags. */
export function hostileTags(
  chance: SeededChoices,
  sources: { readonly mp3: Buffer; readonly flac: Buffer },
): { readonly bytes: Buffer; readonly description: string; readonly extension: string } {
  const kind = chance.pick({ mp3: 3, flac: 2, mkv: 4 });
  const bytes =
    kind === 'mp3' ? id3(chance, sources.mp3) : kind === 'flac' ? flacComments(chance, sources.flac) : matroska(chance);
  return { bytes, description: `hostile tags of ${kind}`, extension: kind };
}
