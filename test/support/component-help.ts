import type {
  AvOption,
  Component,
  ComponentKind,
  ComponentName,
  Pad,
  Pads,
} from '../../packages/ffmpeg/src/catalogue/component.ts';
import { parseOptions } from '../../packages/ffmpeg/src/catalogue/help-options.ts';

/** The first line of a component's help: `Encoder libx264 [libx264 H.264]:`, `Filter scale`, `Bit stream filter setts`. */
const TITLES: Readonly<Record<ComponentKind, RegExp>> = {
  encoder: /^Encoder \S+ \[/,
  decoder: /^Decoder \S+ \[/,
  muxer: /^Muxer \S+ \[/,
  demuxer: /^Demuxer \S+ \[/,
  filter: /^Filter \S+$/,
  bsf: /^Bit stream filter \S+$/,
};

const TITLE = /^(?:Encoder|Decoder|Muxer|Demuxer|Filter|Bit stream filter) /;

const CLASS = /^(\S.*) AVOptions:$/;

/** A component as `ffmpeg -h KIND=NAME` describes it, and the titles of its classes of options. */
export interface DescribedComponent extends Omit<Component, 'timeline' | 'positions'> {
  readonly classes: readonly string[];
}

/** Parses the output of `ffmpeg -h KIND=NAME`. If ffmpeg prints no help for the name, the component has no options. */
export function parseComponentHelp({ kind, name }: ComponentName, text: string): DescribedComponent {
  const all = text.split('\n');
  const from = all.findIndex((line) => TITLES[kind].test(line));
  if (from < 0) return { kind, name, options: [], classes: [] };
  // Several decoders may have one name. Each has its own title. Only the first is read.
  const next = all.findIndex((line, n) => n > from && TITLE.test(line));
  const lines = all.slice(from, next < 0 ? undefined : next);
  return {
    kind,
    name,
    options: unique(parseOptions(lines)),
    classes: [...new Set(lines.flatMap((line) => CLASS.exec(line)?.[1] ?? []))],
    ...factsOf(kind, lines),
  };
}

/** Removes repeated options: ffmpeg prints a shared class twice. */
function unique(options: readonly AvOption[]): readonly AvOption[] {
  const seen = new Set<string>();
  return options.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function factsOf(kind: ComponentKind, lines: readonly string[]): Partial<Component> {
  if (kind === 'filter') return { inputs: padsOf('Inputs', lines), outputs: padsOf('Outputs', lines) };
  if (kind === 'muxer' || kind === 'demuxer') {
    const mimeType = lineOf('Mime type', lines)?.replace(/\.$/, '');
    const codecs = defaultCodecs(lines);
    return {
      ...listed('extensions', lineOf('Common extensions', lines)?.replace(/\.$/, '').split(',')),
      ...(kind === 'muxer' && mimeType !== undefined && { mimeType }),
      ...(kind === 'muxer' && Object.keys(codecs).length > 0 && { defaultCodecs: codecs }),
    };
  }
  if (kind !== 'encoder') return {};
  return {
    ...listed('pixelFormats', words(lineOf('Supported pixel formats', lines))),
    ...listed('sampleFormats', words(lineOf('Supported sample formats', lines))),
    ...listed('sampleRates', words(lineOf('Supported sample rates', lines))?.map(Number)),
    ...listed('channelLayouts', layouts(lineOf('Supported channel layouts', lines))),
    ...listed('frameRates', words(lineOf('Supported framerates', lines))),
  };
}

/** The value in the line `    LABEL: VALUE`. */
function lineOf(label: string, lines: readonly string[]): string | undefined {
  const start = `    ${label}: `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length);
}

const words = (text: string | undefined): string[] | undefined => text?.trim().split(/[\s,]+/);

/** ffmpeg prints a layout without a name as `2 channels (FC+LFE)`, but reads only `FC+LFE`. */
const layouts = (text: string | undefined): string[] | undefined =>
  words(text?.replace(/\d+ channels \((\S+?)\)/g, '$1'));

const listed = <K extends string, T>(key: K, values: readonly T[] | undefined): { [P in K]?: readonly T[] } =>
  values === undefined ? {} : ({ [key]: values } as { [P in K]?: readonly T[] });

function defaultCodecs(lines: readonly string[]): NonNullable<Component['defaultCodecs']> {
  const found = lines.flatMap((line) => {
    const [, kind, codec] = /^ {4}Default (video|audio|subtitle) codec: (\S+?)\.$/.exec(line) ?? [];
    return kind === undefined || codec === undefined || codec === 'none' ? [] : [[kind, codec]];
  });
  return Object.fromEntries(found);
}

/**
 * Parses the lines `#0: main (video)` under `Inputs:` or `Outputs:`. For "scale", ffmpeg 7.1 prints the word "dynamic" after the listed
 * pads. Few graphs use such further pads, so only the listed pads are returned.
 */
function padsOf(side: 'Inputs' | 'Outputs', lines: readonly string[]): Pads {
  const from = lines.indexOf(`    ${side}:`) + 1;
  const pads: Pad[] = [];
  for (const line of lines.slice(from)) {
    if (line.trim().startsWith('dynamic')) return pads.length === 0 ? 'dynamic' : pads;
    const [, name, media] = /^ +#\d+: (\S+) \((video|audio)\)$/.exec(line) ?? [];
    if (name === undefined || (media !== 'video' && media !== 'audio')) break;
    pads.push({ name, media });
  }
  return pads;
}
