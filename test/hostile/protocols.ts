import type { Canaries } from './canaries.ts';
import { PLACEHOLDER_CANARIES } from './placeholder-canaries.ts';
import type { Effect, HostileRow } from './row.ts';

/** The checks reject the usual protocols. Any other address is a path in the media root, where no such file exists. */
const input = (
  effect: Effect,
  title: string,
  address: (canaries: Canaries) => string,
  noEffectReason?: string,
): HostileRow => ({
  title: `an input by ${title}`,
  effect,
  ...(address(PLACEHOLDER_CANARIES).includes(`://${PLACEHOLDER_CANARIES.listener}`) && title !== 'tcp'
    ? { variantOf: 'an input by tcp' }
    : {}),
  ...storageCode(address),
  ...(noEffectReason === undefined ? {} : { noEffectReason }),
  request: (canaries) => ({ input: address(canaries), output: 'out/a.mkv', parameters: { c: 'copy', t: '0.2' } }),
  argv: (canaries) => ['-y', '-i', address(canaries), '-c', 'copy', '-t', '0.2', 'out/a.mkv'],
});

/** The service treats every output as a path in the media root, so it creates folders with odd names. */
const output = (
  effect: Effect,
  title: string,
  address: (canaries: Canaries) => string,
  noEffectReason?: string,
): HostileRow => ({
  title: `an output by ${title}`,
  effect,
  ...(noEffectReason === undefined ? {} : { noEffectReason }),
  request: (canaries) => ({
    input: 'movie.mp4',
    output: `out/${address(canaries)}`,
    format: 'mpegts',
    parameters: { c: 'copy', t: '0.2' },
  }),
  argv: (canaries, from) => ['-y', '-i', from, '-c', 'copy', '-t', '0.2', '-f', 'mpegts', address(canaries)],
});

/** The checks reject a URL with a host, and what only ffmpeg reads as a file (`concat:`, `lavfi:`, `pipe:`). */
const storageCode = (address: (canaries: Canaries) => string): Pick<HostileRow, 'code'> =>
  /:\/\/|^(?:concat|lavfi|file|fd|pipe|data|cache|async|crypto|unix):|^subfile,/.test(address(PLACEHOLDER_CANARIES))
    ? { code: 'STORAGE_NOT_ALLOWED' }
    : {};

const SERVER = 'it needs a server that replies, and tests must not leave this machine';

/** 7. Protocols. */
export const PROTOCOLS: readonly HostileRow[] = [
  input('connects', 'http', ({ listener }) => `http://${listener}/x.mp4`),
  input('connects', 'tcp', ({ listener }) => `tcp://${listener}`),
  input('connects', 'unix socket', ({ socket }) => `unix:${socket}`),
  input('connects', 'hls over http', ({ listener }) => `hls+http://${listener}/x.m3u8`),
  input('connects', 'rtsp', ({ listener }) => `rtsp://${listener}/x`),
  input('connects', 'rtmp', ({ listener }) => `rtmp://${listener}/x`),
  input('connects', 'ftp', ({ listener }) => `ftp://${listener}/x`),
  input('connects', 'gopher', ({ listener }) => `gopher://${listener}/x`),
  input('connects', 'https', ({ listener }) => `https://${listener}/x.mp4`),
  input('connects', 'tls', ({ listener }) => `tls://${listener}`),
  input('connects', 'sftp', ({ listener }) => `sftp://${listener}/x`),
  input('connects', 'mmsh', ({ listener }) => `mmsh://${listener}/x`),
  input('connects', 'amqp', ({ listener }) => `amqp://${listener}/x`, SERVER),
  input('connects', 'srt', ({ listener }) => `srt://${listener}`, SERVER),
  input('connects', 'ipfs', () => 'ipfs://QmX/x.mp4', SERVER),
  input('reads', 'file', ({ movie }) => `file:${movie}`),
  input('reads', 'concat', ({ stream }) => `concat:${stream}|${stream}`),
  input('reads', 'concatf', ({ text }) => `concatf:${text}`),
  input('reads', 'subfile', ({ movie }) => `subfile,,start,0,end,0,,:${movie}`),
  input('reads', 'cache', ({ movie }) => `cache:${movie}`),
  input('reads', 'async', ({ movie }) => `async:${movie}`),
  input('reads', 'crypto', ({ movie }) => `crypto:${movie}`, 'it needs a key before it reads'),
  input('reads', 'host path', ({ movie }) => movie),
  input('reads', 'file name pattern', ({ root }) => `${root}/sibling%1d.ts`, 'no file matches it'),
  input('exhausts', 'data', () => 'data:text/plain;base64,AAAA', 'the data is in the URL itself'),
  input('hangs', 'pipe from standard input', () => 'pipe:0', 'standard input is closed'),
  input('reads', 'fd', () => 'fd:', 'the feature is new in ffmpeg 6'),
  output('connects', 'tcp', ({ listener }) => `tcp://${listener}`),
  output('connects', 'udp', ({ listener }) => `udp://${listener}`),
  output('connects', 'http', ({ listener }) => `http://${listener}/x`),
  output('connects', 'unix', ({ socket }) => `unix:${socket}`),
  output('connects', 'rtmp', ({ listener }) => `rtmp://${listener}/x`, 'it accepts only FLV'),
  output('connects', 'icecast', ({ listener }) => `icecast://${listener}/x`),
  output('writes', 'file', ({ folder }) => `file:${folder}/leak.ts`),
  output('writes', 'tee', ({ folder }) => `tee:${folder}/leak.ts`),
  output('writes', 'md5', ({ folder }) => `md5:${folder}/leak`),
  output('writes', 'host path', ({ folder }) => `${folder}/leak.ts`),
];
