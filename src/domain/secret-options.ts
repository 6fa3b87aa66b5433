import type { OptionValue, Parameters } from './conversion.ts';

/** ffmpeg options whose value is a key or a password. */
const NAMES =
  'encryption_key|decryption_keys?|cenc_decryption_keys?|activation_bytes|audible_(?:fixed_)?key|audible_iv|aa_fixed_key|' +
  'cryptokey|password';

const SECRET_OPTION = new RegExp(`^(?:${NAMES})(?::|$)`);

/** A secret in the value of an option that is a list of options, such as `segment_format_options`. */
const SECRET_IN_LIST = new RegExp(`(?<=(?:^|[:,[])(?:${NAMES})=)[^:,\\]]+`, 'g');

/** Stands for the value of a secret option wherever options are shown. */
export const HIDDEN = '(hidden)';

/** The options of a request as a view or a log may show them. */
export const hideSecrets = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]): [string, OptionValue] => {
      const hide = (text: string): string => (SECRET_OPTION.test(name) ? HIDDEN : text.replace(SECRET_IN_LIST, HIDDEN));
      return [name, typeof value === 'string' ? hide(value) : value.map(hide)];
    }),
  );

/** The minimum length of a value that is hidden. No key is shorter, and a shorter text may be part of a word. */
const MIN_LENGTH = 4;

/** Returns a function that hides in a text what secret options of `argv` contain: ffmpeg names values that it rejects. */
export function secretHider(argv: readonly string[]): (text: string) => string {
  const values = argv.flatMap((word, index) => {
    const isSecret = word.startsWith('-') && SECRET_OPTION.test(word.slice(1));
    return [...(isSecret ? [argv[index + 1] ?? ''] : []), ...(word.match(SECRET_IN_LIST) ?? [])];
  });
  const secrets = values
    .flatMap((value) => [value, ...value.split(/[:=]/)])
    .filter(({ length }) => length >= MIN_LENGTH);
  if (secrets.length === 0) return (text) => text;
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
}
