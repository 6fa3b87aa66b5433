/** A list in the options of a filter, whose items a bar separates. */
interface BarList {
  /** What the items are, for messages. */
  readonly items: string;
  /** Matches the filter up to the list. */
  readonly head: RegExp;
  /** One item. */
  readonly item: string;
  /** A mark between two items. Spaces around it belong to it. */
  readonly mark: string;
  /** The mark that the filter takes. Default: a bar. */
  readonly takes?: string;
}

const CHANNEL = String.raw`(?:c\d{1,2}|[A-Z]{2,4})`;
/** Everything that a channel of `pan` or an expression can contain, without separators. */
const SUM = String.raw`[\w.*+()<=/ -]`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

const MARK = String.raw`\s*(?:[|:,;&]\s*|\s)`;
/** For lists before or after which a colon stands. */
const NO_COLON = String.raw`\s*(?:[|,;&]\s*|\s)`;

const list = (items: string, head: string, item: string, mark = MARK): BarList => ({
  items,
  head: new RegExp(String.raw`(?<![\w-])(${head})`),
  item,
  mark,
});

/** The lists that people most often write with other separators. The name of a filter is the first word of its row. */
const LISTS: readonly BarList[] = [
  list('channels', String.raw`pan=(?:args=)?[\w.()]+(?=\s*[|:,;&\s]\s*${CHANNEL}\s*[=<])`, `${CHANNEL}\\s*[=<]${SUM}*`),
  list('channels', 'channelmap=(?:map=)?', String.raw`(?:\d{1,2}|[A-Z]{2,4})(?:-(?:\d{1,2}|[A-Z]{2,4}))?`),
  list('channels', String.raw`join=[^,;[\]]*?\bmap=`, String.raw`\d{1,2}\.(?:\d{1,2}|[A-Z]{2,4})-[A-Z]{2,4}`),
  list('delays', 'adelay=(?:delays=)?', String.raw`${NUMBER}[sS]?`),
  list('delays', String.raw`aecho=(?:in_gain=)?${NUMBER}:(?:out_gain=)?${NUMBER}:(?:delays=)?`, NUMBER, NO_COLON),
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
  list('pictures', String.raw`xstack=(?:[^,;[\]]*?:)?layout=`, String.raw`[\dwh+]+_[\dwh+]+`),
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

/** A text with bars where a filter needs them. */
export interface BarredText {
  readonly text: string;
  /** The name of the filter, what its list has, and the mark that was written. */
  readonly filter: string;
  readonly items: string;
  /** The mark that the filter takes. */
  readonly takes: string;
  readonly mark: string;
}

/** The text of a graph with a bar between the items of a list. undefined if no list has another mark. */
export function withBars(text: string): BarredText | undefined {
  for (const { items, head, item, mark: between, takes = '|' } of LISTS) {
    const whole = new RegExp(`${head.source}(${item})?((?:${between}(?:${item}))+)`).exec(text);
    const [all, start = '', first = '', others = ''] = whole ?? [];
    if (whole === null || all === undefined) continue;
    const marks = new RegExp(`${between}(?=(?:${item}))`, 'g');
    // Filters that take a space take a bar too.
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

/** The layouts of the channels that a `pan` without a layout names. */
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

/** A `pan` without the layout of its output (`pan=FL=FC|FR=FC`), or with a number for it, or with decimal commas. */
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

/** The text with colons where bars separate options: `equalizer=f=1000|g=3`. undefined if there is none. */
export function withColons(text: string): string | undefined {
  const meant = text.replaceAll(/(?<==[\w.+-]{1,40})\|(?=[a-z_]{1,30}=)/g, ':');
  return meant === text ? undefined : meant;
}
