import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

const HLS = 'out/a.m3u8';

/** Makes rows for one kind of output, with the options that it requires. */
const rowsFor =
  (
    kind: string,
    requiredOptions: Readonly<Record<string, string>>,
    to: { readonly output: string; readonly format?: string },
  ) =>
  (
    effect: Effect,
    code: string,
    title: string,
    options: (canaries: Canaries) => Readonly<Record<string, string>>,
    noEffectReason?: string | typeof FATAL,
  ) =>
    withOptions(effect, code, `${kind}: ${title}`, (canaries) => ({ ...requiredOptions, ...options(canaries) }), {
      ...to,
      ...(typeof noEffectReason === 'string' ? { noEffectReason } : noEffectReason),
    });

const hls = rowsFor('HLS', { c: 'copy', hls_time: '0.1' }, { output: HLS });
const dash = rowsFor('DASH', { 'c:v': 'libx264', 'c:a': 'aac' }, { output: 'out/a.mpd' });
const segment = rowsFor('segments', { c: 'copy', segment_time: '0.1' }, { output: 'out/a%03d.ts', format: 'segment' });

/** An output format with side effects. */
const format = (
  effect: Effect,
  code: string,
  name: string,
  argv: HostileRow['argv'],
  noEffectReason?: string,
): HostileRow => ({
  title: `the format ${name}`,
  effect,
  code,
  ...(noEffectReason === undefined ? {} : { noEffectReason }),
  ...(argv === undefined ? {} : { argv }),
  request: () => ({ input: 'movie.mp4', output: 'out/a', format: name, parameters: { t: '0.2' } }),
});

const FILE = 'BAD_FILE_NAME';
const OPTION = 'OPTION_NOT_ALLOWED';
const FORMAT = 'FORMAT_NOT_ALLOWED';
const ALONE = 'without other options it has no effect';
const PLAYER = 'it acts on players, not on ffmpeg';
const copy = (input: string): readonly string[] => ['-y', '-i', input, '-c', 'copy'];

/** 6. Containers and the names of the files they write. */
export const MUXER_ROWS: readonly HostileRow[] = [
  hls('writes', FILE, 'segments at an absolute path', ({ folder }) => ({
    hls_segment_filename: `${folder}/leak%d.ts`,
  })),
  hls('writes', FILE, 'segments at a path that leaves the output folder', () => ({
    hls_segment_filename: '../host/untouched/leak%d.ts',
  })),
  hls('connects', FILE, 'segments to a TCP URL', ({ listener }) => ({
    hls_segment_filename: `tcp://${listener}/%d.ts`,
  })),
  hls('writes', FILE, 'segments by a protocol', ({ folder }) => ({ hls_segment_filename: `file:${folder}/leak%d.ts` })),
  hls('writes', FILE, 'segments in a folder named by the date', ({ folder }) => ({
    strftime: '1',
    strftime_mkdir: '1',
    hls_segment_filename: `${folder}/%Y/%d.ts`,
  })),
  hls('reads', OPTION, 'an encryption key by a key info file', ({ text }) => ({ hls_key_info_file: text }), FATAL),
  hls('writes', OPTION, 'an encryption key written to any path', ({ folder }) => ({
    hls_enc: '1',
    hls_enc_key: '0123456789abcdef',
    hls_enc_key_url: `${folder}/leak`,
  })),
  hls('writes', FILE, 'a master playlist at a path that leaves the output folder', () => ({
    master_pl_name: '../../host/untouched/leak.m3u8',
  })),
  hls('writes', FILE, 'an init segment at a path that leaves the output folder', () => ({
    hls_segment_type: 'fmp4',
    hls_fmp4_init_filename: '../../host/untouched/leak.mp4',
  })),
  hls(
    'writes',
    'BAD_VALUE',
    'a variant name that leaves the output folder',
    () => ({ var_stream_map: 'v:0,name:../../host/untouched/leak' }),
    'the output has no %v',
  ),
  hls(
    'connects',
    'BAD_VALUE',
    'injected lines in the playlist',
    ({ listener }) => ({
      hls_base_url: `http://${listener}/\n#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/k"\n`,
    }),
    PLAYER,
  ),
  hls('connects', OPTION, 'an HTTP method and headers', () => ({ method: 'PUT', headers: 'x: y\r\n' }), ALONE),
  hls('connects', OPTION, 'an HTTP proxy', ({ listener }) => ({ http_proxy: `http://${listener}` }), ALONE),
  hls(
    'writes',
    'BAD_VALUE',
    'options for the segment muxer',
    ({ folder }) => ({ hls_segment_options: `stats=${folder}/leak` }),
    ALONE,
  ),
  dash(
    'writes',
    FILE,
    'an init segment at a path that leaves the output folder',
    () => ({ init_seg_name: '../../host/untouched/leak$RepresentationID$' }),
    'the path goes through a folder that does not exist',
  ),
  dash(
    'writes',
    FILE,
    'segments at an absolute path',
    ({ folder }) => ({ media_seg_name: `${folder}/leak$Number$.m4s` }),
    'ffmpeg puts the output folder before it',
  ),
  dash('writes', FILE, 'one file at a path that leaves the output folder', () => ({
    single_file: '1',
    single_file_name: '../../host/untouched/leak',
  })),
  dash('writes', FILE, 'an HLS playlist at a path that leaves the output folder', () => ({
    hls_playlist: '1',
    hls_master_name: '../../host/untouched/leak.m3u8',
  })),
  dash(
    'connects',
    'BAD_VALUE',
    'injected elements in the manifest',
    ({ listener }) => ({
      utc_timing_url: `http://${listener}/"/><BaseURL>http://${listener}/</BaseURL><x y="`,
    }),
    PLAYER,
  ),
  dash(
    'writes',
    'BAD_VALUE',
    'options for the segment muxer',
    ({ folder }) => ({ format_options: `x=${folder}` }),
    ALONE,
  ),
  segment('writes', FILE, 'the segment list at an absolute path', ({ folder }) => ({
    segment_list: `${folder}/leak.csv`,
  })),
  segment('connects', FILE, 'the segment list to a TCP URL', ({ listener }) => ({ segment_list: `tcp://${listener}` })),
  segment('writes', OPTION, 'the segment header at an absolute path', ({ folder }) => ({
    segment_header_filename: `${folder}/leak`,
    segment_format: 'matroska',
  })),
  segment(
    'connects',
    'BAD_VALUE',
    'a segment format that sends over the network',
    () => ({ segment_format: 'rtp' }),
    'the file name decides where it goes',
  ),
  segment(
    'writes',
    'BAD_VALUE',
    'options for the segment format',
    ({ folder }) => ({ segment_format_options: `stats=${folder}/leak` }),
    ALONE,
  ),
  segment(
    'connects',
    'BAD_VALUE',
    'injected lines in the segment list',
    ({ listener }) => ({
      segment_list: 'out/a.m3u8',
      segment_list_entry_prefix: `http://${listener}/\n`,
    }),
    PLAYER,
  ),
  format('writes', FORMAT, 'tee', ({ folder }, input) => [
    ...copy(input),
    '-map',
    '0',
    '-f',
    'tee',
    `out/a.mkv|${folder}/leak.mkv`,
  ]),
  format('connects', FORMAT, 'fifo', ({ listener }, input) => [
    ...copy(input),
    '-map',
    '0',
    '-f',
    'fifo',
    '-fifo_format',
    'mpegts',
    `tcp://${listener}`,
  ]),
  format('connects', FORMAT, 'rtp', ({ listener }, input) => [...copy(input), '-an', '-f', 'rtp', `rtp://${listener}`]),
  format('connects', FORMAT, 'rtsp', ({ listener }, input) => [...copy(input), '-f', 'rtsp', `rtsp://${listener}/x`]),
  format(
    'connects',
    FORMAT,
    'sap',
    ({ listener }, input) => [...copy(input), '-f', 'sap', `sap://${listener}`],
    'it announces to a multicast group, not to the listener',
  ),
  format('writes', FORMAT, 'webm_chunk', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-map',
    '0:v',
    '-c:v',
    'libvpx',
    '-f',
    'webm_chunk',
    '-header',
    `${folder}/leak.hdr`,
    'out/a%d.chk',
  ]),
  format('writes', FORMAT, 'hds', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-c:v',
    'flv',
    '-an',
    '-f',
    'hds',
    `${folder}/leak`,
  ]),
  format('writes', FORMAT, 'smoothstreaming', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-c:v',
    'libx264',
    '-f',
    'smoothstreaming',
    `${folder}/leak`,
  ]),
  ...['alsa', 'caca', 'fbdev', 'oss', 'opengl', 'pulse', 'sdl', 'sdl2', 'v4l2', 'xv', 'decklink'].map((name) =>
    Object.assign(
      format('exhausts', FORMAT, name, undefined, 'the test machine has no such device'),
      name === 'alsa' ? {} : { variantOf: 'the format alsa' },
    ),
  ),
  format('exhausts', FORMAT, 'chromaprint', undefined, 'its output is not a media file'),
  withOptions(
    'writes',
    'OUTSIDE_ROOT',
    'pictures at a path that leaves the media root',
    { vf: 'null' },
    {
      output: 'out/../../host/untouched/leak%d.png',
    },
  ),
  withOptions(
    'writes',
    'BAD_VALUE',
    'HLS: a variant named ".."',
    { c: 'copy', hls_time: '0.1', var_stream_map: 'v:0,name:..' },
    { output: 'out/%v/leak.m3u8', fatal: true },
  ),
  withOptions(
    'writes',
    'BAD_VALUE',
    'HLS: an empty variant name between two dots',
    { c: 'copy', hls_time: '0.1', var_stream_map: 'v:0,name:' },
    { output: 'out/.%v./leak.m3u8', fatal: true },
  ),
];
