import type { Catalogue } from '../../src/ffmpeg/catalogue/catalogue.ts';

/** A word that begins with a dash, and what ffmpeg takes for its argument. */
export interface ReadWord {
  /** Without the dash, with its specifier. */
  readonly key: string;
  /** undefined: the option takes none. */
  readonly value?: string;
}

/** An argv as ffmpeg splits it (split_commandline of ffmpeg_opt.c and cmdutils.c). */
export interface ReadArgv {
  readonly options: readonly ReadWord[];
  /** All that is neither an option nor its argument: to ffmpeg, each is an output. */
  readonly outputs: readonly string[];
}

/** `catalogue` tells which of ffmpeg's own options take an argument; all other options do. */
export function readArgv(argv: readonly string[], catalogue: Catalogue): ReadArgv {
  const options: ReadWord[] = [];
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

/** Switches of the service, of which some builds' help says nothing. */
const FLAGS: ReadonlySet<string> = new Set(['nostdin', 'hide_banner', 'nostats', 'y', 'an', 'sn']);
