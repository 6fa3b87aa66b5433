import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';

/** An option and its argument, as ffmpeg parses them. */
export interface ParsedArgvOption {
  /** Without the dash, with its specifier. */
  readonly key: string;
  /** undefined: the option has no argument. */
  readonly value?: string;
}

/** An argv as ffmpeg parses it (split_commandline in ffmpeg_opt.c and cmdutils.c). */
export interface ParsedArgv {
  readonly options: readonly ParsedArgvOption[];
  /** All words that are neither an option nor its argument: ffmpeg treats each as an output. */
  readonly outputs: readonly string[];
}

/** `catalogue` tells which of ffmpeg's own options have an argument. All other options have one. */
export function parseArgv(argv: readonly string[], catalogue: Catalogue): ParsedArgv {
  const options: ParsedArgvOption[] = [];
  const outputs: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      outputs.push(word);
      continue;
    }
    const key = word.slice(1);
    const [name = ''] = key.split(':');
    if (FLAGS.has(name) || catalogue.cli.get(name)?.argument === false) options.push({ key });
    else {
      at += 1;
      options.push({ key, value: argv[at] ?? '' });
    }
  }
  return { options, outputs };
}

/** Switches that the service sets and that the help of some builds does not mention. */
const FLAGS: ReadonlySet<string> = new Set(['nostdin', 'hide_banner', 'nostats', 'y', 'an', 'sn']);
