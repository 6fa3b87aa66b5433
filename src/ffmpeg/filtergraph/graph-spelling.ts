import { isGraphError } from './graph.ts';
import { parseGraph } from './parse.ts';

/** The graph without commas and semicolons that no filter follows: `fps=30,`. Undefined if there are none. */
export function withoutLooseMarks(text: string): string | undefined {
  const from = text.search(/[^\s,;]/);
  // A regular expression for the marks at the end takes quadratic time.
  let to = text.length;
  while (to > from && /[\s,;]/.test(text.charAt(to - 1))) to -= 1;
  const plain = text.slice(Math.max(0, from), to).replaceAll(/([,;])\s*(?:[,;]\s*)+/g, '$1');
  return plain !== text.trim() && plain !== '' && !isGraphError(parseGraph(plain)) ? plain : undefined;
}

/** A character that no request contains: it stands for a quoted part or an escaped character. */
const QUOTED = '\u{e001}';

/** Changes a graph without its quoted parts and escaped characters, which are texts. `change` keeps the order of what it does not know. */
function outsideQuotes(text: string, change: (plain: string) => string): string {
  if (text.includes(QUOTED)) return text;
  const parts: string[] = [];
  const plain = text.replaceAll(/\\.|'[^']*'?/gs, (part) => {
    parts.push(part);
    return QUOTED;
  });
  let at = 0;
  return change(plain).replaceAll(QUOTED, () => parts[at++] ?? '');
}

/** What people write instead of the comma between two filters, and the name of the filter that follows. */
const SEPARATOR = /(?<=[^\s,;|&[\]=:+])(?:\s*(?:\||&&?|->|>|\+)\s*|\s+)(?=([a-z][a-z\d_]+)(?=[=@,;|[&+>\s-]|$))/g;

/**
 * The graph with a comma instead of each space, `|`, `+` or `&` before the name of a filter. Undefined if there is none.
 *
 * @param isFilter Whether a filter has this name.
 */
export function withCommas(text: string, isFilter: (name: string) => boolean): string | undefined {
  const joined = outsideQuotes(text.trim(), (plain) =>
    plain.replaceAll(SEPARATOR, (mark, name: string) => (isFilter(name) ? ',' : mark)),
  );
  return joined === text.trim() ? undefined : joined;
}

/** The graph with a path of Windows as a file that the options of a filter can name. undefined if it has none. */
export function withForwardSlashes(text: string): string | undefined {
  const meant = text.replaceAll(
    /([=:']|^)([a-z]):\\{1,4}([^:,;'[\]]{1,200})/gi,
    (_all, before: string, drive: string, path: string) => `${before}${drive}\\\\:/${path.replaceAll(/\\+/g, '/')}`,
  );
  return meant === text ? undefined : meant;
}

/** One way in which people write a graph, and why it is none. */
interface Respelling {
  /** A sentence, with `$&` for the part at fault. */
  readonly why: string;
  /** Matches the part at fault. */
  readonly part?: RegExp;
  readonly respell: (text: string, isFilter: (name: string) => boolean) => string;
}

const STREAM = String.raw`\d{1,3}:[va](?::\d{1,2})?`;

const RESPELLINGS: readonly Respelling[] = [
  {
    why: 'The name of the option is not part of its value.',
    respell: (text) => text.replace(/^\s*-?(?:vf|af|filter_complex|filter(?::[va])?|lavfi)(?:\s+|=)(?=[[a-z])/i, ''),
  },
  {
    why: 'The options of a filter follow its name and "=", and colons separate them.',
    respell: (text, isFilter) =>
      text.replaceAll(/(?<=^|[,;\]]\s{0,9})([a-z]\w{0,40})\(([^()]{0,200})\)/g, (all, name: string, options: string) =>
        isFilter(name)
          ? `${name}=${options
              .split(',')
              .map((one) => one.trim())
              .join(':')}`
          : all,
      ),
  },
  {
    why: 'The options of a filter follow its name and "=".',
    respell: (text, isFilter) =>
      text.replaceAll(/(?<=^|[,;\]]\s{0,9})([a-z]\w{0,40}):(?=[^,;])/g, (all, name: string) =>
        isFilter(name) ? `${name}=` : all,
      ),
  },
  {
    why: 'The label "$&" is not in square brackets.',
    part: /(?<!\w)[({][\w:]{1,30}[)}]/,
    respell: (text) =>
      text
        .replaceAll(/(?<=^|[;\])]\s{0,9})[({]([\w:]{1,30})[)}]/g, '[$1]')
        // After a name in a value, it is a call: `ceil(ih)`.
        .replaceAll(/(?<![=:+\-*/(,][a-z_]\w{0,30})[({]([a-z]\w{0,30})[)}](?=\s*(?:;|\[|$))/gi, '[$1]'),
  },
  {
    why: 'The label "$&" is not in square brackets.',
    part: new RegExp(STREAM),
    respell: (text) => {
      if (text.length > 500 || /[[\]]/.test(text)) return text;
      const chains = text.split(';').map((chain) => chain.trim().split(/\s+/));
      const isStream = (word: string): boolean => new RegExp(`^${STREAM}$`).test(word);
      if (!chains.some(([first = '']) => isStream(first))) return text;
      const isName = (word: string): boolean => isStream(word) || /^[a-z]\w{0,30}$/i.test(word);
      return chains
        .map((words) => {
          const at = words.findIndex((word) => !isName(word));
          const from = at < 0 ? words.length - 1 : at;
          return words.map((word, index) => (index === from || !isName(word) ? word : `[${word}]`)).join('');
        })
        .join(';');
    },
  },
  {
    why: 'The bracket "$&" is never closed.',
    part: /\[[\w:]{1,30}$/,
    respell: (text) => (/\[[\w:]{1,30}$/.test(text) ? `${text}]` : text),
  },
];

/** The graph in ffmpeg's spelling, if people write it in another way that is known, and what is wrong. */
export function respelled(
  text: string,
  isFilter: (name: string) => boolean,
): { readonly text: string; readonly why: string } | undefined {
  let meant = text;
  let why: string | undefined;
  for (const one of RESPELLINGS) {
    const next = outsideQuotes(meant, (plain) => one.respell(plain, isFilter));
    if (next !== meant) why ??= one.why.replace('$&', () => one.part?.exec(meant)?.[0] ?? '');
    meant = next;
  }
  return why === undefined || isGraphError(parseGraph(meant)) ? undefined : { text: meant, why };
}
