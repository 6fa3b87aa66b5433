import type { OptionValue, Parameters } from './conversion.ts';

/** ffmpeg options whose value is a key or a password. */
const NAMES =
  'encryption_key|decryption_keys?|cenc_decryption_keys?|activation_bytes|audible_(?:fixed_)?key|audible_iv|aa_fixed_key|' +
  'cryptokey|password';

const SECRET_OPTION = new RegExp(`^(?:${NAMES})(?::|$)`);

/** Whether the value of this option is a key or a password. */
export const isSecretOption = (name: string): boolean => SECRET_OPTION.test(name);

/** A secret in the value of an option that is a list of options, such as `segment_format_options`. */
const SECRET_IN_LIST = new RegExp(`(?<=(?:^|[:,[])(?:${NAMES})=)[^:,\\]]+`, 'g');

const SECRET_IN_TEXT = new RegExp(`(?<!\\w)(?:${NAMES})(?!\\w)`);

/** Whether a text, such as a command line, may have a secret: the value of a secret option, or a URL with a password or a signature. */
export const mayHoldSecrets = (text: string): boolean => text.includes(':/') || SECRET_IN_TEXT.test(text);

/** Stands for the value of a secret option wherever options are shown. */
export const HIDDEN = '(hidden)';

const hideIn = (name: string, value: string): string =>
  SECRET_OPTION.test(name) ? HIDDEN : value.replace(SECRET_IN_LIST, HIDDEN);

/** The options of a request as a view or a log may show them. */
export const hideSecrets = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]): [string, OptionValue] => [
      name,
      typeof value === 'string' ? hideIn(name, value) : value.map((text) => hideIn(name, text)),
    ]),
  );

/** The name of an option in an argv; '' for any other word. */
const optionName = (word = ''): string => (word.startsWith('-') ? word.slice(1) : '');

/** An argv as a view may show it. */
export const hideSecretWords = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => hideIn(optionName(argv[index - 1]), word));

/** The secrets that the secret options of `argv` contain. */
export const secretsIn = (argv: readonly string[]): readonly string[] =>
  argv.flatMap((word, index) =>
    SECRET_OPTION.test(optionName(argv[index - 1])) ? [word] : (word.match(SECRET_IN_LIST) ?? []),
  );
