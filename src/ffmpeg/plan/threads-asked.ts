import { KEYED_OPTIONS } from '../policy/encoder-keys/tables.ts';
import { readKeyedText } from '../values/keyed-text.ts';
import { readNumber } from '../values/number.ts';

const INT_MAX = 2 ** 31 - 1;

/** What words stand for in the AVOption `threads`; 0 leaves the number to the machine. */
const WORDS: Readonly<Record<string, number>> = { default: 1, max: INT_MAX, min: 0, none: 0, auto: 0, all: 0 };

/** Keys of encoder libraries that win over `threads`; of the latter ones "0" is no matter of the machine. */
const THREADS: ReadonlySet<string> = new Set(['threads', 'frame-threads', 'lp']);
const MORE_THREADS: ReadonlySet<string> = new Set(['lookahead-threads', 'pools']);

/**
 * The most threads that an option asks for at a time, `byItself` where it leaves that to the machine. undefined: it
 * says nothing of threads.
 */
export function threadsAsked(name: string, value: string, byItself: number): number | undefined {
  if (name === 'threads') {
    const said = readNumber(value, (word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined)) ?? 0;
    return Math.round(said) > 0 ? said : byItself;
  }
  const keyed = KEYED_OPTIONS.get(name);
  const asked = (keyed && readKeyedText(value, keyed))?.flatMap(([key, text]) => {
    const plain = key.replaceAll('_', '-');
    const said = text.split(',').reduce((sum, part) => sum + (readNumber(part) ?? 0), 0);
    if (THREADS.has(plain)) return said > 0 ? said : byItself;
    return MORE_THREADS.has(plain) ? said : [];
  });
  return asked === undefined || asked.length === 0 ? undefined : Math.max(...asked);
}
