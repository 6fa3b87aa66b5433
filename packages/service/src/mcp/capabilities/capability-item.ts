import { defined } from '@telecine/contract/domain/defined.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import type { CapabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { Page } from '../../jobs/capabilities/search-page.ts';

export const CAPABILITY_KINDS = ['formats', 'codecs', 'filters', 'options'] as const;
export type Kind = (typeof CAPABILITY_KINDS)[number];

const MAX_TEXT = 200;
const MAX_VALUES = 40;

/** A format, codec, filter or option, with the properties that a model needs. `name`: the exact name to send. */
export type CapabilityItem =
  | ReturnType<typeof formatItem>
  | ReturnType<typeof codecItem>
  | ReturnType<typeof filterItem>
  | ReturnType<typeof optionItem>
  | ReturnType<typeof componentItem>;

type Items<K extends Kind> = Awaited<ReturnType<CapabilityOperations[K]>>['items'][number];
type ComponentOption = Awaited<ReturnType<CapabilityOperations['filter']>>['options'][number];

const uses = (input: boolean, output: boolean) => [...(input ? ['input'] : []), ...(output ? ['output'] : [])];

/** What every item has. */
const itemOf = <K extends Kind>(
  kind: K,
  { name, description }: { readonly name: string; readonly description: string },
) => ({
  kind,
  name,
  description: shorten(description, MAX_TEXT),
});

/** `use`: whether it can be used for "input", "output" or both. */
const formatItem = (one: Items<'formats'>) => ({ ...itemOf('formats', one), use: uses(one.reads, one.writes) });

/** `codec`: what it encodes or decodes, such as h264. `needs`: an option that the encoder requires. */
const codecItem = (one: Items<'codecs'>) => ({
  ...itemOf('codecs', one),
  use: uses(one.decodes, one.encodes),
  media: one.kind,
  codec: one.codec,
  ...(one.experimental && { needs: '"strict": "experimental"' }),
});

const filterItem = (one: Items<'filters'>) => ({
  ...itemOf('filters', one),
  inputs: one.inputs,
  outputs: one.outputs,
});

/** `of`: the components that accept it. `where`: where to send it, as `on` of the API. A `type` "flag" is sent as "". */
const optionItem = (one: Items<'options'>) => ({
  ...componentItem({ ...one, constants: one.constants?.map(({ name }) => name) }),
  of: one.of.slice(0, MAX_VALUES),
  where: one.on,
});

type OptionOfItem = Pick<ComponentOption, 'name' | 'type' | 'description' | 'min' | 'max' | 'default'> & {
  readonly constants?: readonly string[] | undefined;
};

const componentItem = (one: OptionOfItem) => ({
  ...itemOf('options', one),
  type: one.type,
  ...defined({
    min: one.min,
    max: one.max,
    default: one.default && shorten(one.default, MAX_TEXT),
    values: one.constants?.slice(0, MAX_VALUES),
  }),
});

interface CapabilityQuery {
  readonly query?: string;
  readonly use?: 'input' | 'output';
  readonly of?: string;
  readonly limit: number;
  readonly from: number;
}

/** Searches one kind and returns a page. Throws INVALID_REQUEST if the component `of` has no options. */
export async function searchCapabilities(
  capabilities: CapabilityOperations,
  kind: Kind,
  { query, use, of, limit, from }: CapabilityQuery,
): Promise<Page<CapabilityItem>> {
  const words = { limit, from, ...(query !== undefined && { q: query }) };
  switch (kind) {
    case 'formats':
      return mapped(
        await capabilities.formats({ ...words, ...(use && { use: use === 'input' ? 'read' : 'write' }) }),
        formatItem,
      );
    case 'codecs':
      return mapped(
        await capabilities.codecs({ ...words, ...(use && { use: use === 'input' ? 'decode' : 'encode' }) }),
        codecItem,
      );
    case 'filters':
      return mapped(await capabilities.filters(words), filterItem);
    case 'options':
      return mapped(await optionsOf(capabilities, words, use, of), optionItem);
  }
}

type Words = Parameters<CapabilityOperations['options']>[0];

/** Lists the options of the component `of`. If several kinds of components have this name, uses the first one. */
async function optionsOf(
  capabilities: CapabilityOperations,
  words: Words,
  use: CapabilityQuery['use'],
  of: string | undefined,
): ReturnType<CapabilityOperations['options']> {
  if (of === undefined) return capabilities.options(words);
  const owners: readonly Partial<Words>[] =
    use === 'input'
      ? [{ decoder: of }, { inputFormat: of }, { filter: of }, { bsf: of }]
      : [{ encoder: of }, { filter: of }, { format: of }, { bsf: of }, { decoder: of }];
  let first: unknown;
  for (const owner of owners) {
    try {
      return await capabilities.options({ ...words, ...owner });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      first ??= error;
    }
  }
  throw first;
}

const mapped = <T>({ items, ...rest }: Page<T>, item: (one: T) => CapabilityItem): Page<CapabilityItem> => ({
  ...rest,
  items: items.map(item),
});

export interface CapabilityDetail {
  readonly items: readonly CapabilityItem[];
  /** The private options of this component. */
  readonly options?: readonly CapabilityItem[];
  /** Further properties by their names, such as pixel formats. */
  readonly facts?: Readonly<Record<string, readonly string[]>>;
}

/** Reads the details of one name. Throws NOT_FOUND, which suggests the most similar name. */
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
