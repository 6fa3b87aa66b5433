import {
  type Catalogue,
  type CodecKind,
  componentOf,
  encoderNamed,
  encoderOfCodec,
} from '../../catalogue/catalogue.ts';
import type { Component } from '../../catalogue/component.ts';
import type { ArgvOption } from '../request/resolve-options.ts';

/** What makes a stream of the output: an encoder, or the copier. */
export interface StreamEncoder {
  readonly kind: CodecKind;
  /** The encoder; undefined: the stream is copied. */
  readonly encoder: string | undefined;
}

/** Who makes which streams of an output. */
export interface StreamEncoders {
  /** All that may make a stream which `specifier` can mean; none: there is no such stream. */
  of(specifier: string | undefined): readonly StreamEncoder[];
}

export const STREAM_KINDS: readonly CodecKind[] = ['video', 'audio', 'subtitle'];
const OFF: Readonly<Record<CodecKind, string>> = { video: 'vn', audio: 'an', subtitle: 'sn' };

/** What a stream specifier means before the streams are known. */
interface Meaning {
  /** undefined: streams of any kind. */
  readonly kind?: CodecKind;
  /** The Nth of its kind. */
  readonly index?: string;
  /** All streams of the kind; otherwise some, which only the streams themselves tell. */
  readonly all: boolean;
}

function meaningOf(specifier: string | undefined): Meaning {
  if (specifier === undefined) return { all: true };
  const [, letter, index] = /^([vVasdt])(?::(\d+))?$/.exec(specifier) ?? [];
  const kind = STREAM_KINDS.find((one) => one.charAt(0) === (letter ?? specifier.charAt(0)).toLowerCase());
  if (letter === undefined)
    return kind === undefined || !/^[vVas]:/.test(specifier) ? { all: false } : { kind, all: false };
  // Data and attachments have no encoders: a kind without makers.
  if (kind === undefined) return { index: 'none', all: false };
  return { kind, all: letter !== 'V' && index === undefined, ...(index === undefined ? {} : { index }) };
}

interface Rule {
  readonly meaning: Meaning;
  readonly name: string;
}

/**
 * Reads the `c` options of an output, the last of which wins, and what the muxer takes when none is sent.
 * `picture`: the encoder that the name of a picture stands for.
 */
export function resolveStreamEncoders(
  options: readonly ArgvOption[],
  muxer: Component | undefined,
  picture: string | undefined,
  catalogue: Catalogue,
): StreamEncoders {
  const rules: Rule[] = [];
  for (const { name, values } of options)
    if (name.name === 'c' && values[0] !== undefined)
      rules.unshift({ meaning: meaningOf(name.specifier), name: values[0] });
  const kinds = STREAM_KINDS.filter((kind) => !options.some(({ key }) => key === OFF[kind]));
  const known = new Map<string, readonly StreamEncoder[]>();

  const makerOf = (name: string, kind: CodecKind): StreamEncoder | undefined => {
    if (name === 'copy') return { kind, encoder: undefined };
    const encoder = encoderNamed(catalogue, name);
    return encoder?.kind === kind ? { kind, encoder: encoder.name } : undefined;
  };
  const byDefault = (kind: CodecKind): string | undefined =>
    kind === 'video' && picture !== undefined
      ? picture
      : encoderOfCodec(catalogue, muxer?.defaultCodecs?.[kind] ?? '')?.name;
  const find = (specifier: string | undefined): readonly StreamEncoder[] => {
    const meant = meaningOf(specifier);
    if (meant.index === 'none') return [];
    return kinds
      .filter((kind) => meant.kind === undefined || meant.kind === kind)
      .flatMap((kind) => {
        const names: (string | undefined)[] = [];
        let covered = false;
        for (const { meaning, name } of rules) {
          if (meaning.index === 'none' || (meaning.kind !== undefined && meaning.kind !== kind)) continue;
          if (meaning.index !== undefined && meant.index !== undefined && meaning.index !== meant.index) continue;
          names.push(name);
          covered = meaning.all || (meaning.index !== undefined && meaning.index === meant.index);
          if (covered) break;
        }
        if (!covered) names.push(byDefault(kind));
        return [...new Set(names)].flatMap((name) => (name === undefined ? [] : (makerOf(name, kind) ?? [])));
      });
  };
  return {
    of(specifier) {
      const key = specifier ?? '';
      const before = known.get(key);
      if (before !== undefined) return before;
      const found = find(specifier);
      known.set(key, found);
      return found;
    },
  };
}

/** The help of a maker's encoder; undefined: it copies, or was not asked about. */
export const encoderComponent = ({ encoder }: StreamEncoder, catalogue: Catalogue): Component | undefined =>
  encoder === undefined ? undefined : componentOf(catalogue, 'encoder', encoder);

/** By kind, the names of the encoders that may make a stream, or `copy`. */
export const encoderNames = (makers: StreamEncoders): Readonly<Partial<Record<CodecKind, readonly string[]>>> =>
  Object.fromEntries(
    STREAM_KINDS.flatMap((kind) => {
      const names = makers.of(kind.charAt(0)).map(({ encoder }) => encoder ?? 'copy');
      return names.length === 0 ? [] : [[kind, [...new Set(names)]]];
    }),
  );
