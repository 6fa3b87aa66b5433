import { z } from 'zod';
import type { CapabilityOperations } from '../../jobs/capabilities/capabilities.ts';

export const CAPABILITY_KINDS = ['formats', 'codecs', 'filters', 'options'] as const;
export type Kind = (typeof CAPABILITY_KINDS)[number];

const MAX_TEXT = 200;
const MAX_VALUES = 40;

const text = z.string();
const texts = z.array(z.string());

/** A format, codec, filter or option, with the properties that a model needs to use it. */
export const capabilityItem = z.object({
  kind: z.enum(CAPABILITY_KINDS),
  name: text.meta({ description: 'The exact name to send.' }),
  description: text,
  use: texts
    .optional()
    .meta({ description: 'For formats and codecs: whether it can be used for "input", "output" or both.' }),
  media: text.optional().meta({ description: 'For codecs: video, audio or subtitle.' }),
  codec: text.optional().meta({ description: 'For codecs: the codec that it encodes or decodes, such as h264.' }),
  needs: text.optional().meta({ description: 'For codecs: an option that the encoder requires.' }),
  inputs: text.optional().meta({
    description: 'For filters: one letter per input, V(ideo) or A(udio). N: the number depends on the options.',
  }),
  outputs: text.optional(),
  of: texts.optional().meta({ description: 'For options: the components that accept it.' }),
  where: text.optional().meta({
    description:
      'For options: where to send it. "output" and "global": in "parameters"; "input": in "parameters" of an input; "both": in either; "filter": in the filtergraph.',
  }),
  type: text.optional().meta({ description: 'For options: the type of the value. Send "" for a "flag".' }),
  min: z.number().optional(),
  max: z.number().optional(),
  default: text.optional(),
  values: texts.optional().meta({ description: 'For options: the named values.' }),
});

export type CapabilityItem = z.infer<typeof capabilityItem>;

type Items<K extends Kind> = Awaited<ReturnType<CapabilityOperations[K]>>['items'][number];
type Full<K extends 'format' | 'codec' | 'filter'> = Awaited<ReturnType<CapabilityOperations[K]>>;
type ComponentOption = Full<'filter'>['options'][number];

const cut = (longText: string): string => (longText.length > MAX_TEXT ? `${longText.slice(0, MAX_TEXT)}…` : longText);

const uses = (input: boolean, output: boolean): string[] => [
  ...(input ? ['input'] : []),
  ...(output ? ['output'] : []),
];

export const formatItem = ({ name, description, reads, writes }: Items<'formats'>): CapabilityItem => ({
  kind: 'formats',
  name,
  description: cut(description),
  use: uses(reads, writes),
});

export const codecItem = (one: Items<'codecs'>): CapabilityItem => ({
  kind: 'codecs',
  name: one.name,
  description: cut(one.description),
  use: uses(one.decodes, one.encodes),
  media: one.kind,
  codec: one.codec,
  ...(one.experimental && { needs: '"strict": "experimental"' }),
});

export const filterItem = ({ name, description, inputs, outputs }: Items<'filters'>): CapabilityItem => ({
  kind: 'filters',
  name,
  description: cut(description),
  inputs,
  outputs,
});

export const optionItem = (one: Items<'options'>): CapabilityItem => ({
  ...ranged(
    one,
    one.constants?.map(({ name }) => name),
  ),
  of: one.of.slice(0, MAX_VALUES),
  where: one.on,
});

/** An option of one component. */
export const componentItem = (one: ComponentOption): CapabilityItem => ranged(one, one.constants);

function ranged(
  one: Pick<ComponentOption, 'name' | 'type' | 'description' | 'min' | 'max' | 'default'>,
  values: readonly string[] | undefined,
): CapabilityItem {
  return {
    kind: 'options',
    name: one.name,
    description: cut(one.description),
    type: one.type,
    ...(one.min !== undefined && { min: one.min }),
    ...(one.max !== undefined && { max: one.max }),
    ...(one.default !== undefined && { default: cut(one.default) }),
    ...(values && { values: values.slice(0, MAX_VALUES) }),
  };
}
