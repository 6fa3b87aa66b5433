/** A block of preformatted text in a page of ffmpeg's manual. */
export interface ManualExample {
  /** The page without its extension, and the headings above the block: `ffmpeg-filters: 8.16 aecho`. */
  readonly place: string;
  /** The title of the section, which is the name of a filter, a muxer or an encoder in most cases. */
  readonly section: string;
  /** The number of the block in its section, from 1. */
  readonly number: number;
  readonly text: string;
}

const PART = /<h([23])[^>]*>([\d.]+) ([^<]*)|<pre class="example[^"]*">(.*?)<\/pre>/gs;

/** Reads all examples of a page as texinfo writes it. */
export function readExamples(page: string, html: string): readonly ManualExample[] {
  const examples: ManualExample[] = [];
  let [place, section, number] = [page, '', 0];
  for (const [, level, count, title = '', block] of html.matchAll(PART)) {
    if (level !== undefined) [place, section, number] = [`${page}: ${count} ${plainText(title)}`, plainText(title), 0];
    else examples.push({ place, section, number: ++number, text: plainText(block ?? '').trim() });
  }
  return examples;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ', rsquo: '’' };

const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
      code === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(code)),
    );
