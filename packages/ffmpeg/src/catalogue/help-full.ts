import { isDeepStrictEqual } from 'node:util';
import { wordSet } from '../allowlist/words.ts';
import type { AvOwner, AvUse, Catalogue } from './catalogue.ts';
import { type AvOption, GENERIC_CLASSES } from './component.ts';
import { parseOptions } from './help-options.ts';

/** The classes of options of protocols, by their titles in the help (ffmpeg 5.1 to 9.0). */
const PROTOCOLS = wordSet(
  'AVIOContext URLContext amqp android_content Async bluray cache concat concatf crypto data dtls fd ffrtmpcrypt ' +
    'ffrtmphttp file ftp gopher gophers http httpproxy https icecast IPFS libamqp librist librtmp libsmbclient libsrt ' +
    'libssh libzmq md5 mmsh mmst pipe prompeg rtmp rtmpe rtmps rtmpt rtmpte rtmpts rtp sctp sftp smb srtp subfile tcp ' +
    'tee tls udp udplite unix zmq',
);

const CLASS = /^(\S.*) AVOptions:$/gm;
/** Matches `-c codec  codec name`, and since 7.0 also `-c[:<stream_spec>] <codec>  select encoder/decoder`. */
const CLI_OPTION = /^-(\w[\w-]*)(.*)$/gm;

/** The help text follows two or more spaces. The name of an argument may come before them. */
const CLI_TEXT = / {2,}(\S.*)$/;

/** Parses `ffmpeg -h full`. */
export function parseFullHelp(text: string): Pick<Catalogue, 'cliHelp' | 'avOptions' | 'generic' | 'classes'> {
  const titles = [...text.matchAll(CLASS)];
  const cliLines = text.slice(0, titles[0]?.index).matchAll(CLI_OPTION);
  const cliHelp = new Map([...cliLines].map(([, name = '', rest = '']) => [name, CLI_TEXT.exec(rest)?.[1] ?? '']));
  const classes = new Map<string, string>();
  const avOptions = new Map<string, AvUse[]>();
  const newMap = () => new Map<string, AvOption>();
  const generic = { codec: newMap(), format: newMap(), scaler: newMap(), resampler: newMap() };
  for (const [at, { 1: title = '', index }] of titles.entries()) {
    const own = text.slice(index, titles[at + 1]?.index);
    const lines = own.split('\n');
    // A filter and a protocol have the title `concat`.
    const isProtocol = PROTOCOLS.has(title) && lines.some(isDirected);
    if (!isProtocol) addClass(classes, title, own);
    const of = GENERIC_CLASSES.get(title);
    // Skip constants and options of filters, which are half of the text. Only classes that many components share need their constants.
    for (const option of parseOptions(of === undefined ? lines.filter(isDirected) : lines)) {
      if (of !== undefined) generic[of].set(option.name, option);
      const use = meaningOf(option, of ?? (isProtocol ? 'protocol' : 'private'));
      // Skip options of bitstream filters, which have a dash but neither encode nor decode. A request cannot name them directly.
      if (use.encoding || use.decoding) addUse(avOptions, option.name, use);
    }
  }
  return { cliHelp, avOptions, generic, classes };
}

/** Adds a class. Components that share a class repeat it; a few other classes have the same title, such as `ProRes encoder`. */
function addClass(into: Map<string, string>, title: string, text: string): void {
  let key = title;
  for (let n = 2; into.has(key) && into.get(key)?.trimEnd() !== text.trimEnd(); n++) key = `${title} (${n})`;
  into.set(key, text);
}

/** True if the line is an option that a request can name directly. Options of filters have no dash in the help. */
const isDirected = (line: string): boolean => line.startsWith('  -');

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

/** Parses all classes with options that a request can name directly, by their titles. Classes of filters are missing. */
export const parseClasses = (classes: Catalogue['classes']): (readonly [title: string, readonly AvOption[]])[] =>
  [...classes].flatMap(([title, text]) => {
    const lines = text.split('\n');
    return lines.some(isDirected) ? [[title.replace(/ \(\d+\)$/, ''), parseOptions(lines)]] : [];
  });
