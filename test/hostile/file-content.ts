import type { Canaries } from './canaries.ts';
import type { Effect, HostileRow } from './row.ts';

/** An input whose content refers to other files, often under a wrong extension. The request itself is harmless. */
const referring = (
  effect: Effect,
  name: string,
  title: string,
  content: (canaries: Canaries) => string,
  more: Pick<HostileRow, 'noEffectReason' | 'argv' | 'code'> = {},
): HostileRow => ({
  title: `${name}: ${title}`,
  effect,
  ...more,
  files: (canaries) => ({ [name]: content(canaries) }),
  request: () => ({ input: name, output: 'out/a.mkv', parameters: { c: 'copy', t: '0.2' } }),
});

const playlist = (...lines: readonly string[]): string =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST', ''].join('\n');

const manifest = (address: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"><BaseURL>${address}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${content}</svg>`;

const NO_EXTERNAL = 'the SVG library loads no external files';
const NO_PROTOCOL = 'ffmpeg allows no such protocol in a playlist that is a file';

/** A row whose request gives the file `name` to the filter `subtitles`, which opens it by itself. */
const subtitles = (name: string, title: string, content: (canaries: Canaries) => string): HostileRow => ({
  title: `${name}: ${title}`,
  effect: 'reads',
  files: (canaries) => ({ [name]: content(canaries) }),
  request: () => ({
    inputs: ['movie.mp4', name],
    output: 'out/a.mkv',
    parameters: { vf: `subtitles=${name}`, t: '0.2' },
  }),
  argv: (_canaries, input) => {
    const second = input.startsWith('in/') ? 'in/1.srt' : name;
    return ['-y', '-i', input, '-vf', `subtitles=${second}`, '-t', '0.2', 'out/a.mkv'];
  },
});

/** 8. Demuxers and the content of files. */
export const CONTENT: readonly HostileRow[] = [
  referring('reads', 'hls.mp4', 'an HLS playlist with an absolute path', ({ stream }) =>
    playlist('#EXTINF:1,', stream),
  ),
  referring('reads', 'hls-file.m3u8', 'an HLS playlist with a file URL', ({ stream }) =>
    playlist('#EXTINF:1,', `file://${stream}`),
  ),
  referring('reads', 'hls-up.ts', 'an HLS playlist with a path that leaves the media root', () =>
    playlist('#EXTINF:1,', '../host/private.ts'),
  ),
  referring('reads', 'hls-near.mp4', 'an HLS playlist with a sibling file', () => playlist('#EXTINF:1,', 'sibling.ts')),
  referring(
    'reads',
    'hls-list.mp4',
    'an HLS master playlist',
    ({ stream }) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${stream}\n`,
  ),
  referring('reads', 'hls-map.mp4', 'an HLS playlist with an init segment elsewhere', ({ movie }) =>
    playlist(`#EXT-X-MAP:URI="${movie}"`, '#EXTINF:1,', 'x.m4s'),
  ),
  referring('reads', 'hls-range.mp4', 'an HLS playlist with a byte range of a file', ({ stream }) =>
    playlist('#EXTINF:1,', '#EXT-X-BYTERANGE:3760@0', stream),
  ),
  referring(
    'connects',
    'hls-net.mp4',
    'an HLS playlist with an HTTP URL',
    ({ listener }) => playlist('#EXTINF:1,', `http://${listener}/a.ts`),
    { noEffectReason: NO_PROTOCOL },
  ),
  referring(
    'connects',
    'hls-key.mp4',
    'an HLS playlist with a key from HTTP',
    ({ listener }) => playlist(`#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/k"`, '#EXTINF:1,', 'sibling.ts'),
    { noEffectReason: NO_PROTOCOL },
  ),
  referring(
    'reads',
    'hls-concat.mp4',
    'an HLS playlist with the concat protocol',
    ({ stream }) => playlist('#EXTINF:1,', `concat:${stream}`),
    { noEffectReason: NO_PROTOCOL },
  ),
  referring(
    'reads',
    'concat.mp4',
    'a concat list with an absolute path',
    ({ movie }) => `ffconcat version 1.0\nfile '${movie}'\n`,
    {
      argv: (_canaries, input) => ['-y', '-f', 'concat', '-safe', '0', '-i', input, '-c', 'copy', 'out/a.mkv'],
    },
  ),
  referring(
    'reads',
    'concat-near.mp4',
    'a concat list with a sibling file',
    () => "ffconcat version 1.0\nfile 'sibling.ts'\n",
  ),
  referring(
    'reads',
    'concat-text.txt',
    'a concat list with a text file',
    ({ text }) => `ffconcat version 1.0\nfile '${text}'\n`,
    {
      argv: (_canaries, input) => ['-y', '-f', 'concat', '-safe', '0', '-i', input, '-c', 'copy', 'out/a.mkv'],
    },
  ),
  referring('reads', 'dash.mp4', 'a DASH manifest with a file URL', ({ movie }) => manifest(`file://${movie}`)),
  referring(
    'connects',
    'dash-net.mp4',
    'a DASH manifest with an HTTP URL',
    ({ listener }) => manifest(`http://${listener}/a.mp4`),
    {
      noEffectReason: NO_PROTOCOL,
    },
  ),
  referring(
    'reads',
    'dash-entity.mp4',
    'a DASH manifest with an XML entity that reads a file',
    ({ text }) => `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file://${text}">]>${manifest('&y;').slice(21)}`,
    {
      noEffectReason: 'ffmpeg’s XML parser loads no external entities',
    },
  ),
  referring(
    'connects',
    'sdp.mp4',
    'a session description',
    ({ listener }) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${Number(listener.split(':')[1])} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    {
      noEffectReason: NO_PROTOCOL,
    },
  ),
  referring(
    'reads',
    'subtitles.idx',
    'VobSub subtitles, whose pictures are in another file',
    () =>
      '# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n',
    {
      noEffectReason: 'it opens only the .sub file of its own name, which is not a canary',
    },
  ),
  referring('reads', 'script.avs', 'an AviSynth script', ({ movie }) => `Import("${movie}")\n`, {
    noEffectReason: 'this build runs no scripts',
  }),
  referring(
    'reads',
    'file.svg',
    'an SVG with a file URL',
    ({ movie }) => svg(`<image href="file://${movie}" width="9"/>`),
    { code: 'UNSUPPORTED_FORMAT', noEffectReason: NO_EXTERNAL },
  ),
  referring(
    'connects',
    'net.svg',
    'an SVG with an HTTP URL',
    ({ listener }) => svg(`<image href="http://${listener}/x.png" width="9"/>`),
    { code: 'UNSUPPORTED_FORMAT', noEffectReason: NO_EXTERNAL },
  ),
  referring(
    'reads',
    'entity.svg',
    'an SVG with an XML entity that reads a file',
    ({ text }) => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${text}">]>${svg('<text y="20">&x;</text>')}`,
    { code: 'UNSUPPORTED_FORMAT', noEffectReason: NO_EXTERNAL },
  ),
  subtitles('hls-words.srt', 'an HLS playlist as subtitles', ({ movie }) => playlist('#EXTINF:1,', movie)),
  subtitles('concat-words.srt', 'a concat list as subtitles', () => "ffconcat version 1.0\nfile 'sibling.ts'\n"),
  subtitles('dash-words.srt', 'a DASH manifest as subtitles', ({ movie }) => manifest(`file://${movie}`)),
];
