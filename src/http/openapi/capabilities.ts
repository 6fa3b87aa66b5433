import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import {
  codecList,
  codecsQuery,
  filterList,
  filtersQuery,
  formatList,
  formatsQuery,
  fullCodec,
  fullFilter,
  fullFormat,
  optionDetail,
  optionList,
  optionsQuery,
} from '../../wire/capabilities.ts';
import { always, json, problems, withToken } from './responses.ts';

const shared = { tags: ['Capabilities'], security: [{ bearer: [] }] } satisfies Partial<ZodOpenApiOperationObject>;
const requestParams = { path: z.object({ name: z.string().meta({ description: 'As ffmpeg names it.' }) }) };
const common = { ...always, ...withToken };
const missing = { ...common, 404: problems(['NOT_FOUND']) };

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
const crf = { name: 'crf', type: 'float', description: 'Select the quality', min: -1, default: '-1' };
const movflags = {
  name: 'movflags',
  type: 'flags',
  description: 'MOV muxer flags',
  default: '0',
  constants: ['faststart', 'frag_keyframe'],
};
const width = { name: 'w', type: 'string', description: 'Output video width' };

export const capabilityPaths: ZodOpenApiPathsObject = {
  '/api/capabilities/formats': {
    get: {
      ...shared,
      operationId: 'listFormats',
      summary: 'Search formats',
      description: 'The containers that inputs and outputs may have. Needs `jobs:read`.',
      requestParams: { query: formatsQuery },
      responses: { 200: json('One page.', formatList, { formats: [mp4] }), ...common },
    },
  },
  '/api/capabilities/formats/{name}': {
    get: {
      ...shared,
      operationId: 'getFormat',
      summary: 'Get a format',
      description: 'Its extensions, what it holds by default, and its own options. Needs `jobs:read`.',
      requestParams,
      responses: {
        200: json('The format.', fullFormat, {
          ...mp4,
          extensions: ['mp4'],
          mimeType: 'video/mp4',
          defaultCodecs: { video: 'h264', audio: 'aac' },
          outputOptions: [movflags],
        }),
        ...missing,
      },
    },
  },
  '/api/capabilities/codecs': {
    get: {
      ...shared,
      operationId: 'listCodecs',
      summary: 'Search encoders and decoders',
      description: 'Those that run on the processor. Needs `jobs:read`.',
      requestParams: { query: codecsQuery },
      responses: { 200: json('One page.', codecList, { codecs: [libx264] }), ...common },
    },
  },
  '/api/capabilities/codecs/{name}': {
    get: {
      ...shared,
      operationId: 'getCodec',
      summary: 'Get a codec',
      description: 'What its encoder takes, and the options of its encoder and decoder. Needs `jobs:read`.',
      requestParams,
      responses: {
        200: json('The codec.', fullCodec, {
          ...libx264,
          encoders: ['libx264', 'libx264rgb'],
          pixelFormats: ['yuv420p', 'yuv444p'],
          encoderOptions: [crf],
        }),
        ...missing,
      },
    },
  },
  '/api/capabilities/filters': {
    get: {
      ...shared,
      operationId: 'listFilters',
      summary: 'Search filters',
      description: 'Those that filtergraphs may hold. Needs `jobs:read`.',
      requestParams: { query: filtersQuery },
      responses: { 200: json('One page.', filterList, { filters: [scale] }), ...common },
    },
  },
  '/api/capabilities/filters/{name}': {
    get: {
      ...shared,
      operationId: 'getFilter',
      summary: 'Get a filter',
      description: 'Its pads and options. Needs `jobs:read`.',
      requestParams,
      responses: {
        200: json('The filter.', fullFilter, {
          ...scale,
          inputPads: [{ name: 'default', media: 'video' }],
          outputPads: [{ name: 'default', media: 'video' }],
          options: [width],
        }),
        ...missing,
      },
    },
  },
  '/api/capabilities/options': {
    get: {
      ...shared,
      operationId: 'listOptions',
      summary: 'Search options',
      description:
        'All options that `parameters` may hold, or with `encoder`, `decoder`, `format`, `inputFormat`, `filter` or ' +
        '`bsf` those of one part of ffmpeg. Needs `jobs:read`.',
      requestParams: { query: optionsQuery },
      responses: {
        200: json('One page.', optionList, { options: [{ ...crf, of: ['libx264'], on: 'output', media: 'V' }] }),
        ...common,
      },
    },
  },
  '/api/capabilities/options/{name}': {
    get: {
      ...shared,
      operationId: 'getOption',
      summary: 'Get an option',
      description: 'Every meaning that it has, with range, default and named values. Needs `jobs:read`.',
      requestParams,
      responses: {
        200: json('The option.', optionDetail, {
          name: 'crf',
          meanings: [{ ...crf, of: ['libx264'], on: 'output', media: 'V' }],
        }),
        ...missing,
      },
    },
  },
};
