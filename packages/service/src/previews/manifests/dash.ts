import { nextTurn } from '@telecine/contract/domain/steps.ts';
import {
  addressOf,
  BOTH,
  MAX_PARTS,
  MAX_RENDITIONS,
  type Manifest,
  type MediaKind,
  ONLY,
  type Rendition,
  withoutRepetitions,
} from './manifest.ts';

/**
 * How many of each of these characters a manifest may contain. This limits its tags and attributes, each of which
 * becomes an object.
 */
const MAX_MARKS: readonly (readonly [string, number])[] = [
  ['<', 20_000],
  ['=', 40_000],
];

export const hasTooManyMarks = (text: string): boolean => MAX_MARKS.some(([mark, most]) => hasMore(text, mark, most));

function hasMore(text: string, mark: string, most: number): boolean {
  let at = text.indexOf(mark);
  for (let count = 0; at >= 0; at = text.indexOf(mark, at + mark.length)) if (++count > most) return true;
  return false;
}

/**
 * Reads the first period of a DASH manifest (ISO/IEC 23009-1). `base`: its base URL. Throws for invalid XML, and the
 * reason of an abort.
 */
export async function readDash(text: string, base: string, signal: AbortSignal): Promise<Manifest> {
  const root = await readXml(text.trimStart(), signal);
  const period = childrenOf(root, 'Period')[0];
  if (period === undefined) return { playlists: [], renditions: [] };
  const seconds = parseSeconds(attributeOf([period], 'duration') ?? attributeOf([root], 'mediaPresentationDuration'));
  const periodBase = baseOf(period, baseOf(root, base));
  const renditions: Rendition[] = [];
  for (const set of childrenOf(period, 'AdaptationSet')) {
    const setBase = baseOf(set, periodBase);
    for (const representation of childrenOf(set, 'Representation')) {
      if (renditions.length === MAX_RENDITIONS) break;
      const one = { levels: [representation, set, period], base: baseOf(representation, setBase), seconds } as const;
      renditions.push(...renditionOf(one));
    }
  }
  return { playlists: [], renditions };
}

/** A representation. `levels`: its element and the elements around it, the innermost first. */
interface Representation {
  readonly levels: readonly [XmlElement, ...XmlElement[]];
  readonly base: string;
  /** The duration of the period. undefined: it is not known. */
  readonly seconds: number | undefined;
}

function renditionOf(one: Representation): readonly Rendition[] {
  const kinds = kindsOf(one);
  if (kinds === undefined) return [];
  const [own] = one.levels;
  return [
    {
      kinds,
      bandwidth: numberOf(own, 'bandwidth') ?? 0,
      listParts: () => withoutRepetitions(partsOf(one)),
      isEncrypted: one.levels.some((level) => childrenOf(level, 'ContentProtection').length > 0),
    },
  ];
}

/** Returns whether a representation is video or audio. undefined: it is text, or images for the seek bar. */
function kindsOf({ levels }: Representation): ReadonlySet<MediaKind> | undefined {
  const type = attributeOf(levels, 'mimeType') ?? attributeOf(levels, 'contentType');
  if (type === undefined) return BOTH;
  return type.startsWith('video') ? ONLY.video : type.startsWith('audio') ? ONLY.audio : undefined;
}

function partsOf(one: Representation): readonly string[] {
  const { levels, base } = one;
  const address = (uri: string): string => addressOf(uri, base);
  const templates = levels.flatMap((level) => childrenOf(level, 'SegmentTemplate').slice(0, 1));
  if (templates.length > 0) return templateParts(one, templates).map(address);
  const [list] = levels.flatMap((level) => childrenOf(level, 'SegmentList').slice(0, 1));
  if (list === undefined) return [base];
  const init = childrenOf(list, 'Initialization').map((element) => attributeOf([element], 'sourceURL') ?? '');
  const media = childrenOf(list, 'SegmentURL').map((element) => attributeOf([element], 'media') ?? '');
  // A segment without a name is a part of the file at `base`.
  return [...init, ...media].map((uri) => (uri === '' ? base : address(uri)));
}

/**
 * Returns the addresses of the files that a segment template describes, before their base URL is added. `templates`:
 * the templates of all levels, the innermost first.
 */
function templateParts({ levels, seconds }: Representation, templates: readonly XmlElement[]): readonly string[] {
  const [own] = levels;
  const media = attributeOf(templates, 'media') ?? '';
  const init = attributeOf(templates, 'initialization');
  const id = attributeOf([own], 'id') ?? '';
  const bandwidth = attributeOf([own], 'bandwidth') ?? '';
  const fill = (text: string, values: Readonly<Record<string, string>>): string =>
    text.replace(/\$(\w*)(?:%0(\d{1,2})d)?\$/g, (all, name: string, width?: string) =>
      name === '' ? '$' : (values[name]?.padStart(Number(width ?? 0), '0') ?? all),
    );
  if ([media, init ?? '', id, bandwidth].some(({ length }) => length > MAX_TEXT))
    throw new Error('A name is too long.');
  const common = { RepresentationID: id, Bandwidth: bandwidth };
  const first = Number(attributeOf(templates, 'startNumber') ?? 1);
  const segments = segmentTimes(templates, seconds).map((time, at) =>
    fill(media, { ...common, Number: String(first + at), Time: String(time) }),
  );
  return init === undefined ? segments : [fill(init, common), ...segments];
}

/**
 * The maximum length of a text that is inserted into names of segments, in characters. A name can contain it several
 * times.
 */
const MAX_TEXT = 255;

/** Returns the start times of the segments, in units of the time scale: at most one more than `MAX_PARTS`. */
function segmentTimes(templates: readonly XmlElement[], seconds: number | undefined): readonly number[] {
  const scale = Number(attributeOf(templates, 'timescale') ?? 1);
  const end = seconds === undefined ? undefined : seconds * scale;
  const times: number[] = [];
  const [timeline] = templates.flatMap((template) => childrenOf(template, 'SegmentTimeline').slice(0, 1));
  if (timeline === undefined) {
    const length = Number(attributeOf(templates, 'duration') ?? 0);
    const count = length > 0 && end !== undefined ? Math.ceil(end / length - 1e-6) : 0;
    for (let at = 0; at < count && times.length <= MAX_PARTS; at++) times.push(at * length);
    return times;
  }
  let time = 0;
  for (const element of childrenOf(timeline, 'S')) {
    const length = numberOf(element, 'd') ?? 0;
    const repeated = numberOf(element, 'r') ?? 0;
    time = numberOf(element, 't') ?? time;
    // A repeat count of -1 means: up to the end of the period.
    const rest = end === undefined || length <= 0 ? 1 : Math.ceil((end - time) / length - 1e-6);
    const count = repeated < 0 ? rest : repeated + 1;
    for (let at = 0; at < count && times.length <= MAX_PARTS; at++, time += length) times.push(time);
  }
  return times;
}

/** Returns an attribute from the innermost element that has it. */
const attributeOf = (levels: readonly XmlElement[], name: string): string | undefined =>
  levels.flatMap((level) => level.attributes[name] ?? [])[0];

function numberOf({ attributes }: XmlElement, name: string): number | undefined {
  const text = attributes[name];
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns the base URL that applies inside an element. */
function baseOf(element: XmlElement, base: string): string {
  const text = childrenOf(element, 'BaseURL')[0]?.text.trim();
  return text === undefined || text === '' ? base : addressOf(text, base);
}

/** A duration such as `PT1H2M3.4S` or `P0Y0M1DT2H`. Years and months must be 0, because they have no fixed length. */
const DURATION =
  /^P(?:0{1,4}Y)?(?:0{1,4}M)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,10}(?:\.\d{1,9})?)S)?)?$/;

function parseSeconds(text: string | undefined): number | undefined {
  const match = DURATION.exec(text ?? '');
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** An XML element, without namespaces. */
interface XmlElement {
  /** The attributes by name, as in the XML. The object has no prototype. */
  readonly attributes: Readonly<Partial<Record<string, string>>>;
  /** The child elements by name, in the order of the XML. */
  readonly children: Map<string, XmlElement[]>;
  /** The text of the element, without the text of its children. */
  text: string;
}

/** How many characters are parsed in one turn of the event loop. They take 1 to 3 ms. */
const PIECE = 16_384;

/**
 * Parses a text and returns its root element. Works in steps, so that other requests get their turn. Throws for invalid
 * XML or entities, and the reason of an abort.
 */
export async function readXml(text: string, signal?: AbortSignal): Promise<XmlElement> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: false } as const);
  const around: XmlElement[] = [{ attributes: {}, children: new Map(), text: '' }];
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { attributes, children: new Map(), text: '' };
    const local = name.slice(name.indexOf(':') + 1);
    const siblings = around.at(-1)?.children;
    const same = siblings?.get(local);
    if (same === undefined) siblings?.set(local, [element]);
    else same.push(element);
    around.push(element);
  });
  parser.on('closetag', () => void around.pop());
  const addText = (more: string): void => {
    const element = around.at(-1);
    if (element !== undefined) element.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  // Throw, because the parser would go on after an error.
  parser.on('error', (error) => {
    throw error;
  });
  for (let at = 0; at < text.length; at += PIECE) {
    if (at > 0) await nextTurn(signal);
    parser.write(text.slice(at, at + PIECE));
  }
  parser.close();
  const [root] = [...(around[0]?.children.values() ?? [])].flat();
  if (root === undefined) throw new Error('The text has no element.');
  return root;
}

/** The direct children of an element with this name. */
export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.get(name) ?? [];
