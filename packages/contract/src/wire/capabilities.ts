import { z } from 'zod';
import { boolean, choice, list, text } from './described-schemas.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import type { Shape } from './shape.ts';

const name = (description: string) => text(description).min(1).max(100).exactOptional();

const page = {
  q: text('Words to find in names and descriptions. If nothing matches, the list has similar names.')
    .max(200)
    .exactOptional(),
  limit: pageLimit('Items', 100, 20),
  cursor: cursor(),
};

const kinds = ['video', 'audio', 'subtitle'] as const;

export const formatsQuery = z.strictObject({
  ...page,
  use: choice(['read', 'write'], '`read`: only input formats. `write`: only output formats.').exactOptional(),
});

export const codecsQuery = z.strictObject({
  ...page,
  kind: z.enum(kinds).exactOptional(),
  use: choice(['encode', 'decode'], 'Only encoders, or only decoders.').exactOptional(),
});

export const filtersQuery = z.strictObject({
  ...page,
  kind: choice(['video', 'audio'], 'Only filters that have inputs or outputs of this kind.').exactOptional(),
});

export const optionsQuery = z.strictObject({
  ...page,
  encoder: name('Only the options of this encoder: `libx264`.'),
  decoder: name('Only the options of this decoder.'),
  format: name('Only the options of this output format: `mp4`.'),
  inputFormat: name('Only the options of this input format: `image2`.'),
  filter: name('Only the options of this filter: `scale`.'),
  bsf: name('Only the options of this bitstream filter: `h264_metadata`.'),
});

const ownText = text("ffmpeg's own text.");

const common = {
  name: z.string(),
  type: text(
    'The type of the value: `int`, `float`, `boolean`, `flags`, `string`, `duration`, … For an option of ffmpeg ' +
      'itself: `value`, or `flag` if it takes no value.',
    'float',
  ),
  description: ownText,
  list: z.literal(true).optional().meta({ description: 'The option takes a list of values.' }),
  min: z.number().optional(),
  max: z.number().optional(),
  usual: text('The usual values of a quality: `18 to 28`.').optional(),
  default: z.string().optional(),
  deprecated: z.literal(true).optional(),
};

const componentOption = z
  .object({
    ...common,
    constants: list(z.string(), 'Named values. An option of type `flags` takes several at once.').optional(),
  })
  .meta({ id: 'ComponentOption', description: 'An option of one encoder, format or filter.' });

const meaning = z
  .object({
    ...common,
    of: list(z.string(), 'The components that have this option: `ffmpeg` itself, `every codec`, an encoder, …', [
      'libx264',
      'libx264rgb',
    ]),
    on: choice(
      ['output', 'input', 'both', 'global', 'filter'],
      'Where to send it: `output` and `global` in `parameters` of the request, `input` in `parameters` of an input, ' +
        '`both` in either, `filter` inside the filtergraph.',
    ),
    media: text('The media that a stream specifier (`crf:v:0`) may select: V(ideo), A(udio), S(ubtitle).').optional(),
    constants: list(
      z.object({ name: z.string(), value: z.number().optional(), help: z.string() }),
      'Named values. An option of type `flags` takes several at once: `+a-b`.',
    ).optional(),
  })
  .meta({ id: 'OptionMeaning', description: 'One meaning of an option. Several components can share it.' });

const format = z
  .object({
    name: z.string(),
    description: ownText,
    reads: boolean('Whether inputs may have this format.'),
    writes: boolean('Whether outputs may have this format.'),
  })
  .meta({ id: 'Format', description: 'A container format.' });

const codec = z
  .object({
    name: z.string(),
    kind: z.enum(kinds),
    codec: text('The codec that it encodes or decodes: `libx264` encodes `h264`.'),
    description: ownText,
    encodes: z.boolean(),
    decodes: z.boolean(),
    experimental: z.literal(true).optional().meta({ description: 'The encoder needs `"strict": "experimental"`.' }),
  })
  .meta({ id: 'Codec', description: 'An encoder, a decoder, or both under one name.' });

const filter = z
  .object({
    name: z.string(),
    description: ownText,
    inputs: text('A letter per input pad: V (video), A (audio). `N`: the options set the number. `|`: no pads.', 'VV'),
    outputs: text('The output pads, in the same form.', 'V'),
    timeline: boolean('Whether the filter supports `enable` (timeline editing).'),
  })
  .meta({ id: 'Filter', description: 'A filter.' });

const pads = z.union([
  z.literal('dynamic'),
  z.array(z.object({ name: z.string(), media: z.enum(['video', 'audio']) })),
]);
const names = z.array(z.string()).optional();
const componentOptions = z.array(componentOption);

export const formatDetail = z
  .object({
    ...format.shape,
    extensions: names,
    mimeType: z.string().optional(),
    defaultCodecs: z
      .object({ video: z.string().optional(), audio: z.string().optional(), subtitle: z.string().optional() })
      .optional()
      .meta({ description: 'The codecs of the output if the request sets none.' }),
    outputOptions: componentOptions.optional().meta({ description: 'Options for `parameters` of the request.' }),
    inputOptions: componentOptions.optional().meta({ description: 'Options for `parameters` of an input.' }),
  })
  .meta({ id: 'FormatDetail', description: 'A format with all of its own options.' });

export const codecDetail = z
  .object({
    ...codec.shape,
    encoders: z.array(z.string()).meta({ description: 'Every encoder of the same codec.' }),
    pixelFormats: names.meta({
      description: 'The pixel formats that the encoder accepts. Absent if it does not list them.',
    }),
    sampleFormats: names,
    sampleRates: z.array(z.int()).optional(),
    channelLayouts: names,
    frameRates: names,
    encoderOptions: componentOptions.optional(),
    decoderOptions: componentOptions.optional(),
  })
  .meta({
    id: 'CodecDetail',
    description: 'A codec, the formats that its encoder accepts, and all of its own options.',
  });

export const filterDetail = z
  .object({ ...filter.shape, inputPads: pads, outputPads: pads, options: componentOptions })
  .meta({ id: 'FilterDetail', description: 'A filter with all its options.' });

export const optionDetail = z
  .object({ name: z.string(), meanings: z.array(meaning) })
  .meta({ id: 'OptionDetail', description: 'An option in all its meanings.' });

const pageEnd = {
  nextCursor,
  note: text('A remark about the whole list.').optional(),
};

export const formatList = z.object({ formats: z.array(format), ...pageEnd }).meta({ id: 'FormatList' });
export const codecList = z.object({ codecs: z.array(codec), ...pageEnd }).meta({ id: 'CodecList' });
export const filterList = z.object({ filters: z.array(filter), ...pageEnd }).meta({ id: 'FilterList' });
export const optionList = z.object({ options: z.array(meaning), ...pageEnd }).meta({ id: 'OptionList' });

export type FormatsQuery = z.infer<typeof formatsQuery>;
export type CodecsQuery = z.infer<typeof codecsQuery>;
export type FiltersQuery = z.infer<typeof filtersQuery>;
export type OptionsQuery = z.infer<typeof optionsQuery>;
export type OptionMeaning = Shape<typeof meaning>;
