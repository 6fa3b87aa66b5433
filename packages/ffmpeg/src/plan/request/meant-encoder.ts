import { namesOfWord } from '@telecine/contract/domain/aliases.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { isDeviceCodec } from '../../allowlist/device-components.ts';
import { type Catalogue, type CodecKind, encoderNamed } from '../../catalogue/catalogue.ts';

/** The encoder that a client means by an unknown name: first by the meaning of the name, then by its spelling. */
export function meantEncoder(name: string, kind: CodecKind | undefined, catalogue: Catalogue): string | undefined {
  const isUsable = (one: string): boolean => one === 'copy' || isOfKind(one, kind, catalogue);
  return (
    [...namesOfWord(name), name.toLowerCase()].find(isUsable) ??
    closestMatch(
      name,
      ['copy', ...catalogue.lists.encoders.keys()].filter((one) => isUsable(one) && !isDeviceCodec(one)),
    )
  );
}

/** True if ffmpeg has an encoder with this name and, if `kind` is set, of this kind. */
function isOfKind(name: string, kind: CodecKind | undefined, catalogue: Catalogue): boolean {
  const encoder = encoderNamed(catalogue, name);
  return encoder !== undefined && (kind === undefined || encoder.kind === kind);
}

/** An encoder for `codec` that works without "strict". undefined: there is none. */
export const stableEncoder = (codec: string, catalogue: Catalogue): string | undefined =>
  [...catalogue.lists.encoders].find(
    ([name, one]) => one.codec === codec && !one.experimental && !isDeviceCodec(name),
  )?.[0];
