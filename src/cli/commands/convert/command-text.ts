import { shellWord } from '../../../domain/shell-text.ts';
import { hideLinks } from '../../../domain/signed-link.ts';
import { isUrl } from '../../../domain/url-input.ts';
import type { OrderedArgument } from './ordered-argv.ts';

/** The command of these arguments, for people to copy. It does not have the secrets of URLs, because logs keep messages. */
export const commandText = (words: readonly OrderedArgument[]): string =>
  ['telecine convert', ...words.flatMap(textsOf)].join(' ');

/** An option that is added to a command. `flag`: as people write it, such as `--duration`. */
export const optionWord = (flag: string, value: string): OrderedArgument => ({
  kind: 'option',
  name: flag.replace(/^-+/, ''),
  value,
  argv: [flag, value],
});

/** The same arguments as text, such as `-i ss=5`. */
export const wordsText = (words: readonly OrderedArgument[]): string => words.flatMap(textsOf).join(' ');

function textsOf(word: OrderedArgument): readonly string[] {
  if (word.kind === 'option') return word.argv.map(shellWord);
  if (isUrl(word.text)) return [shellWord(withoutSecrets(word.text))];
  // Without its "--", a name that begins with a dash would be an option.
  return [shellWord(word.text.startsWith('-') ? `./${word.text}` : word.text)];
}

const withoutSecrets = (url: string): string => hideLinks(url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*$/s, '?…'));
