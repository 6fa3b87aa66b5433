import { shorten } from '@telecine/contract/domain/quantity.ts';
import type { CapabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { Page } from '../../jobs/capabilities/search-page.ts';

export const CAPABILITY_KINDS = ['formats', 'codecs', 'filters', 'options'] as const;
export type Kind = (typeof CAPABILITY_KINDS)[number];

const MAX_TEXT = 200;
const MAX_VALUES = 40;

/** A format, codec, filter or option as REST shows it, with shorter texts and lists. `name`: the exact name to send. */
export interface CapabilityItem {
  readonly name: string;
  readonly [property: string]: unknown;
}

/** Shortens an item. Of its named values, only the names stay. */
const shortened = ({ name, ...properties }: { readonly name: string }): CapabilityItem => ({
  name,
  ...Object.fromEntries(Object.entries(properties).map(([property, value]) => [property, shortValue(value)])),
});

function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, MAX_TEXT);
  if (!Array.isArray(value)) return value;
  return value.slice(0, MAX_VALUES).map((one) => one.name ?? one);
}

export interface CapabilityQuery {
  readonly query?: string;
  readonly use?: 'input' | 'output';
  readonly of?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Searches one kind and returns a page. Throws INVALID_REQUEST if the component `of` has no options. */
export async function searchCapabilities(
  capabilities: CapabilityOperations,
  kind: Kind,
  { query, use, of, ...paging }: CapabilityQuery,
): Promise<Page<CapabilityItem>> {
  const page = { ...paging, ...(query !== undefined && { q: query }) };
  const isInput = use === 'input';
  const { items, ...rest } = await {
    formats: () => capabilities.formats({ ...page, ...(use && { use: isInput ? 'read' : 'write' }) }),
    codecs: () => capabilities.codecs({ ...page, ...(use && { use: isInput ? 'decode' : 'encode' }) }),
    filters: () => capabilities.filters(page),
    options: () => (of === undefined ? capabilities.options(page) : capabilities.optionsOf(of, isInput, page)),
  }[kind]();
  return { ...rest, items: items.map(shortened) };
}

export interface CapabilityDetail {
  readonly items: readonly CapabilityItem[];
  /** The private options of this component. */
  readonly options?: readonly CapabilityItem[];
}

/** Reads the details of one name. Throws NOT_FOUND, which suggests the most similar name. */
export async function capabilityDetail(
  capabilities: CapabilityOperations,
  kind: Kind,
  name: string,
): Promise<CapabilityDetail> {
  switch (kind) {
    case 'formats': {
      const { outputOptions, inputOptions = [], ...format } = await capabilities.format(name);
      return { items: [shortened(format)], options: (outputOptions ?? inputOptions).map(shortened) };
    }
    case 'codecs': {
      const { encoderOptions, decoderOptions = [], ...codec } = await capabilities.codec(name);
      return { items: [shortened(codec)], options: (encoderOptions ?? decoderOptions).map(shortened) };
    }
    case 'filters': {
      const { options, ...filter } = await capabilities.filter(name);
      return { items: [shortened(filter)], options: options.map(shortened) };
    }
    case 'options':
      return { items: (await capabilities.option(name)).map(shortened) };
  }
}
