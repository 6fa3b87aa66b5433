import { isDeepStrictEqual } from 'node:util';
import { wordSet } from '../allowlist/words.ts';
import type { AvOwner, AvUse, CliHelp } from './catalogue.ts';
import { type AvOption, byGenericClass, type GenericClass } from './component.ts';
import { parseOptions } from './help-component.ts';

/** The reliable facts of `ffmpeg -h full`. */
interface FullHelp {
  /** The options of the ffmpeg program. The help is not reliable about their arguments and where they apply, so this is queried. */
  readonly cli: ReadonlyMap<string, CliHelp>;
  readonly avOptions: ReadonlyMap<string, readonly AvUse[]>;
  readonly generic: Readonly<Record<GenericClass, ReadonlyMap<string, AvOption>>>;
}

const GENERIC: ReadonlyMap<string, GenericClass> = new Map([
  ['AVCodecContext', 'codec'],
  ['AVFormatContext', 'format'],
  ['SWScaler', 'scaler'],
  ['SWResampler', 'resampler'],
]);

/** The classes of options of protocols, by their titles in the help (ffmpeg 5.1 to 9.0). */
const PROTOCOLS = wordSet(
  'AVIOContext URLContext amqp android_content Async bluray cache concat concatf crypto data dtls fd ffrtmpcrypt ' +
    'ffrtmphttp file ftp gopher gophers http httpproxy https icecast IPFS libamqp librist librtmp libsmbclient libsrt ' +
    'libssh libzmq md5 mmsh mmst pipe prompeg rtmp rtmpe rtmps rtmpt rtmpte rtmpts rtp sctp sftp smb srtp subfile tcp ' +
    'tee tls udp udplite unix zmq',
);

const CLASS = /^(\S.*?) AVOptions:/;
/** Matches `-c codec  codec name`, and since 7.0 also `-c[:<stream_spec>] <codec>  select encoder/decoder`. */
const CLI_OPTION = /^-(\w[\w-]*)(.*)$/;

/** The help text follows two or more spaces. The name of an argument may come before them. */
const CLI_TEXT = / {2,}(\S.*)$/;

export function parseFullHelp(text: string): FullHelp {
  const cli = new Map<string, CliHelp>();
  const avOptions = new Map<string, AvUse[]>();
  const generic = byGenericClass(() => new Map<string, AvOption>());
  for (const { title, lines } of classesOf(text)) {
    if (title === undefined) {
      for (const line of lines) {
        const [, name, rest = ''] = CLI_OPTION.exec(line) ?? [];
        if (name !== undefined) cli.set(name, { line: line.slice(1), help: CLI_TEXT.exec(rest)?.[1] ?? '' });
      }
      continue;
    }
    const of = GENERIC.get(title);
    const owner = of ?? (PROTOCOLS.has(title) ? 'protocol' : 'private');
    // Skip constants and options of filters, which are half of the text. Only classes that many components share need their constants.
    for (const option of parseOptions(of === undefined ? lines.filter(isDirected) : lines)) {
      if (of !== undefined) generic[of].set(option.name, option);
      const use = meaningOf(option, owner);
      // Skip options of bitstream filters, which have a dash but neither encode nor decode. A request cannot name them directly.
      if (use.encoding || use.decoding) addUse(avOptions, option.name, use);
    }
  }
  return { cli, avOptions, generic };
}

/** True if the line is an option that a request can name directly. Options of filters have no dash in the help. */
const isDirected = (line: string): boolean => line.startsWith('  -');

/** A class of options in `ffmpeg -h full`, such as those of one codec. */
export interface OptionClass {
  /** The title as ffmpeg prints it: `libx264`, `GIF muxer`, `AVCodecContext`. */
  readonly title: string;
  readonly options: readonly AvOption[];
}

/** Parses all classes with options that a request can name directly. Classes of filters and protocols are missing. */
export function parseClasses(text: string): readonly OptionClass[] {
  return [...classesOf(text)].flatMap(({ title, lines }) =>
    title === undefined || PROTOCOLS.has(title) || !lines.some(isDirected)
      ? []
      : [{ title, options: parseOptions(lines) }],
  );
}

/** Splits the text into the part before the first class (`title` undefined), and one part per class. */
function* classesOf(text: string): Generator<{ readonly title: string | undefined; readonly lines: string[] }> {
  let title: string | undefined;
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const next = CLASS.exec(line)?.[1];
    if (next === undefined) {
      lines.push(line);
      continue;
    }
    yield { title, lines };
    title = next;
    lines = [];
  }
  yield { title, lines };
}

function meaningOf({ type, encoding, decoding, media }: AvOption, owner: AvOwner): AvUse {
  // ffmpeg applies options of the scaler and resampler to outputs, although the help marks them as neither encoding nor decoding.
  if (owner === 'scaler' || owner === 'resampler') return { owner, type, encoding: true, decoding, media: '' };
  return { owner, type, encoding, decoding, media };
}

function addUse(into: Map<string, AvUse[]>, name: string, use: AvUse): void {
  const uses = into.get(name);
  if (uses === undefined) into.set(name, [use]);
  else if (!uses.some((known) => isDeepStrictEqual(known, use))) uses.push(use);
}
