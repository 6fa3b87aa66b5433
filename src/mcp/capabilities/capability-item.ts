import { z } from 'zod';
import type { CapabilityOperations } from '../../jobs/capabilities/operations.ts';

export const CAPABILITY_KINDS = ['formats', 'codecs', 'filters', 'options'] as const;
export type Kind = (typeof CAPABILITY_KINDS)[number];

const LONGEST_TEXT = 200;
const MOST_VALUES = 40;

const text = z.string();
const several = z.array(z.string());

/** A format, codec, filter or option in the few words that a model needs to use it. What does not apply is left out. */
export const capabilityItem = z.object({
  kind: z.enum(CAPABILITY_KINDS),
  name: text.meta({ description: 'As it is sent.' }),
  description: text,
  use: several.optional().meta({ description: 'A format or codec: "input", "output" or both.' }),
  media: text.optional().meta({ description: 'A codec: video, audio or subtitle.' }),
  codec: text.optional().meta({ description: 'A codec: what the encoder writes, as in h264.' }),
  needs: text.optional().meta({ description: 'What else has to be sent with it.' }),
  inputs: text
    .optional()
    .meta({ description: 'A filter: a letter an input, V(ideo) or A(udio); N: as its options say.' }),
  outputs: text.optional(),
  of: several.optional().meta({ description: 'An option: who takes it.' }),
  where: text.optional().meta({
    description:
      'An option: "output" and "global" go into parameters, "input" into those of an input, "both" into either, "filter" into the filtergraph.',
  }),
  type: text.optional().meta({ description: 'An option: how its value is read; "flag" takes "".' }),
  min: z.number().optional(),
  max: z.number().optional(),
  default: text.optional(),
  values: several.optional().meta({ description: 'An option: the words that it takes.' }),
});

export type CapabilityItem = z.infer<typeof capabilityItem>;

type Items<K extends Kind> = Awaited<ReturnType<CapabilityOperations[K]>>['items'][number];
type Full<K extends 'format' | 'codec' | 'filter'> = Awaited<ReturnType<CapabilityOperations[K]>>;
type ComponentOption = Full<'filter'>['options'][number];

const cut = (said: string): string => (said.length > LONGEST_TEXT ? `${said.slice(0, LONGEST_TEXT)}…` : said);

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
  of: one.of.slice(0, MOST_VALUES),
  where: one.on,
});

/** An option of the one component that is asked for. */
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
    ...(values && { values: values.slice(0, MOST_VALUES) }),
  };
}
