import { closestMatch } from '../../../domain/closest-match.ts';
import { meantEncoders } from '../../../domain/synonyms/media-words.ts';
import { isDeviceCodec, isUsableEncoder, softwareEncoder } from '../../allowlist/device-components.ts';
import { type Catalogue, type CodecKind, encoderNamed } from '../../catalogue/catalogue.ts';

/**
 * Returns the encoder that a client means by a name that ffmpeg does not have: first by what the name means, then by its
 * spelling. With `kind`, only encoders of that kind are meant.
 */
export function meantEncoder(name: string, kind: CodecKind | undefined, catalogue: Catalogue): string | undefined {
  const isUsable = (one: string): boolean => {
    if (one === 'copy') return true;
    const encoder = encoderNamed(catalogue, one);
    return encoder !== undefined && (kind === undefined || encoder.kind === kind);
  };
  const lower = name.toLowerCase();
  return (
    meantEncoders(name).find(isUsable) ??
    [lower].find(isUsable) ??
    closestMatch(
      name,
      ['copy', ...catalogue.lists.encoders.keys()].filter((one) => isUsable(one) && !isDeviceCodec(one)),
    )
  );
}

/**
 * The encoder for which the other options of a request are checked: the one that the option `c` names or, if it is
 * rejected, the one that the error about it names.
 */
export function checkedEncoder(name: string, kind: CodecKind | undefined, catalogue: Catalogue): string {
  const { encoders } = catalogue.lists;
  if (!isUsableEncoder(name, catalogue.devices)) return softwareEncoder(name, encoders) ?? name;
  if (encoderNamed(catalogue, name) !== undefined) return name;
  const isOfKind = (one: string): boolean => {
    const encoder = encoderNamed(catalogue, one);
    return encoder !== undefined && (kind === undefined || encoder.kind === kind);
  };
  return meantEncoders(name).find(isOfKind) ?? name;
}

/** Returns an encoder for `codec` that ffmpeg uses without "strict", if there is one. */
export const stableEncoder = (codec: string, catalogue: Catalogue): string | undefined =>
  [...catalogue.lists.encoders].find(
    ([name, one]) => one.codec === codec && !one.experimental && !isDeviceCodec(name),
  )?.[0];
