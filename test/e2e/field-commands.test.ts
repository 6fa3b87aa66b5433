// @module-tag long
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
let media: Promise<unknown> | undefined;

interface FieldCommand {
  readonly title: string;
  readonly request: ConversionRequest;
  /** The codes of the warnings that its job shows, each reviewed. Default: none. */
  readonly warnings?: readonly string[];
}

const SHORT = { t: '0.3', s: '214x120' } as const;
const QUICK = { ...SHORT, 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' } as const;
const film = (output: string, parameters: ConversionRequest['parameters'] = {}): ConversionRequest => ({
  input: 'film.mp4',
  output,
  parameters,
});
const graph = (output: string, filter_complex: string, map: string): ConversionRequest =>
  film(output, { filter_complex, map, 'c:v': 'libx264', preset: 'ultrafast', t: '0.3' });

/** Options that people copy from manuals, wikis and other projects, in their spelling. */
const COMMANDS: readonly FieldCommand[] = [
  {
    title: 'libx265 with its thread pool',
    request: film('x265.mkv', { ...SHORT, 'c:v': 'libx265', preset: 'ultrafast' }),
  },
  { title: 'an encoder of one stream', request: film('av1.mkv', { ...SHORT, 'c:v:0': 'libsvtav1', preset: '12' }) },
  { title: 'codec:v:0', request: film('jellyfin.mp4', { ...QUICK, 'codec:a:0': 'aac', ac: '2', 'b:a': '128k' }) },
  { title: 'profile of prores_ks', request: film('prores.mov', { ...SHORT, 'c:v:0': 'prores_ks', 'profile:v': 'hq' }) },
  {
    title: 'a label that is made again',
    request: graph('again.mp4', '[0:v]split=2[m][v],[v]negate[v],[m][v]hstack[v]', '[v]'),
    warnings: ['SOUND_LEFT_OUT'],
  },
  { title: 'maps without an input number', request: film('maps.mp4', { ...QUICK, map: ['v:0', 'a'] }) },
  {
    title: 'labels without an input number',
    request: graph('label.mp4', '[v]hflip[w]', '[w]'),
    warnings: ['SOUND_LEFT_OUT'],
  },
  {
    title: 'an input format as ffprobe prints it',
    request: {
      inputs: [{ input: 'film.mp4', parameters: { f: 'mov,mp4,m4a,3gp,3g2,mj2' } }],
      output: 'format.mp4',
      parameters: QUICK,
    },
  },
  { title: 'sound in .mka', request: film('sound.mka', { t: '0.3' }) },
  { title: 'the first picture', request: film('first.png', { 'frames:v': '1' }) },
  { title: 'a film to one picture', request: film('last.png', { t: '0.3' }), warnings: ['LAST_FRAME'] },
  { title: 'a hidden flag of a filter', request: film('fields.mp4', { ...QUICK, vf: 'tinterlace=4:vlpf' }) },
  { title: 'a tempo as an expression', request: film('tempo.m4a', { vn: '', af: 'atempo=sqrt(2)', t: '0.3' }) },
  {
    title: 'a film to a file of sound',
    request: film('sound.m4a', { af: 'volume=0.5', t: '0.3' }),
    warnings: ['VIDEO_IN_SOUND_FILE'],
  },
  { title: 'a font by its name', request: film('text.mp4', { ...QUICK, vf: "drawtext=text=Hi:font='DejaVu Sans'" }) },
  {
    title: 'options of the terminal',
    request: film('terminal.mp4', { ...QUICK, hide_banner: '', loglevel: 'error', n: '', stats: '' }),
    warnings: ['NO_EFFECT', 'NO_EFFECT', 'NO_EFFECT', 'NO_EFFECT'],
  },
  {
    title: 'flags of the scaler at an input',
    request: {
      inputs: [{ input: 'film.mp4', parameters: { sws_flags: 'lanczos' } }],
      output: 'lanczos.mp4',
      parameters: QUICK,
    },
    warnings: ['NO_EFFECT'],
  },
  { title: 'a stream copy', request: film('copy.mkv', { c: 'copy', map: '0' }) },
  {
    title: 'a copied part',
    // The part has no key frame, so no picture is copied.
    request: film('part.mp4', { c: 'copy', ss: '0.5', t: '1', avoid_negative_ts: 'make_zero' }),
    warnings: ['EMPTY_STREAM'],
  },
  { title: 'a film for the web', request: film('web.mp4', { ...QUICK, movflags: '+faststart', 'b:a': '96k' }) },
  {
    title: 'a GIF with its own palette',
    request: film('palette.gif', { t: '0.3', vf: 'fps=10,scale=160:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse' }),
  },
  { title: 'a WebP of one picture', request: film('one.webp', { 'frames:v': '1', vf: 'scale=160:-2' }) },
  {
    title: 'a WebM',
    request: film('small.webm', { ...SHORT, 'c:v': 'libvpx-vp9', crf: '40', 'b:v': '0', 'c:a': 'libopus' }),
  },
  // The film has 5.1.
  { title: 'sound as MP3', request: film('sound.mp3', { vn: '', 'q:a': '2' }), warnings: ['CHANNELS_LOST'] },
  { title: 'sound for speech recognition', request: film('speech.wav', { ac: '1', ar: '16000', 'c:a': 'pcm_s16le' }) },
  { title: 'HLS', request: film('hls/index.m3u8', { ...QUICK, hls_time: '1', hls_playlist_type: 'vod' }) },
  { title: 'two passes', request: film('two.mp4', { ...QUICK, 'b:v': '200k', pass: '2' }) },
  { title: 'a contact sheet', request: film('sheet.jpg', { vf: 'fps=2,scale=80:-1,tile=2x2', 'frames:v': '1' }) },
  { title: 'louder sound', request: film('loud.m4a', { vn: '', af: 'volume=2', t: '0.3' }) },
  { title: 'a rotated film', request: film('rotated.mp4', { ...QUICK, s: '120x214', vf: 'transpose=1' }) },
  { title: 'a slower frame rate', request: film('slow.mp4', { ...QUICK, r: '10' }) },
  {
    title: 'an AVI',
    request: film('old.avi', { ...SHORT, 'c:v': 'mpeg4', 'q:v': '5', 'c:a': 'libmp3lame' }),
    warnings: ['CHANNELS_LOST'],
  },
  { title: 'a transport stream', request: film('stream.ts', { c: 'copy', 'bsf:v': 'h264_mp4toannexb' }) },
];

needs('ffmpeg').concurrent.for(COMMANDS)(
  'a command of the field has only its reviewed warnings: $title',
  async ({ request, warnings = [] }, { expect }) => {
    const { server, own } = await start();
    media ??= putClip(server.mediaRoot, '480p', 3, 'film.mp4');
    await media;
    const job = await own.run(request);
    expect(job.error).toBeUndefined();
    expect((job.warnings ?? []).map(({ code }) => code)).toEqual(warnings);
  },
);
