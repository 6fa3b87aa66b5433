import {
  type Catalogue,
  type CodecKind,
  componentOf,
  encoderNamed,
  encoderOfCodec,
  kindOfLetter,
  STREAM_KINDS,
} from '../../catalogue/catalogue.ts';
import type { Component } from '../../catalogue/component.ts';
import { type ArgvOption, hasKey } from '../request/argv-option.ts';
import { checkedEncoder } from '../request/meant-encoder.ts';

/** The encoder or the stream copy that writes a stream of the output. */
export interface StreamEncoder {
  readonly kind: CodecKind;
  /** The name of the encoder. undefined: the stream is copied. */
  readonly encoder: string | undefined;
}

/** The encoders that write the streams of an output. */
export interface StreamEncoders {
  /** Returns every encoder or stream copy that may write a stream that `specifier` matches. */
  of(specifier: string | undefined): readonly StreamEncoder[];
}

/** The option that removes all streams of a kind. */
const REMOVING_OPTIONS: Readonly<Record<CodecKind, string>> = { video: 'vn', audio: 'an', subtitle: 'sn' };

/** The streams that a specifier can match. The streams themselves are not known yet. */
interface SpecifierScope {
  /** The kind of the streams. Absent if the specifier matches streams of any kind. */
  readonly kind?: CodecKind;
  /** The number of the stream within its kind. `none`: the specifier matches a kind without encoders. */
  readonly index?: string;
  /**
   * Whether all streams of the kind match. Otherwise ffmpeg finds the matching streams only when it opens the files.
   */
  readonly all: boolean;
}

function scopeOf(specifier: string | undefined): SpecifierScope {
  if (specifier === undefined) return { all: true };
  const [, letter, index] = /^([vVasdt])(?::(\d+))?$/.exec(specifier) ?? [];
  const kind = kindOfLetter(letter ?? specifier.charAt(0));
  if (letter === undefined)
    return kind === undefined || !/^[vVas]:/.test(specifier) ? { all: false } : { kind, all: false };
  // The specifier matches data streams or attachments.
  if (kind === undefined) return { index: 'none', all: false };
  return { kind, all: letter !== 'V' && index === undefined, ...(index === undefined ? {} : { index }) };
}

/** A `c` option: the name of an encoder, a codec or `copy`, and the streams that the option applies to. */
interface CodecChoice {
  readonly scope: SpecifierScope;
  readonly name: string;
}

/**
 * The encoders that `target` sets, by the standard of the disc (`ffmpeg_opt.c`, ffmpeg 5.1 to 8). `target` counts at
 * its position among the options.
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

/**
 * Finds the encoders of an output from its `c` options and the default codecs of the muxer. The last `c` option wins.
 * `picture`: the encoder of an image format.
 */
export function resolveStreamEncoders(
  options: readonly ArgvOption[],
  muxer: Component | undefined,
  picture: string | undefined,
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
    const encoder = encoderNamed(catalogue, checkedEncoder(name, kind, catalogue));
    return encoder?.kind === kind ? { kind, encoder: encoder.name } : undefined;
  };
  const defaultName = (kind: CodecKind): string | undefined =>
    kind === 'video' && picture !== undefined
      ? picture
      : encoderOfCodec(catalogue, muxer?.defaultCodecs?.[kind] ?? '')?.name;
  const find = (specifier: string | undefined): readonly StreamEncoder[] => {
    const scope = scopeOf(specifier);
    if (scope.index === 'none') return [];
    const found: StreamEncoder[] = [];
    for (const kind of kinds) {
      if (scope.kind !== undefined && scope.kind !== kind) continue;
      const { names, complete } = namesFor(kind, scope, choices);
      for (const name of new Set(complete ? names : [...names, defaultName(kind)])) {
        const encoder = name === undefined ? undefined : encoderFor(name, kind);
        if (encoder !== undefined) found.push(encoder);
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
 * Returns the names in the `c` options that may apply to streams of this kind and scope. `choices` starts with the
 * winning option. `complete`: the names cover all such streams, so none uses the default encoder.
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

/** Returns the catalogue's entry of the encoder. undefined: the stream is copied, or the encoder was not queried. */
export const encoderComponent = ({ encoder }: StreamEncoder, catalogue: Catalogue): Component | undefined =>
  encoder === undefined ? undefined : componentOf(catalogue, 'encoder', encoder);

/** Whether every stream that `specifier` matches is copied. False if it matches no stream. */
export const areAllCopied = (encoders: StreamEncoders, specifier: string | undefined): boolean => {
  const found = encoders.of(specifier);
  return found.length > 0 && found.every(({ encoder }) => encoder === undefined);
};

/** Returns for each kind of stream the names of the encoders that may write it. A stream copy is `copy`. */
export function encoderNames(encoders: StreamEncoders): Readonly<Partial<Record<CodecKind, readonly string[]>>> {
  const found: Partial<Record<CodecKind, readonly string[]>> = {};
  for (const kind of STREAM_KINDS) {
    const names = new Set(encoders.of(kind.charAt(0)).map(({ encoder }) => encoder ?? 'copy'));
    if (names.size > 0) found[kind] = [...names];
  }
  return found;
}
