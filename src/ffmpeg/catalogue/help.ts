import type { AvOwner, AvUse, Encoder, MediaKind } from './catalogue.ts';

/** What `ffmpeg -h full` tells reliably: names, and of AVOptions also type, direction and media. */
export interface FullHelp {
  /** ffmpeg's own options. Their arity and direction have to be asked. */
  readonly cli: readonly string[];
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
}

const GENERIC: ReadonlyMap<string, AvOwner> = new Map([
  ['AVCodecContext', 'codec'],
  ['AVFormatContext', 'format'],
  ['SWScaler', 'scaler'],
  ['SWResampler', 'resampler'],
]);

/** The classes of libavformat's protocols as the help titles them (ffmpeg 5.1 to 7.1). */
const PROTOCOLS: ReadonlySet<string> = new Set(
  (
    'AVIOContext URLContext amqp android_content Async bluray cache concat concatf crypto data dtls fd ffrtmpcrypt ' +
    'ffrtmphttp file ftp gopher gophers http httpproxy https icecast IPFS libamqp librist librtmp libsmbclient libsrt ' +
    'libssh libzmq md5 mmsh mmst pipe prompeg rtmp rtmpe rtmps rtmpt rtmpte rtmpts rtp sctp sftp smb srtp subfile tcp ' +
    'tee tls udp udplite unix zmq'
  ).split(' '),
);

const CLASS = /^(\S.*?) AVOptions:/;
/** `  -crf  <float>  E..V....... help`; lists are printed as `[<int> ]` since 7.0. */
const AV_OPTION = /^ {2}-(\S+)\s+\[?<(\w+)>\s*\]?\s+([E.])([D.])\S([V.])([A.])([S.])/;
/** `-c codec  help`; since 7.0 also `-c[:<stream_spec>] <codec>  help`. */
const CLI_OPTION = /^-(\w[\w-]*)/;

export function parseFullHelp(text: string): FullHelp {
  const cli = new Set<string>();
  const avOptions = new Map<string, AvUse[]>();
  let owner: AvOwner | undefined;
  for (const line of text.split('\n')) {
    const title = CLASS.exec(line)?.[1];
    if (title !== undefined) owner = GENERIC.get(title) ?? (PROTOCOLS.has(title) ? 'protocol' : 'private');
    else if (owner === undefined) {
      const name = CLI_OPTION.exec(line)?.[1];
      if (name !== undefined) cli.add(name);
    } else {
      const [, name, type, e, d, v, a, s] = AV_OPTION.exec(line) ?? [];
      if (name === undefined || type === undefined) continue;
      const library = owner === 'scaler' || owner === 'resampler';
      const use: AvUse = {
        owner,
        type,
        // The scaler's and resampler's options carry no direction; ffmpeg takes them for outputs.
        encoding: e === 'E' || library,
        decoding: d === 'D',
        media: library ? '' : `${v}${a}${s}`.replaceAll('.', ''),
      };
      // Options of filters and bitstream filters have no direction: a conversion cannot name them directly.
      if (use.encoding || use.decoding) addUse(avOptions, name, use);
    }
  }
  return { cli: [...cli], avOptions };
}

function addUse(into: Map<string, AvUse[]>, name: string, use: AvUse): void {
  const uses = into.get(name);
  if (uses === undefined) into.set(name, [use]);
  else if (
    !uses.some(
      (u) =>
        u.owner === use.owner &&
        u.type === use.type &&
        u.encoding === use.encoding &&
        u.decoding === use.decoding &&
        u.media === use.media,
    )
  )
    uses.push(use);
}

/** Names out of `-muxers` or `-demuxers`; a line may hold several: `sdl,sdl2`. */
export function parseFormatList(text: string): readonly string[] {
  // Since 7.0 a third column tells devices.
  const names = linesAfterRule(text).map((line) => /^ [D ][E ](?:[d ] | )(\S+)/.exec(line)?.[1]);
  return names.flatMap((name) => name?.split(',') ?? []);
}

const KINDS: Readonly<Record<string, MediaKind>> = { V: 'video', A: 'audio', S: 'subtitle' };

/** `-encoders`: name → what it writes. */
export function parseEncoders(text: string): ReadonlyMap<string, Encoder> {
  const encoders = new Map<string, Encoder>();
  for (const line of linesAfterRule(text)) {
    const [, letter, name, codec] = /^ ([VAS])\S{5} (\S+)\s.*?(?:\(codec (\S+)\))?\s*$/.exec(line) ?? [];
    const kind = KINDS[letter ?? ''];
    if (kind !== undefined && name !== undefined) encoders.set(name, { kind, codec: codec ?? name });
  }
  return encoders;
}

/** The options in the help of one component (`-h muxer=gif`). */
export function parseComponentOptions(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => AV_OPTION.exec(line)?.[1] ?? []);
}

/** ffmpeg prints a legend, a line of dashes, then the list. */
function linesAfterRule(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => /^ -+\s*$/.test(line)) + 1);
}
