import { deviceDecoderError, deviceEncoderError } from '../../ffmpeg/allowlist/device-codecs.ts';
import { codecViews, fullCodecView } from '../../ffmpeg/capabilities/codecs.ts';
import { encoderNamed } from '../../ffmpeg/catalogue/catalogue.ts';
import type { AskTool } from './known-tool.ts';
import type { CapabilityOperations } from './operations.ts';
import { noSuch, pageOf } from './page.ts';

export const codecs = (ask: AskTool): Pick<CapabilityOperations, 'codecs' | 'codec'> => ({
  codecs: async ({ kind, use, ...query }) => {
    const all = codecViews((await ask()).catalogue());
    const ofKind = kind === undefined ? all : all.filter((one) => one.kind === kind);
    return pageOf(
      ofKind.filter(({ encodes, decodes }) => use === undefined || (use === 'encode' ? encodes : decodes)),
      query,
      { more: ({ codec }) => codec },
    );
  },
  codec: async (name) => {
    const tool = await ask();
    const catalogue = tool.catalogue();
    const all = codecViews(catalogue);
    const writer = encoderNamed(catalogue, name)?.name;
    const codec = all.find((one) => one.name === name) ?? all.find((one) => one.name === writer);
    if (codec === undefined) {
      const refused = deviceEncoderError(name, catalogue.lists.encoders) ?? deviceDecoderError(name);
      throw noSuch(
        'codec',
        name,
        all.map((one) => one.name),
        refused?.message,
      );
    }
    const [encoder, decoder] = await Promise.all([
      codec.encodes ? tool.component('encoder', codec.name) : undefined,
      codec.decodes ? tool.component('decoder', codec.name) : undefined,
    ]);
    return fullCodecView(codec, all, encoder, decoder);
  },
});
