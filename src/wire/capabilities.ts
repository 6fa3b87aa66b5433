import { z } from 'zod';

const name = (description: string) => z.string().min(1).max(100).exactOptional().meta({ description });

const page = {
  q: z
    .string()
    .max(200)
    .exactOptional()
    .meta({ description: 'Words that the name or the description holds. Where nothing does: what is spelled alike.' }),
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Items on one page.' }),
  cursor: z.string().max(200).exactOptional().meta({ description: '`nextCursor` of the page before.' }),
};

const kinds = ['video', 'audio', 'subtitle'] as const;

/** Query of `GET /api/capabilities/formats`. */
export const formatsQuery = z.strictObject({
  ...page,
  use: z.enum(['read', 'write']).exactOptional().meta({ description: '`read`: for inputs; `write`: for outputs.' }),
});

/** Query of `GET /api/capabilities/codecs`. */
export const codecsQuery = z.strictObject({
  ...page,
  kind: z.enum(kinds).exactOptional(),
  use: z.enum(['encode', 'decode']).exactOptional().meta({ description: 'Only encoders, or only decoders.' }),
});

/** Query of `GET /api/capabilities/filters`. */
export const filtersQuery = z.strictObject({
  ...page,
  kind: z.enum(['video', 'audio']).exactOptional().meta({ description: 'What goes in or comes out.' }),
});

/** Query of `GET /api/capabilities/options`. */
export const optionsQuery = z.strictObject({
  ...page,
  encoder: name('Only the options of this encoder: `libx264`.'),
  decoder: name('Only the options of this decoder.'),
  format: name('Only the options of this output format: `mp4`.'),
  inputFormat: name('Only the options of this input format: `image2`.'),
  filter: name('Only the options of this filter: `scale`.'),
  bsf: name('Only the options of this bitstream filter: `h264_metadata`.'),
});

const text = z.string().meta({ description: 'As ffmpeg words it.' });

const common = {
  name: z.string(),
  type: z.string().meta({
    description:
      'How the value is read: `int`, `float`, `boolean`, `flags`, `string`, `duration`, …; of ffmpeg’s own options ' +
      '`value`, or `flag` where it takes none.',
    examples: ['float'],
  }),
  description: text,
  list: z.literal(true).optional().meta({ description: 'Takes several values.' }),
  min: z.number().optional(),
  max: z.number().optional(),
  default: z.string().optional(),
  deprecated: z.literal(true).optional(),
};

const componentOption = z
  .object({
    ...common,
    constants: z
      .array(z.string())
      .optional()
      .meta({ description: 'Words that it takes; of `flags`, several at once.' }),
  })
  .meta({ id: 'ComponentOption', description: 'An option of one encoder, format or filter.' });

const meaning = z
  .object({
    ...common,
    of: z.array(z.string()).meta({
      description: 'Who takes it: `ffmpeg` itself, `every codec`, an encoder, …',
      examples: [['libx264', 'libx264rgb']],
    }),
    on: z.enum(['output', 'input', 'both', 'global', 'filter']).meta({
      description:
        'Where it is sent: `output` and `global` in the request’s `parameters`, `input` in those of an input, `both` ' +
        'in either, `filter` as a part of the filtergraph.',
    }),
    media: z
      .string()
      .optional()
      .meta({ description: 'Letters of V(ideo), A(udio), S(ubtitle): it takes a stream specifier (`crf:v:0`).' }),
    constants: z
      .array(z.object({ name: z.string(), value: z.number().optional(), help: z.string() }))
      .optional()
      .meta({ description: 'Words that it takes; of `flags`, several at once: `+a-b`.' }),
  })
  .meta({ id: 'OptionMeaning', description: 'An option, as one or several parts of ffmpeg take it.' });

const format = z
  .object({
    name: z.string(),
    description: text,
    reads: z.boolean().meta({ description: 'Inputs may have it.' }),
    writes: z.boolean().meta({ description: 'Outputs may have it.' }),
  })
  .meta({ id: 'Format', description: 'A container format.' });

const codec = z
  .object({
    name: z.string(),
    kind: z.enum(kinds),
    codec: z.string().meta({ description: 'What it writes or reads: `libx264` writes `h264`.' }),
    description: text,
    encodes: z.boolean(),
    decodes: z.boolean(),
    experimental: z.literal(true).optional().meta({ description: 'Its encoder needs `"strict": "experimental"`.' }),
  })
  .meta({ id: 'Codec', description: 'An encoder, a decoder, or both of one name.' });

const filter = z
  .object({
    name: z.string(),
    description: text,
    inputs: z
      .string()
      .meta({ description: 'A letter a pad: V, A; `N`: as its options say; `|`: none.', examples: ['VV'] }),
    outputs: z.string().meta({ examples: ['V'] }),
    timeline: z.boolean().meta({ description: 'Takes `enable`.' }),
  })
  .meta({ id: 'Filter', description: 'A filter.' });

const pads = z.union([
  z.literal('dynamic'),
  z.array(z.object({ name: z.string(), media: z.enum(['video', 'audio']) })),
]);
const names = z.array(z.string()).optional();
const componentOptions = z.array(componentOption);

export const fullFormat = z
  .object({
    ...format.shape,
    extensions: names,
    mimeType: z.string().optional(),
    defaultCodecs: z
      .object({ video: z.string().optional(), audio: z.string().optional(), subtitle: z.string().optional() })
      .optional()
      .meta({ description: 'What it holds where no codec is named.' }),
    outputOptions: componentOptions.optional().meta({ description: 'For the request’s `parameters`.' }),
    inputOptions: componentOptions.optional().meta({ description: 'For the `parameters` of an input.' }),
  })
  .meta({ id: 'FormatDetail', description: 'A format with all its own options.' });

export const fullCodec = z
  .object({
    ...codec.shape,
    encoders: z.array(z.string()).meta({ description: 'All encoders of the same codec.' }),
    pixelFormats: names.meta({ description: 'Those that the encoder takes; absent: it does not say.' }),
    sampleFormats: names,
    sampleRates: z.array(z.int()).optional(),
    channelLayouts: names,
    frameRates: names,
    encoderOptions: componentOptions.optional(),
    decoderOptions: componentOptions.optional(),
  })
  .meta({ id: 'CodecDetail', description: 'A codec with what its encoder takes and all options of its own.' });

export const fullFilter = z
  .object({ ...filter.shape, inputPads: pads, outputPads: pads, options: componentOptions })
  .meta({ id: 'FilterDetail', description: 'A filter with all its options.' });

export const optionDetail = z
  .object({ name: z.string(), meanings: z.array(meaning) })
  .meta({ id: 'OptionDetail', description: 'An option in all its meanings.' });

const rest = {
  nextCursor: z.string().optional().meta({ description: 'Send as `cursor` for the next page; absent on the last.' }),
  note: z.string().optional().meta({ description: 'What has to be known of the list as a whole.' }),
};

export const formatList = z.object({ formats: z.array(format), ...rest }).meta({ id: 'FormatList' });
export const codecList = z.object({ codecs: z.array(codec), ...rest }).meta({ id: 'CodecList' });
export const filterList = z.object({ filters: z.array(filter), ...rest }).meta({ id: 'FilterList' });
export const optionList = z.object({ options: z.array(meaning), ...rest }).meta({ id: 'OptionList' });

export type FormatsQuery = z.infer<typeof formatsQuery>;
export type CodecsQuery = z.infer<typeof codecsQuery>;
export type FiltersQuery = z.infer<typeof filtersQuery>;
export type OptionsQuery = z.infer<typeof optionsQuery>;
