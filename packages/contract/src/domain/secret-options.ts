import type { ConversionRequest, OptionValue, Parameters } from './conversion.ts';

/** ffmpeg options whose value is a key or a password. */
const NAMES =
  'encryption_key|decryption_keys?|cenc_decryption_keys?|activation_bytes|audible_(?:fixed_)?key|audible_iv|aa_fixed_key|' +
  'cryptokey|password';

const SECRET_OPTION = new RegExp(`^(?:${NAMES})(?::|$)`);

/**
 * Options whose value lists options of a muxer, a demuxer or a protocol: of the segments of `segment`, `hls` (`hls_ts_options` is its former name)
 * and `dash`, of the muxers in `fifo` and `tee`, of the demuxer of `hls`, and of the protocol of `image2`. The files of `tee` are lists, too. Other
 * lists, such as those of `x264-params`, allowed filters and `metadata`, have no option with a key: what looks like one is a text.
 */
const LIST_OPTION =
  /^(?:segment_format_options|hls_segment_options|hls_ts_options|format_options|format_opts|fifo_options|seg_format_options|protocol_opts)?(?::|$)/;

/** Replaces the value of a secret option wherever options are shown. */
export const HIDDEN = '(hidden)';

const hideIn = (name: string, value: string): string =>
  partsOf(name, value)
    .map(({ before, secret }) => (secret === undefined ? before : `${before}${HIDDEN}`))
    .join('');

/** Splits the value of an option at its secrets. `name`: '' for a word of an argv that is the value of no option. */
function partsOf(name: string, value: string): readonly ListPart[] {
  if (SECRET_OPTION.test(name)) return [{ before: '', secret: value }];
  return LIST_OPTION.test(name) ? partsOfList(value) : [{ before: value }];
}

/** A part of the value of an option: the text in front of a secret, and the secret. */
interface ListPart {
  readonly before: string;
  readonly secret?: string;
}

/**
 * Finds the secrets in the value of an option that itself lists options, such as `segment_format_options`. As ffmpeg does, ignores spaces
 * around a name and `=`, and quotes and backslashes in a name. A secret with a quote or a backslash ends with the text: it may contain
 * separators.
 */
function partsOfList(list: string): readonly ListPart[] {
  const parts: ListPart[] = [];
  /** Where the text begins that is not in `parts` yet. */
  let done = 0;
  let start = 0;
  for (const option of list.split(/(?<=[:,\]])/)) {
    const equals = option.indexOf('=');
    const name = option.slice(option.lastIndexOf('[', equals) + 1, Math.max(equals, 0)).replaceAll(/[\s'\\]/g, '');
    const value = option.slice(equals + 1).replace(/[:,\]]$/, '');
    const secret = value.trim();
    if (secret !== '' && SECRET_OPTION.test(name)) {
      const from = start + equals + 1 + value.length - value.trimStart().length;
      const end = /['\\]/.test(secret) ? list.length : from + secret.length;
      parts.push({ before: list.slice(done, from), secret: list.slice(from, end) });
      done = end;
      if (end === list.length) break;
    }
    start += option.length;
  }
  return [...parts, { before: list.slice(done) }];
}

function hideInValue(name: string, value: OptionValue): OptionValue {
  if (typeof value === 'string') return hideIn(name, value);
  return typeof value === 'object' ? value.map((one) => hideIn(name, String(one))) : value;
}

/** The options of a request for a view or a log, with secrets hidden. */
export const hideSecrets = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]): [string, OptionValue] => [name, hideInValue(name, value)]),
  );

/** The name of the option if a word of an argv is an option. '' for any other word. */
const optionName = (word = ''): string => (word.startsWith('-') ? word.slice(1) : '');

/** An argv for a view, with secrets hidden. */
export const hideSecretWords = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => hideIn(optionName(argv[index - 1]), word));

/** The secrets that the secret options of `argv` contain. */
export const secretsIn = (argv: readonly string[]): readonly string[] =>
  argv.flatMap((word, index) => partsOf(optionName(argv[index - 1]), word).flatMap(({ secret = [] }) => secret));

/** The secrets in the options of a request. */
export const secretsOf = (parameters: Parameters): readonly string[] =>
  Object.entries(parameters).flatMap(([name, value]) =>
    secretsIn([value].flat().flatMap((one) => [`-${name}`, String(one)])),
  );

/** Whether the request of a job, or its view, has keys or passwords other than those of URLs, in what runs or in what was sent. */
export function hasKeys({
  inputs = [],
  outputs = [],
  parameters,
  fallback,
  encrypt,
  sent,
}: ConversionRequest): boolean {
  const ofInputs = inputs.map((spec) => (typeof spec === 'string' ? undefined : spec.parameters));
  const lists = [parameters, fallback, ...ofInputs, ...outputs.flatMap((spec) => [spec.parameters, spec.fallback])];
  const hasSecret = lists.some((options) => secretsOf(options ?? {}).length > 0);
  return encrypt !== undefined || hasSecret || (sent !== undefined && hasKeys(sent));
}

/** The minimum length of a text that is hidden. No key is shorter, and a shorter text may be part of a word. */
const MIN_LENGTH = 4;

/** A text whose first 8 characters are those of a secret counts as this secret: ffmpeg cuts long lines, so the rest may be missing. */
const PREFIX_LENGTH = 8;

/** The maximum number of secrets with the same beginning to compare. With more, the rest of the line is hidden, to limit the time. */
const MAX_CANDIDATES = 16;

/** Changes only ASCII letters. Other letters may become longer in lower case, and positions in the line would no longer be right. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A secret and its parts. A list of keys has several parts, and ffmpeg reports only the part that it rejects. */
const piecesOf = (secret: string): readonly string[] =>
  [secret, ...secret.split(/[:=]/)].flatMap((part) => (/^0x/i.test(part) ? [part, part.slice(2)] : [part]));

/**
 * Returns a function that hides `secrets` in a line of output of any program that knows them. It finds upper and lower case, numbers with
 * and without 0x, and secrets that the end of the line cuts. The time for a line grows with its length, not with the number of secrets.
 */
export function secretHider(secrets: readonly string[]): (line: string) => string {
  const parts = new Set(secrets.flatMap(piecesOf).map(lowerCase));
  /** The parts of all secrets, grouped by their beginnings. */
  const candidates = new Map<string, string[]>();
  for (const part of parts) {
    if (part.length < MIN_LENGTH) continue;
    const prefix = part.slice(0, PREFIX_LENGTH);
    const found = candidates.get(prefix);
    if (found === undefined) candidates.set(prefix, [part]);
    else if (found.length <= MAX_CANDIDATES) found.push(part);
  }
  if (candidates.size === 0) return (line) => line;
  const lengths = [...new Set([...candidates.keys()].map(({ length }) => length))].sort((a, b) => b - a);

  /** The number of characters from `at` on that belong to a secret. 0: none. */
  const secretLength = (line: string, at: number): number => {
    for (const length of lengths) {
      const found = candidates.get(line.slice(at, at + length));
      if (found === undefined) continue;
      if (found.length > MAX_CANDIDATES) return line.length - at;
      return Math.max(...found.map((part) => commonLength(line, at, part)));
    }
    return 0;
  };
  return (line) => {
    const lower = lowerCase(line);
    let hidden = '';
    let shown = 0;
    for (let at = 0; at <= line.length - MIN_LENGTH; ) {
      const length = secretLength(lower, at);
      if (length > 0) {
        hidden += line.slice(shown, at) + HIDDEN;
        shown = at + length;
      }
      at += Math.max(length, 1);
    }
    return hidden + line.slice(shown);
  };
}

function commonLength(line: string, at: number, part: string): number {
  let length = 0;
  while (length < part.length && line[at + length] === part[length]) length += 1;
  return length;
}
