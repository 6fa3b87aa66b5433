import {
  type Catalogue,
  type CodecKind,
  encoderNamed,
  encoderOfCodec,
  kindOfLetter,
  STREAM_KINDS,
} from '../../catalogue/catalogue.ts';
import type { Component } from '../../catalogue/component.ts';
import { componentOf } from '../../catalogue/components.ts';
import { type ArgvOption, hasKey } from '../request/argv-option.ts';

/** How a stream of the output is written: by an encoder, or as a copy. */
export interface StreamEncoder {
  readonly kind: CodecKind;
  /** undefined: the stream is copied. */
  readonly encoder: string | undefined;
}

export interface StreamEncoders {
  /** All encoders and copies that may write a stream that `specifier` matches, each once for a kind. */
  of(specifier: string | undefined): readonly StreamEncoder[];
}

const REMOVING_OPTIONS: Readonly<Record<CodecKind, string>> = { video: 'vn', audio: 'an', subtitle: 'sn' };

/** What a specifier can match. The streams themselves are not known yet. */
interface SpecifierScope {
  /** Absent: streams of any kind. */
  readonly kind?: CodecKind;
  /** The number of the stream within its kind. `none`: the specifier matches only data streams or attachments, which have no encoder. */
  readonly index?: string;
  /** True if all streams of the kind match. False: only ffmpeg knows which streams match, once it has opened the files. */
  readonly all: boolean;
}

function scopeOf(specifier: string | undefined): SpecifierScope {
  if (specifier === undefined) return { all: true };
  const [, letter, index] = /^([vVasdt])(?::(\d+))?$/.exec(specifier) ?? [];
  const kind = kindOfLetter(letter ?? specifier.charAt(0));
  if (letter === undefined)
    return kind === undefined || !/^[vVas]:/.test(specifier) ? { all: false } : { kind, all: false };
  if (kind === undefined) return { index: 'none', all: false };
  return { kind, all: letter !== 'V' && index === undefined, ...(index === undefined ? {} : { index }) };
}

/** A `c` option: an encoder, a codec or `copy`, and the streams that it is for. */
interface CodecChoice {
  readonly scope: SpecifierScope;
  readonly name: string;
}

/**
 * The encoders that `target` sets, by the standard of the disc (`ffmpeg_opt.c`, ffmpeg 5.1 to 8). Like a `c` option, `target` overrides
 * earlier options, and later options override it.
 */
const OF_TARGET: ReadonlyMap<string, readonly [video: string, audio: string]> = new Map([
  ['vcd', ['mpeg1video', 'mp2']],
  ['svcd', ['mpeg2video', 'mp2']],
  ['dvd', ['mpeg2video', 'ac3']],
]);

function encodersOfTarget(target = ''): readonly CodecChoice[] {
  const [video, audio] = OF_TARGET.get(target.replace(/^(?:pal|ntsc|film)-/, '')) ?? [];
  if (video === undefined || audio === undefined) return [];
  return [
    { scope: { kind: 'video', all: true }, name: video },
    { scope: { kind: 'audio', all: true }, name: audio },
  ];
}

/** Finds the encoders of an output, by its `c` options (the last wins) and the muxer's defaults. `image`: an image format's encoder. */
export function resolveStreamEncoders(
  options: readonly ArgvOption[],
  muxer: Component | undefined,
  image: string | undefined,
  catalogue: Catalogue,
): StreamEncoders {
  const choices: CodecChoice[] = [];
  for (const { name, values } of options) {
    const [value] = values;
    if (name.name === 'c' && value !== undefined) choices.push({ scope: scopeOf(name.specifier), name: value });
    if (name.name === 'target') choices.push(...encodersOfTarget(value));
  }
  // The last option wins.
  choices.reverse();
  const kinds = STREAM_KINDS.filter((kind) => !hasKey(options, REMOVING_OPTIONS[kind]));

  const encoderFor = (name: string, kind: CodecKind): StreamEncoder | undefined => {
    if (name === 'copy') return { kind, encoder: undefined };
    const encoder = encoderNamed(catalogue, name);
    return encoder?.kind === kind ? { kind, encoder: encoder.name } : undefined;
  };
  const defaultName = (kind: CodecKind): string | undefined =>
    kind === 'video' && image !== undefined
      ? image
      : encoderOfCodec(catalogue, muxer?.defaultCodecs?.[kind] ?? '')?.name;
  const find = (specifier: string | undefined): readonly StreamEncoder[] => {
    const scope = scopeOf(specifier);
    if (scope.index === 'none') return [];
    const found: StreamEncoder[] = [];
    for (const kind of kinds) {
      if (scope.kind !== undefined && scope.kind !== kind) continue;
      const { names, complete } = namesFor(kind, scope, choices);
      for (const name of complete ? names : [...names, defaultName(kind)]) {
        const stream = name === undefined ? undefined : encoderFor(name, kind);
        if (stream !== undefined && !found.some((one) => one.kind === kind && one.encoder === stream.encoder))
          found.push(stream);
      }
    }
    return found;
  };
  const cache = new Map<string, readonly StreamEncoder[]>();
  return {
    of(specifier) {
      const key = specifier ?? '';
      const found = cache.get(key) ?? find(specifier);
      cache.set(key, found);
      return found;
    },
  };
}

/**
 * The names in the `c` options that may be for streams of this kind and scope. `choices`: the winning option first. `complete`: every such
 * stream has a name, so no stream uses the default encoder.
 */
function namesFor(
  kind: CodecKind,
  { index }: SpecifierScope,
  choices: readonly CodecChoice[],
): { readonly names: readonly string[]; readonly complete: boolean } {
  const names: string[] = [];
  for (const { scope, name } of choices) {
    if (scope.index === 'none' || (scope.kind !== undefined && scope.kind !== kind)) continue;
    if (scope.index !== undefined && index !== undefined && scope.index !== index) continue;
    names.push(name);
    if (scope.all || (scope.index !== undefined && scope.index === index)) return { names, complete: true };
  }
  return { names, complete: false };
}

/** undefined: the stream is copied, or the request neither names the encoder nor sets an option of it. */
export const encoderComponent = ({ encoder }: StreamEncoder, catalogue: Catalogue): Component | undefined =>
  encoder === undefined ? undefined : componentOf(catalogue, 'encoder', encoder);

/** False also if `specifier` matches no stream. */
export const areAllCopied = (encoders: StreamEncoders, specifier: string | undefined): boolean => {
  const found = encoders.of(specifier);
  return found.length > 0 && found.every(({ encoder }) => encoder === undefined);
};

/** For each kind of stream, the encoders that may write it. `copy`: a stream copy. */
export function encoderNames(encoders: StreamEncoders): Readonly<Partial<Record<CodecKind, readonly string[]>>> {
  const found: Partial<Record<CodecKind, readonly string[]>> = {};
  for (const kind of STREAM_KINDS) {
    const streams = encoders.of(kind.charAt(0));
    if (streams.length > 0) found[kind] = streams.map(({ encoder }) => encoder ?? 'copy');
  }
  return found;
}
