import { isGraphError } from './graph.ts';
import { parseGraph } from './parse.ts';

/** Removes commas and semicolons with no filter after them: `fps=30,`. undefined: there are none. */
export function withoutLooseMarks(text: string): string | undefined {
  const from = text.search(/[^\s,;]/);
  // A regular expression for the end of the text would take quadratic time.
  let to = text.length;
  while (to > from && /[\s,;]/.test(text.charAt(to - 1))) to -= 1;
  const plain = text.slice(Math.max(0, from), to).replaceAll(/([,;])\s*(?:[,;]\s*)+/g, '$1');
  return plain !== text.trim() && plain !== '' && !isGraphError(parseGraph(plain)) ? plain : undefined;
}

/** Stands for a quoted part or an escaped character while a graph is changed. No request has this character. */
const QUOTED = '\u{e001}';

/** Changes a graph except its values in quotes and escaped characters. `change` gets placeholders for them and must keep their order. */
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

/** Matches what clients write instead of a comma between two filters (`|`, `->`, a space), if the name of a filter may follow. */
const SEPARATOR = /(?<=[^\s,;|&[\]=:+])(?:\s*(?:\||&&?|->|>|\+)\s*|\s+)(?=([a-z][a-z\d_]+)(?=[=@,;|[&+>\s-]|$))/g;

/**
 * Replaces what clients write between two filters by a comma. undefined: nothing was replaced.
 *
 * @param isFilter True if a filter has this name.
 */
export function withCommas(text: string, isFilter: (name: string) => boolean): string | undefined {
  const joined = outsideQuotes(text.trim(), (plain) =>
    plain.replaceAll(SEPARATOR, (mark, name: string) => (isFilter(name) ? ',' : mark)),
  );
  return joined === text.trim() ? undefined : joined;
}

/** Writes each Windows path in the form that filter options need: `C:\talk.srt` becomes `C\\:/talk.srt`. undefined: there is none. */
export function withForwardSlashes(text: string): string | undefined {
  const meant = text.replaceAll(
    /([=:']|^)([a-z]):\\{1,4}([^:,;'[\]]{1,200})/gi,
    (_all, before: string, drive: string, path: string) => `${before}${drive}\\\\:/${path.replaceAll(/\\+/g, '/')}`,
  );
  return meant === text ? undefined : meant;
}

/** A frequent wrong spelling of a graph. */
interface Respelling {
  /** A sentence about the mistake. `$&` stands for the wrong part. */
  readonly why: string;
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
        // In a value, brackets after a name are a function call: `ceil(ih)`.
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

/** Returns the graph in ffmpeg's spelling, and what was wrong. undefined: no known mistake. */
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

/** A list in a filter option. Most filters separate the items by bars (`|`). */
interface BarList {
  /** What messages call the items: `channels`. */
  readonly items: string;
  /** Matches the filter up to the list. */
  readonly head: RegExp;
  /** Matches one item. */
  readonly item: string;
  /** Matches what clients write between two items, with the spaces around it. */
  readonly mark: string;
  /** The separator that the filter takes. Default: a bar (`|`). */
  readonly takes?: string;
}

const CHANNEL = String.raw`(?:c\d{1,2}|[A-Z]{2,4})`;
/** Matches an expression of `pan` up to the next separator. */
const SUM = String.raw`[\w.*+()<=/ -]`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

const MARK = String.raw`\s*(?:[|:,;&]\s*|\s)`;
/** Separators without the colon, for a list after which another option follows. */
const NO_COLON = String.raw`\s*(?:[|,;&]\s*|\s)`;

const list = (items: string, head: string, item: string, mark = MARK): BarList => ({
  items,
  head: new RegExp(String.raw`(?<![\w-])(${head})`),
  item,
  mark,
});

/** The lists that clients most often write with other separators. The first word of each row is the filter. */
const LISTS: readonly BarList[] = [
  list('channels', String.raw`pan=(?:args=)?[\w.()]+(?=\s*[|:,;&\s]\s*${CHANNEL}\s*[=<])`, `${CHANNEL}\\s*[=<]${SUM}*`),
  list('channels', 'channelmap=(?:map=)?', String.raw`(?:\d{1,2}|[A-Z]{2,4})(?:-(?:\d{1,2}|[A-Z]{2,4}))?`),
  list('channels', String.raw`join=[^,;[\]]*?\bmap=`, String.raw`\d{1,2}\.(?:\d{1,2}|[A-Z]{2,4})-[A-Z]{2,4}`),
  list('delays', 'adelay=(?:delays=)?', `${NUMBER}[sS]?`),
  list('delays', `aecho=(?:in_gain=)?${NUMBER}:(?:out_gain=)?${NUMBER}:(?:delays=)?`, NUMBER, NO_COLON),
  list('decays', String.raw`aecho=[\w.=:|]*:(?:decays=)?`, NUMBER, NO_COLON),
  list('sample rates', String.raw`aformat=(?:[^,;[\]]*?:)?(?:sample_rates|r)=`, String.raw`\d{4,6}`),
  list(
    'sample formats',
    String.raw`aformat=(?:[^,;[\]]*?:)?(?:sample_fmts=|f=)?`,
    '(?:u8|s16|s32|s64|flt|dbl)p?(?![a-z])',
  ),
  list(
    'channel layouts',
    String.raw`aformat=(?:[^,;[\]]*?:)?(?:channel_layouts|cl)=`,
    String.raw`(?:mono|stereo|quad|\d\.\d(?:\((?:side|back|wide)\))?)`,
  ),
  list(
    'pixel formats',
    'format=(?:pix_fmts=)?',
    '(?:yuvj?[24]\\d\\dp|yuva4\\d\\dp|gbrap?|rgb|bgr|gray|nv|p0)[\\da-z]*',
  ),
  list('positions', String.raw`xstack=(?:[^,;[\]]*?:)?layout=`, String.raw`[\dwh+]+_[\dwh+]+`),
  {
    ...list(
      'weights',
      String.raw`(?:amix|t?mix)=(?:[^,;[\]]*?:)?weights=`,
      String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)`,
      NO_COLON,
    ),
    takes: ' ',
  },
  list('expressions', 'aeval=(?:exprs=)?', String.raw`[\d.*+() -]*val\(\d+\)[\w.*+()/ -]*`),
];

/** A graph with the correct separators in one list. `mark`: the separator that the client sent. */
interface BarredText extends Required<Pick<BarList, 'items' | 'takes'>> {
  readonly text: string;
  readonly filter: string;
  readonly mark: string;
}

/** Corrects the first list with wrong separators. undefined: there is none. */
export function withBars(text: string): BarredText | undefined {
  for (const { items, head, item, mark: between, takes = '|' } of LISTS) {
    const whole = new RegExp(`${head.source}(${item})?((?:${between}(?:${item}))+)`).exec(text);
    const [all, start = '', first = '', others = ''] = whole ?? [];
    if (whole === null || all === undefined) continue;
    const marks = new RegExp(`${between}(?=(?:${item}))`, 'g');
    // A filter whose separator is a space accepts a bar too, so a bar is not wrong.
    const [mark] = (others.match(marks) ?? []).filter((one) => one.trim() !== '|' && one.trim() !== takes.trim());
    if (mark === undefined) continue;
    const barred = `${start}${first.trim()}${others.replaceAll(marks, takes)}`;
    const filter = /^\w+/.exec(start)?.[0] ?? '';
    return {
      text: `${text.slice(0, whole.index)}${barred}${text.slice(whole.index + all.length)}`,
      filter,
      items,
      takes,
      mark: mark.trim() === '' ? ' ' : mark.trim(),
    };
  }
  return undefined;
}

/** For a `pan` without a layout: the layout that has these channels, or this number of channels. */
const LAYOUTS: Readonly<Record<string, string>> = {
  c0: 'mono',
  FC: 'mono',
  'c0 c1': 'stereo',
  'FL FR': 'stereo',
  '1': 'mono',
  '2': 'stereo',
  '6': '5.1',
  '8': '7.1',
};

/**
 * Corrects a `pan` without an output layout (`pan=FL=FC|FR=FC`), with a number as its layout, or with decimal commas. undefined: another
 * text.
 */
export function withPanLayout(text: string): { readonly text: string; readonly why: string } | undefined {
  const [all, start = '', count, rest = ''] =
    /(?<![\w-])(pan=(?:args=)?)(?:(\d{1,2})(?=\|))?([^;[\]]*)/.exec(text) ?? [];
  if (all === undefined) return undefined;
  const named = rest.match(new RegExp(`(?<=^|[|:])${CHANNEL}(?=\\s*[=<])`, 'g')) ?? [];
  const hasLayout = count === undefined && !new RegExp(`^${CHANNEL}\\s*[=<]`).test(rest);
  const layout = LAYOUTS[count ?? named.join(' ')];
  if (!hasLayout && layout === undefined) return undefined;
  const decimal = rest.replaceAll(/(?<=\d),(?=\d)/g, '.');
  const begin = hasLayout ? '' : `${layout}${count === undefined ? '|' : ''}`;
  const meant = text.replace(all, () => `${start}${begin}${decimal}`);
  if (meant === text) return undefined;
  return {
    text: meant,
    why: hasLayout
      ? 'A fraction in the filter "pan" has a point: 0.5.'
      : 'The filter "pan" begins with the channel layout of its output, such as "stereo".',
  };
}

/** Replaces bars between options by colons: `equalizer=f=1000|g=3`. undefined: there are none. */
export function withColons(text: string): string | undefined {
  const meant = text.replaceAll(/(?<==[\w.+-]{1,40})\|(?=[a-z_]{1,30}=)/g, ':');
  return meant === text ? undefined : meant;
}
