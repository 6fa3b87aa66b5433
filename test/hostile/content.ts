import type { Canaries } from './canaries.ts';
import type { Effect, HostileRow } from './row.ts';

/** A file that is something else than its name says, and names others. The request itself is harmless. */
const pointing = (
  effect: Effect,
  name: string,
  title: string,
  content: (bait: Canaries) => string,
  more: Pick<HostileRow, 'inert' | 'argv'> = {},
): HostileRow => ({
  title: `${name}: ${title}`,
  effect,
  ...more,
  files: (bait) => ({ [name]: content(bait) }),
  request: () => ({ input: name, output: 'out/a.mkv', parameters: { c: 'copy', t: '0.2' } }),
});

const playlist = (...lines: readonly string[]): string =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines, '#EXT-X-ENDLIST', ''].join('\n');

const manifest = (address: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"><BaseURL>${address}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

const drawing = (shown: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${shown}</svg>`;

const DRAWN = 'the library that draws loads nothing from elsewhere';
const OF_ITSELF = 'ffmpeg lets no such name through where the playlist is a file';

/** The same, where it is a filter that opens the file. */
const subtitles = (name: string, title: string, content: (bait: Canaries) => string): HostileRow => ({
  title: `${name}: ${title}`,
  effect: 'reads',
  files: (bait) => ({ [name]: content(bait) }),
  request: () => ({
    inputs: ['movie.mp4', name],
    output: 'out/a.mkv',
    parameters: { vf: `subtitles=${name}`, t: '0.2' },
  }),
  argv: (_bait, input) => {
    const second = input.startsWith('in/') ? 'in/1.srt' : name;
    return ['-y', '-i', input, '-vf', `subtitles=${second}`, '-t', '0.2', 'out/a.mkv'];
  },
});

/** 8. Demuxers, and what files hold. */
export const CONTENT: readonly HostileRow[] = [
  pointing('reads', 'hls.mp4', 'a playlist of a path', ({ stream }) => playlist('#EXTINF:1,', stream)),
  pointing('reads', 'hls-file.m3u8', 'a playlist of an address', ({ stream }) =>
    playlist('#EXTINF:1,', `file://${stream}`),
  ),
  pointing('reads', 'hls-up.ts', 'a playlist of the way up', () => playlist('#EXTINF:1,', '../host/private.ts')),
  pointing('reads', 'hls-near.mp4', 'a playlist of a file beside it', () => playlist('#EXTINF:1,', 'sibling.ts')),
  pointing(
    'reads',
    'hls-list.mp4',
    'a playlist of playlists',
    ({ stream }) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${stream}\n`,
  ),
  pointing('reads', 'hls-map.mp4', 'a beginning from elsewhere', ({ movie }) =>
    playlist(`#EXT-X-MAP:URI="${movie}"`, '#EXTINF:1,', 'x.m4s'),
  ),
  pointing('reads', 'hls-range.mp4', 'a part of a file', ({ stream }) =>
    playlist('#EXTINF:1,', '#EXT-X-BYTERANGE:3760@0', stream),
  ),
  pointing(
    'connects',
    'hls-net.mp4',
    'a playlist of an address of the network',
    ({ listener }) => playlist('#EXTINF:1,', `http://${listener}/a.ts`),
    { inert: OF_ITSELF },
  ),
  pointing(
    'connects',
    'hls-key.mp4',
    'a key from the network',
    ({ listener }) => playlist(`#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/k"`, '#EXTINF:1,', 'sibling.ts'),
    { inert: OF_ITSELF },
  ),
  pointing(
    'reads',
    'hls-concat.mp4',
    'a playlist of a protocol',
    ({ stream }) => playlist('#EXTINF:1,', `concat:${stream}`),
    { inert: OF_ITSELF },
  ),
  pointing('reads', 'concat.mp4', 'a list of files', ({ movie }) => `ffconcat version 1.0\nfile '${movie}'\n`, {
    argv: (_bait, input) => ['-y', '-f', 'concat', '-safe', '0', '-i', input, '-c', 'copy', 'out/a.mkv'],
  }),
  pointing('reads', 'concat-near.mp4', 'a list of files beside it', () => "ffconcat version 1.0\nfile 'sibling.ts'\n"),
  pointing('reads', 'concat-text.txt', 'a list of texts', ({ text }) => `ffconcat version 1.0\nfile '${text}'\n`, {
    argv: (_bait, input) => ['-y', '-f', 'concat', '-safe', '0', '-i', input, '-c', 'copy', 'out/a.mkv'],
  }),
  pointing('reads', 'dash.mp4', 'a manifest of a path', ({ movie }) => manifest(`file://${movie}`)),
  pointing(
    'connects',
    'dash-net.mp4',
    'a manifest of an address',
    ({ listener }) => manifest(`http://${listener}/a.mp4`),
    {
      inert: OF_ITSELF,
    },
  ),
  pointing(
    'reads',
    'dash-entity.mp4',
    'an entity of a file',
    ({ text }) => `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file://${text}">]>${manifest('&y;').slice(21)}`,
    {
      inert: 'ffmpeg’s reader of XML loads no entities',
    },
  ),
  pointing(
    'connects',
    'sdp.mp4',
    'a session description',
    ({ listener }) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${Number(listener.split(':')[1])} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    {
      inert: OF_ITSELF,
    },
  ),
  pointing(
    'reads',
    'subtitles.idx',
    'subtitles whose pictures lie beside them',
    () =>
      '# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n',
    {
      inert: 'it takes the file of its own name, which is none of the bait',
    },
  ),
  pointing('reads', 'script.avs', 'a script', ({ movie }) => `Import("${movie}")\n`, {
    inert: 'this build runs no scripts',
  }),
  pointing(
    'reads',
    'file.svg',
    'a drawing of a picture',
    ({ movie }) => drawing(`<image href="file://${movie}" width="9"/>`),
    {
      inert: DRAWN,
    },
  ),
  pointing(
    'connects',
    'net.svg',
    'a drawing of an address',
    ({ listener }) => drawing(`<image href="http://${listener}/x.png" width="9"/>`),
    { inert: DRAWN },
  ),
  pointing(
    'reads',
    'entity.svg',
    'a drawing with an entity of a file',
    ({ text }) => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${text}">]>${drawing('<text y="20">&x;</text>')}`,
    { inert: DRAWN },
  ),
  subtitles('hls-words.srt', 'subtitles that are a playlist', ({ movie }) => playlist('#EXTINF:1,', movie)),
  subtitles(
    'concat-words.srt',
    'subtitles that are a list of files',
    () => "ffconcat version 1.0\nfile 'sibling.ts'\n",
  ),
  subtitles('dash-words.srt', 'subtitles that are a manifest', ({ movie }) => manifest(`file://${movie}`)),
];
