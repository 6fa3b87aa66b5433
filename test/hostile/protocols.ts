import type { Canaries } from './canaries.ts';
import { PLACEHOLDER_CANARIES } from './placeholder-canaries.ts';
import type { Effect, HostileRow } from './row.ts';

/** To the service every input is a path below the root, whatever it looks like: there is no such file. */
const input = (effect: Effect, title: string, address: (bait: Canaries) => string, inert?: string): HostileRow => ({
  title: `an input by ${title}`,
  effect,
  ...(address(PLACEHOLDER_CANARIES).includes(`://${PLACEHOLDER_CANARIES.listener}`) && title !== 'tcp'
    ? { spells: 'an input by tcp' }
    : {}),
  ...storage(address),
  ...(inert === undefined ? {} : { inert }),
  request: (bait) => ({ input: address(bait), output: 'out/a.mkv', parameters: { c: 'copy', t: '0.2' } }),
  argv: (bait) => ['-y', '-i', address(bait), '-c', 'copy', '-t', '0.2', 'out/a.mkv'],
});

/** To the service every output is a path below the root: folders with odd names. */
const output = (effect: Effect, title: string, address: (bait: Canaries) => string, inert?: string): HostileRow => ({
  title: `an output by ${title}`,
  effect,
  ...(inert === undefined ? {} : { inert }),
  request: (bait) => ({
    input: 'movie.mp4',
    output: `out/${address(bait)}`,
    format: 'mpegts',
    parameters: { c: 'copy', t: '0.2' },
  }),
  argv: (bait, from) => ['-y', '-i', from, '-c', 'copy', '-t', '0.2', '-f', 'mpegts', address(bait)],
});

/** Addresses with a host are not even taken for paths. */
const storage = (address: (bait: Canaries) => string): Pick<HostileRow, 'code'> =>
  address(PLACEHOLDER_CANARIES).includes('://') ? { code: 'STORAGE_NOT_ALLOWED' } : {};

const SERVER = 'it wants a server that answers, and no test may leave this machine';

/** 7. Protocols. */
export const PROTOCOLS: readonly HostileRow[] = [
  input('connects', 'http', ({ listener }) => `http://${listener}/x.mp4`),
  input('connects', 'tcp', ({ listener }) => `tcp://${listener}`),
  input('connects', 'unix, as the socket of a daemon', ({ socket }) => `unix:${socket}`),
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
  input('reads', 'crypto', ({ movie }) => `crypto:${movie}`, 'it wants a key before it reads'),
  input('reads', 'a path of the host', ({ movie }) => movie),
  input('reads', 'a pattern', ({ root }) => `${root}/sibling%1d.ts`, 'no file counts so'),
  input('exhausts', 'data', () => 'data:text/plain;base64,AAAA', 'it reaches nothing'),
  input('hangs', 'pipe, of standard input', () => 'pipe:0', 'standard input is closed'),
  input('reads', 'fd', () => 'fd:', 'ffmpeg 6 has it'),
  output('connects', 'tcp', ({ listener }) => `tcp://${listener}`),
  output('connects', 'udp', ({ listener }) => `udp://${listener}`),
  output('connects', 'http', ({ listener }) => `http://${listener}/x`),
  output('connects', 'unix', ({ socket }) => `unix:${socket}`),
  output('connects', 'rtmp', ({ listener }) => `rtmp://${listener}/x`, 'it takes one container only'),
  output('connects', 'icecast', ({ listener }) => `icecast://${listener}/x`),
  output('writes', 'file', ({ folder }) => `file:${folder}/leak.ts`),
  output('writes', 'tee', ({ folder }) => `tee:${folder}/leak.ts`),
  output('writes', 'md5', ({ folder }) => `md5:${folder}/leak`),
  output('writes', 'a path of the host', ({ folder }) => `${folder}/leak.ts`),
];
