import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';

/** An option without its dash. The value is undefined if the option has no argument. */
export interface CommandOption {
  readonly key: string;
  readonly value?: string;
}

/** An input or an output, with the options before it. */
export interface CommandFile {
  readonly name: string;
  readonly options: readonly CommandOption[];
}

/** A command line of ffmpeg. */
export interface FfmpegCommand {
  readonly inputs: readonly CommandFile[];
  readonly outputs: readonly CommandFile[];
}

/** Reads the words after `ffmpeg`. Options after the last file belong to an output that the example omits. */
export function readCommand(words: readonly string[], { cli }: Catalogue): FfmpegCommand {
  const isFlag = (name: string): boolean => FLAGS.has(name) || cli.get(name)?.argument === false;
  const inputs: CommandFile[] = [];
  const outputs: CommandFile[] = [];
  let options: CommandOption[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const key = word.slice(1);
    if (!word.startsWith('-') || word === '-') {
      outputs.push({ name: word, options });
      options = [];
    } else if (key === 'i') {
      at += 1;
      inputs.push({ name: words[at] ?? '', options });
      options = [];
    } else if (isFlag(key.replace(/:.*/s, ''))) options.push({ key });
    else {
      at += 1;
      options.push({ key, value: words[at] ?? '' });
    }
  }
  if (outputs.length === 0) outputs.push({ name: 'out.mkv', options });
  return { inputs, outputs };
}

/** Options without an argument that no request can have, so that the recordings have no facts about them. */
const FLAGS: ReadonlySet<string> = new Set(['y', 'n', 're', 'stats', 'nostats', 'benchmark', 'hide_banner', 'report']);

/** The words that `readCommand` reads back. */
export const commandWords = ({ inputs, outputs }: FfmpegCommand): readonly string[] => [
  ...inputs.flatMap(({ name, options }) => [...options.flatMap(optionWords), '-i', name]),
  ...outputs.flatMap(({ name, options }) => [...options.flatMap(optionWords), name]),
];

const optionWords = ({ key, value }: CommandOption): readonly string[] =>
  value === undefined ? [`-${key}`] : [`-${key}`, value];
