import type { CapabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import {
  type CapabilityItem,
  codecItem,
  componentItem,
  filterItem,
  formatItem,
  type Kind,
  optionItem,
} from './capability-item.ts';

/** The details of one format, codec, filter or option. */
export interface CapabilityDetail {
  readonly items: readonly CapabilityItem[];
  /** The private options of the component. */
  readonly options?: readonly CapabilityItem[];
  /** Further properties, such as pixel formats, by name. */
  readonly facts?: Readonly<Record<string, readonly string[]>>;
}

/** Reads the details of one name. Throws NOT_FOUND with the closest name. */
export async function capabilityDetail(
  capabilities: CapabilityOperations,
  kind: Kind,
  name: string,
): Promise<CapabilityDetail> {
  switch (kind) {
    case 'formats': {
      const { extensions, defaultCodecs, outputOptions, inputOptions, ...format } = await capabilities.format(name);
      const facts = { extensions, defaultCodecs: defaultCodecs && Object.values(defaultCodecs) };
      return {
        items: [formatItem(format)],
        options: (outputOptions ?? inputOptions ?? []).map(componentItem),
        facts: known(facts),
      };
    }
    case 'codecs': {
      const { encoderOptions, decoderOptions, ...codec } = await capabilities.codec(name);
      const { encoders, pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates } = codec;
      return {
        items: [codecItem(codec)],
        options: (encoderOptions ?? decoderOptions ?? []).map(componentItem),
        facts: known({ encoders, pixelFormats, sampleFormats, sampleRates, channelLayouts, frameRates }),
      };
    }
    case 'filters': {
      const { options, ...filter } = await capabilities.filter(name);
      return { items: [filterItem(filter)], options: options.map(componentItem) };
    }
    case 'options':
      return { items: (await capabilities.option(name)).map(optionItem) };
  }
}

const known = (facts: Readonly<Record<string, readonly (string | number)[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, values]) => (values === undefined ? [] : [[name, values.map(String)]])),
  );
