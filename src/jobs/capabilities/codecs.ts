import { meantEncoders } from '../../domain/synonyms/media-words.ts';
import { deviceDecoderError, deviceEncoderError } from '../../ffmpeg/allowlist/device-components.ts';
import { codecViews, fullCodecView } from '../../ffmpeg/capabilities/components.ts';
import { encoderNamed } from '../../ffmpeg/catalogue/catalogue.ts';
import type { FindFfmpeg } from './installed-ffmpeg.ts';
import type { CapabilityOperations } from './operations.ts';
import { notFound, pageOf } from './page.ts';

export const codecs = (findFfmpeg: FindFfmpeg): Pick<CapabilityOperations, 'codecs' | 'codec'> => ({
  codecs: async ({ kind, use, ...query }) => {
    const all = codecViews((await findFfmpeg()).catalogue());
    const ofKind = kind === undefined ? all : all.filter((one) => one.kind === kind);
    return pageOf(
      ofKind.filter(({ encodes, decodes }) => use === undefined || (use === 'encode' ? encodes : decodes)),
      query,
      { more: ({ codec }) => codec },
    );
  },
  codec: async (name) => {
    const ffmpeg = await findFfmpeg();
    const catalogue = ffmpeg.catalogue();
    const all = codecViews(catalogue);
    const writer = encoderNamed(catalogue, name)?.name;
    const codec = all.find((one) => one.name === name) ?? all.find((one) => one.name === writer);
    if (codec === undefined) {
      const rejection =
        deviceEncoderError(name, catalogue.lists.encoders, catalogue.devices) ??
        deviceDecoderError(name, catalogue.devices);
      throw notFound(
        'codec',
        name,
        all.map((one) => one.name),
        rejection?.message,
        meantEncoders(name).find((meant) => all.some((one) => one.name === meant)),
      );
    }
    const [encoder, decoder] = await Promise.all([
      codec.encodes ? ffmpeg.component('encoder', codec.name) : undefined,
      codec.decodes ? ffmpeg.component('decoder', codec.name) : undefined,
    ]);
    return fullCodecView(codec, all, encoder, decoder);
  },
});
