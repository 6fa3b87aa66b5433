/** Where things lie that no conversion may reach. */
export interface Target {
  /** A movie outside of the media root. */
  readonly movie: string;
  /** A text file outside of the media root. */
  readonly text: string;
  /** A folder outside of the media root, which must stay as it is. */
  readonly folder: string;
  /** `host:port` of a listener on this machine. */
  readonly listener: string;
}

/** In a filtergraph the colons of a value are escaped twice: for the option, and for the graph. */
const escaped = (value: string): string => value.replaceAll(':', '\\\\:');

/** Options that would reach out. None of these conversions can come to a good end. */
export const REACHING_OPTIONS: readonly (readonly [string, (t: Target) => Readonly<Record<string, string>>])[] = [
  ['movie= of a text', () => ({ vf: 'movie=/etc/passwd' })],
  ['movie= of a movie', ({ movie }) => ({ vf: `movie=${movie}[m];[in][m]overlay` })],
  ['an escaped movie=', ({ movie }) => ({ vf: `m\\ovie=${movie}[m];[in][m]overlay` })],
  ['a quoted movie=', ({ movie }) => ({ vf: `'mo'vie=${movie}[m];[in][m]overlay` })],
  ['a named movie=', ({ movie }) => ({ filter_complex: `movie@x=${movie}[m];[0:v][m]overlay[o]`, map: '[o]' })],
  ['amovie= in a graph', ({ movie }) => ({ filter_complex: `amovie=${movie}[a]`, map: '[a]' })],
  ['movie= by way of /proc', ({ movie }) => ({ vf: `movie=/proc/1/root${movie}[m];[in][m]overlay` })],
  ['movie= of the way up', ({ movie }) => ({ vf: `movie=../../../../../../..${movie}[m];[in][m]overlay` })],
  ['movie= of an address', ({ listener }) => ({ vf: `movie=${escaped(`http://${listener}/x.mp4`)}` })],
  ['movie= of a socket', ({ listener }) => ({ vf: `movie=${escaped(`tcp://${listener}`)}` })],
  ['subtitles= of a text', () => ({ vf: 'subtitles=/etc/passwd' })],
  ['subtitles= of the service’s text', ({ text }) => ({ vf: `subtitles=filename=${text}` })],
  ['drawtext= of a text', ({ text }) => ({ vf: `drawtext=textfile=${text}` })],
  ['sendcmd= of a text', ({ text }) => ({ vf: `sendcmd=f=${text}` })],
  ['lut3d= of a text', ({ text }) => ({ vf: `lut3d=${text}.cube` })],
  ['life= of a text', ({ text }) => ({ filter_complex: `life=f=${text}:s=100x100[o]`, map: '[o]' })],
  ['metadata= into a file', ({ folder }) => ({ vf: `metadata=print:file=${folder}/leak` })],
  ['metadata= to an address', ({ listener }) => ({ vf: `metadata=print:file=${escaped(`tcp://${listener}`)}` })],
  ['psnr= into a file', ({ folder }) => ({ filter_complex: `[0:v]split[a][b];[a][b]psnr=stats_file=${folder}/leak` })],
  ['x264 statistics into a file', ({ folder }) => ({ 'c:v': 'libx264', 'x264-params': `pass=1:stats=${folder}/leak` })],
];

/** A drawing that shows another file in itself, or nothing. */
export const drawing = (shown: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${shown}</svg>`;

/** Files of other kinds than their names say, and what they point at. */
export const POINTING_FILES: readonly (readonly [name: string, content: (t: Target) => string])[] = [
  ['hls.mp4', ({ movie }) => `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${movie}\n#EXT-X-ENDLIST\n`],
  ['hls-file.m3u8', ({ movie }) => `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://${movie}\n#EXT-X-ENDLIST\n`],
  [
    'hls-net.mp4',
    ({ listener }) => `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nhttp://${listener}/a.ts\n#EXT-X-ENDLIST\n`,
  ],
  [
    'hls-key.mp4',
    ({ listener }) =>
      `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/k"\n#EXTINF:3,\na.ts\n`,
  ],
  ['concat.mp4', ({ movie }) => `ffconcat version 1.0\nfile '${movie}'\n`],
  ['concat-near.mp4', () => "ffconcat version 1.0\nfile 'movie.mp4'\n"],
  ['concat-text.txt', () => 'ffconcat version 1.0\nfile /etc/passwd\n'],
  [
    'dash.mp4',
    ({ movie }) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"><BaseURL>file://${movie}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ],
  [
    'sdp.mp4',
    ({ listener }) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${listener.split(':')[1]} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
  ],
];
