import { z } from 'zod';
import {
  codecDetail,
  codecList,
  codecsQuery,
  filterDetail,
  filterList,
  filtersQuery,
  formatDetail,
  formatList,
  formatsQuery,
  optionDetail,
  optionList,
  optionsQuery,
} from '../capabilities.ts';
import { text } from '../described-schemas.ts';
import { jsonReply, type Operation, type Operations, token } from './operation.ts';

const search = { tag: 'Capabilities', access: token('jobs:read') } satisfies Partial<Operation>;
const lookup = {
  ...search,
  params: z.object({ name: text('The name, spelled as in ffmpeg.') }),
  problems: ['NOT_FOUND'],
} satisfies Partial<Operation>;

const libx264 = {
  name: 'libx264',
  kind: 'video',
  codec: 'h264',
  description: 'libx264 H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10',
  encodes: true,
  decodes: false,
};
const mp4 = { name: 'mp4', description: 'MP4 (MPEG-4 Part 14)', reads: true, writes: true };
const scale = {
  name: 'scale',
  description: 'Scale the input video size and/or convert the image format.',
  inputs: 'V',
  outputs: 'V',
  timeline: false,
};
const crf = { name: 'crf', type: 'float', description: 'Select the quality', min: 0, max: 51, usual: '18 to 28' };
const crfMeaning = { ...crf, of: ['libx264'], on: 'output', media: 'V' };
const movflags = {
  name: 'movflags',
  type: 'flags',
  description: 'MOV muxer flags',
  default: '0',
  constants: ['faststart', 'frag_keyframe'],
};
const width = { name: 'w', type: 'string', description: 'Output video width' };

export const CAPABILITY_OPERATIONS = {
  listFormats: {
    ...search,
    summary: 'Search formats',
    description: 'Lists the container formats that inputs and outputs may have.',
    query: formatsQuery,
    replies: { 200: jsonReply('One page.', formatList, { formats: [mp4] }) },
  },
  getFormat: {
    ...lookup,
    summary: 'Get a format',
    description: 'Returns its file extensions, its default codecs and its own options.',
    replies: {
      200: jsonReply('The format.', formatDetail, {
        ...mp4,
        extensions: ['mp4'],
        mimeType: 'video/mp4',
        defaultCodecs: { video: 'h264', audio: 'aac' },
        outputOptions: [movflags],
      }),
    },
  },
  listCodecs: {
    ...search,
    summary: 'Search encoders and decoders',
    description: 'Lists the encoders and decoders. Hardware codecs are listed only if a worker has their device.',
    query: codecsQuery,
    replies: { 200: jsonReply('One page.', codecList, { codecs: [libx264] }) },
  },
  getCodec: {
    ...lookup,
    summary: 'Get a codec',
    description: 'Returns the formats that its encoder accepts, and the options of its encoder and decoder.',
    replies: {
      200: jsonReply('The codec.', codecDetail, {
        ...libx264,
        encoders: ['libx264', 'libx264rgb'],
        pixelFormats: ['yuv420p', 'yuv444p'],
        encoderOptions: [crf],
      }),
    },
  },
  listFilters: {
    ...search,
    summary: 'Search filters',
    description: 'Lists the filters that a filtergraph may use.',
    query: filtersQuery,
    replies: { 200: jsonReply('One page.', filterList, { filters: [scale] }) },
  },
  getFilter: {
    ...lookup,
    summary: 'Get a filter',
    description: 'Returns its pads and options.',
    replies: {
      200: jsonReply('The filter.', filterDetail, {
        ...scale,
        inputPads: [{ name: 'default', media: 'video' }],
        outputPads: [{ name: 'default', media: 'video' }],
        options: [width],
      }),
    },
  },
  listOptions: {
    ...search,
    summary: 'Search options',
    description:
      'Lists all options that `parameters` may have. With `encoder`, `decoder`, `format`, `inputFormat`, `filter` or ' +
      '`bsf`, lists only the options of that component.',
    query: optionsQuery,
    replies: { 200: jsonReply('One page.', optionList, { options: [crfMeaning] }) },
  },
  getOption: {
    ...lookup,
    summary: 'Get an option',
    description: 'Returns each of its meanings, with range, default and named values.',
    replies: { 200: jsonReply('The option.', optionDetail, { name: 'crf', meanings: [crfMeaning] }) },
  },
} satisfies Operations;
