import { z } from 'zod';
import { CHUNK_SECONDS } from '../domain/chunk-seconds.ts';
import { OUTPUT_LIFETIME } from '../domain/client-limits.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '../domain/conversion.ts';
import { type EachRequest, eachErrors } from '../domain/each-file.ts';
import type { EachMaker } from '../domain/each-placeholders.ts';
import { HEX_16_BYTES, MAX_KEY_URI_LENGTH } from '../domain/hls-encryption.ts';
import { JOINS } from '../domain/join.ts';
import { countOptions } from '../domain/option-count.ts';
import { MAX_CALL_WAIT_SECONDS } from '../domain/quantity.ts';
import { PRIORITY } from '../domain/queue-order.ts';
import { isMembers } from '../domain/structured-values.ts';
import { cueCount, THUMBNAIL_TRACK } from '../domain/thumbnail-track.ts';
import { SPEECH_LANGUAGES } from '../domain/transcription.ts';
import { cut, cutForModels } from './cut.ts';
import { boolean, choice, integer, issue, list, text } from './described-schemas.ts';
import { frameSize } from './frame-size.ts';
import { batchName, jobId } from './job-id.ts';
import { ladderTarget } from './ladder.ts';
import { metadata } from './metadata.ts';
import { optionText, optionValue } from './option-value.ts';
import { qualityTarget } from './quality.ts';
import { preset } from './recipe.ts';
import { batchCallbackUrl, callbackUrl } from './webhook.ts';

const path = (description: string, example: string) => text(description, example).min(1);

const optionName = z.string().min(1).max(REQUEST_LIMITS.optionNameLength);

export const parameters = z.record(optionName, optionValue).meta({
  id: 'Parameters',
  description: 'ffmpeg options under their exact names, without the leading dash.',
  examples: [{ 'c:v': 'libx264', crf: 23 }],
});

const seconds = (description: string, example: string) =>
  text(description, example)
    .regex(/^\d+(\.\d+)?$/)
    .max(32);

export const inputSpec = z
  .strictObject({
    input: path("The file to read, relative to the client's media root.", 'pictures/title.png').exactOptional(),
    source: optionText
      .min(1)
      .meta({
        description:
          'Instead of `input`: a filtergraph that makes video or audio from nothing, such as `color`, `testsrc2`, `sine` ' +
          'or `anullsrc`.',
        examples: ['anullsrc=r=48000:cl=stereo'],
      })
      .exactOptional(),
    parameters: parameters.exactOptional(),
    duration: seconds(
      'How long to show a still image, or how long a `source` lasts, in seconds, as a string. Images with a duration ' +
        'become a slideshow if the request has no `join`, no `map` and no video filter.',
      '2.5',
    ).exactOptional(),
    crossfade: seconds(
      'How long this input fades in over the previous one, in seconds, as a string: video and audio with `join` "encode", and ' +
        'images of a slideshow. Each crossfade shortens the result by its duration.',
      '0.5',
    ).exactOptional(),
  })
  .meta({
    id: 'InputSpec',
    description: 'One input with options of its own. Send exactly one of `input` and `source`.',
    examples: [{ input: 'pictures/title.png', duration: '2.5' }],
    override: {
      oneOf: [
        { properties: { input: {} }, required: ['input'] },
        { properties: { source: {} }, required: ['source'] },
      ],
    },
  });

const outputFormat = text('A muxer name or a common file extension. Default: the extension of `output`.', 'mp4')
  .min(1)
  .max(REQUEST_LIMITS.formatLength);

const OUTPUT_PATH =
  "The file to create, relative to the client's media root, or `s3://bucket/key` in a bucket that the operator allows. Missing folders are created.";

const fallback = parameters.meta({
  description:
    'All options that replace `parameters` if no hardware device can run the request: none is there when it is submitted, or the ' +
    'device fails. The job then has the warning `DEVICE_FALLBACK`.',
  examples: [{ 'c:v': 'libx264', crf: '23' }],
});

const ONE_OF_OUTPUTS =
  'One of several outputs, with its own format and options, which replace the format and options of the request.';

export const outputSpec = z
  .strictObject({
    output: path(OUTPUT_PATH, 'movies/720p.mp4'),
    format: outputFormat.exactOptional(),
    parameters: parameters.exactOptional(),
    fallback: fallback.exactOptional(),
  })
  .meta({
    id: 'OutputSpec',
    description: ONE_OF_OUTPUTS,
    examples: [{ output: 'movies/720p.mp4', parameters: { map: ['[v720]', '0:a'], 'c:v': 'libx264' } }],
  });

/** The field `outputs`. `spec`: the schema of its elements. */
const outputsOf = <T extends z.ZodType>(spec: T) =>
  list(
    spec,
    'Several outputs of one run, which decodes the inputs once. `format` and `parameters` of the request apply to each that ' +
      'does not have the same itself; `filter_complex` and `y` belong there. After the job all outputs exist, or none. Send ' +
      'either this or `output`.',
    [{ output: 'movies/out.mp4' }, { output: 'movies/poster.jpg', parameters: { ss: '10', 'frames:v': '1' } }],
  )
    .min(1)
    .max(REQUEST_LIMITS.outputs);

const hex16Bytes = z.string().regex(HEX_16_BYTES);

export const encrypt = z
  .strictObject({
    keyUri: text(
      'Where players get the key: an http(s) URL, or a path relative to the playlist. Playlists contain it.',
      'https://keys.example.com/film.key',
    )
      .min(1)
      .max(MAX_KEY_URI_LENGTH),
    key: hex16Bytes
      .meta({
        description:
          'The key: 16 bytes in hex. Default: the service makes one, which only `GET /api/conversion/{jobId}/key` returns.',
        examples: ['00112233445566778899aabbccddeeff'],
      })
      .exactOptional(),
    iv: hex16Bytes
      .meta({
        description: 'The initialization vector: 16 bytes in hex, which playlists contain. Default: random.',
        examples: ['a1b2c3d4e5f60718293a4b5c6d7e8f90'],
      })
      .exactOptional(),
  })
  .meta({
    id: 'HlsEncryption',
    description: 'Encrypts the segments of HLS with AES-128. All variants and outputs of the request share the key.',
    examples: [{ keyUri: 'https://keys.example.com/film.key' }],
  });

const side = z.int().min(1).max(THUMBNAIL_TRACK.sides);
const trackSeconds = z.number().min(THUMBNAIL_TRACK.minSeconds).max(THUMBNAIL_TRACK.maxSeconds);

/** The fields of a track, without rules that concern several fields. */
export const trackFields = z.strictObject({
  everySeconds: trackSeconds.meta({ description: 'The time between two images.', examples: [5] }),
  durationSeconds: trackSeconds.meta({ description: 'Where the last cue ends.', examples: [63.2] }),
  columns: side.meta({ description: 'Images in a row of the sheet.', examples: [5] }),
  rows: side.meta({ description: 'Rows of the sheet.', examples: [3] }),
});
const thumbnailTrack = trackFields
  .refine((track) => cueCount(track) <= THUMBNAIL_TRACK.cues, {
    error: `A track has at most ${THUMBNAIL_TRACK.cues} images.`,
    path: ['everySeconds'],
  })
  .meta({
    id: 'ThumbnailTrack',
    description:
      'Writes a WebVTT file into the folder of `output`, which is one sheet of images without gaps: `sprites/film.vtt` for ' +
      '`sprites/film.jpg`. Its cues name the parts of the sheet: `film.jpg#xywh=160,0,160,90`. The recipe `sprite-sheet` sets it.',
    examples: [{ everySeconds: 5, durationSeconds: 63.2, columns: 5, rows: 3 }],
  });

export const transcribe = z
  .strictObject({
    language: choice(
      SPEECH_LANGUAGES,
      'The language that is spoken, as a code of whisper. Default: `auto`, by the first 30 seconds.',
      'en',
    ).exactOptional(),
  })
  .meta({
    id: 'Transcription',
    description:
      'Turns the speech in the first audio stream of `input` into captions, if workers have a model for it. They are a file of their own ' +
      '(`talk.srt`, `talk.vtt`), or one more stream of a video. In `map` they are `1:s`. Without `map`, a caption file has them alone, and a video also has all video and audio streams of the input.',
    examples: [{ language: 'en' }],
  });

export const chunks = z
  .union([
    z.enum(['auto', 'off']),
    z.strictObject({ seconds: z.number().min(CHUNK_SECONDS.min).max(CHUNK_SECONDS.max) }),
  ])
  .meta({
    id: 'Chunks',
    description:
      'Encodes the video in parts of this many seconds, which all workers with the same ffmpeg share, and joins them without encoding ' +
      'again. A later attempt uses the parts that are encoded. `auto`: if workers on at least two machines can share a video of ten minutes or more. ' +
      'A conversion that cannot be split, for example because of two passes, runs whole. Default: `off`.',
    examples: ['auto'],
  });

const llmId = text('The name of the language model. It is stored and shown with the job.', 'gpt-5')
  .min(1)
  .max(REQUEST_LIMITS.llmIdLength)
  .regex(/^\P{Cc}*$/u);

const shape = {
  input: path(
    "The file to read, relative to the client's media root, `s3://bucket/key` in a bucket that the operator allows, or an http(s) URL of a host that the operator allows. Views show a URL without its user name, password and query.",
    'movies/in.mov',
  ).exactOptional(),
  inputs: list(
    z.union([path('A path.', 'movies/in.mov'), inputSpec]),
    'Several inputs, in the order in which ffmpeg numbers them. Send either this or `input`.',
    ['movies/in.mov', 'music/theme.flac'],
  )
    .min(1)
    .max(REQUEST_LIMITS.inputs)
    .exactOptional(),
  join: choice(
    JOINS,
    'Joins `inputs`, each after the one before it. `copy` keeps their streams, which must be of the same kind; `encode` fits ' +
      'video of any size and audio of any rate together, with silence where a clip has no audio. `vf` and `af` then apply ' +
      'to the joined video.',
    'encode',
  ).exactOptional(),
  cut: cut.exactOptional(),
  transcribe: transcribe.exactOptional(),
  quality: qualityTarget.exactOptional(),
  ladder: ladderTarget.exactOptional(),
  frameSize: frameSize.exactOptional(),
  output: path(OUTPUT_PATH, 'movies/out.mp4').exactOptional(),
  outputs: outputsOf(outputSpec).exactOptional(),
  format: outputFormat.exactOptional(),
  parameters: parameters.exactOptional(),
  fallback: fallback.exactOptional(),
  thumbnailTrack: thumbnailTrack.exactOptional(),
  chunks: chunks.exactOptional(),
  preset: preset.exactOptional(),
  encrypt: encrypt.exactOptional(),
  strict: boolean(
    '`true`: reject the request if it has warnings, and fail the job, without an output, if its run has any. ' +
      '`INPUT_NOT_FOUND`, `OUTPUT_EXISTS` and `DEVICE_FALLBACK` never count.',
    true,
  ).exactOptional(),
  metadata: metadata.exactOptional(),
  expiresAfterSeconds: integer(
    'Removes the outputs this many seconds after the job has completed, but no file that was replaced or changed since. ' +
      'Default: they are kept, unless the operator limits that; the shorter time counts.',
    86_400,
  )
    .min(OUTPUT_LIFETIME.min)
    .max(OUTPUT_LIFETIME.max)
    .exactOptional(),
  priority: integer(
    'The job starts before all queued jobs of its client with a lower priority. The turns of other clients stay the same. The ' +
      'operator sets the highest level that a client may send: by default 0.',
    -5,
  )
    .min(PRIORITY.min)
    .max(PRIORITY.max)
    .exactOptional(),
  after: list(
    jobId,
    'The ids of your jobs that must be complete before this one starts. If one of them fails or is cancelled, this one ' +
      'fails with `DEPENDENCY_FAILED`.',
    ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'],
  )
    .min(1)
    .max(REQUEST_LIMITS.after)
    .exactOptional(),
  callbackUrl: callbackUrl.exactOptional(),
};

const isObject = ({ value }: { value: unknown }) => isMembers(value);

/** Adds the rules about several fields, also after other errors. They are one check, because each check takes time in every submission. */
const checked = <T extends z.ZodType<ConversionRequest & { readonly each?: string }>>(body: T, maker?: EachMaker): T =>
  body.superRefine(
    (request, { issues, addIssue }) => {
      const { input, inputs, output, outputs, thumbnailTrack, each } = request as EachRequest;
      const add = (...error: Parameters<typeof issue>): void => addIssue(issue(...error));
      // Count only if there is no type error: values of a wrong type cannot be counted.
      const isCountable = issues.every((issue) => issue.continue === true);
      const isForEach = each !== undefined || maker !== undefined;
      if (input === undefined && inputs === undefined && !isForEach)
        add(['input'], 'MISSING', 'The request needs "input", the path of a file, or "inputs", a list of paths.');
      if (input !== undefined && inputs !== undefined)
        add(['inputs'], 'EXCLUSIVE', '"input" and "inputs" are both set.');
      for (const [index, one] of (Array.isArray(inputs) ? inputs : []).entries()) {
        if (typeof one !== 'object' || one === null) continue;
        const field = (name: string) => ['inputs', index, name];
        if (one.input === undefined && one.source === undefined)
          add(field('input'), 'MISSING', '"input", the path of a file, is missing.');
        if (one.input !== undefined && one.source !== undefined)
          add(field('source'), 'EXCLUSIVE', '"input" and "source" are both set.');
      }
      if (output === undefined && outputs === undefined)
        add(['output'], 'MISSING', '"output", the path of the new file, is missing.');
      if (output !== undefined && outputs !== undefined)
        add(['outputs'], 'EXCLUSIVE', '"output" and "outputs" are both set.');
      if (isForEach && isCountable)
        for (const { path: at, message, ...params } of eachErrors(request as EachRequest, maker))
          addIssue({ code: 'custom', path: [...at], message, params });
      if (outputs !== undefined && thumbnailTrack !== undefined) {
        const message = '"thumbnailTrack" is about "output", and the request has "outputs".';
        add(['thumbnailTrack'], 'EXCLUSIVE', message);
      }
      if (isCountable && countOptions(request) > REQUEST_LIMITS.options)
        add(['parameters'], 'TOO_MANY', `The request has more than ${REQUEST_LIMITS.options} options.`);
    },
    { when: isObject },
  );

const each = path(
  "A pattern in the client's media root, such as `wavs/*.wav`, or a folder with a slash at its end: the request then stands for one job " +
    'for each file that matches, in the order of their names. `*`, `?` and `[a-z]` are allowed in the name of the file, not in its ' +
    'folder. `{name}` in outputs, options that name output files, inputs and arguments of `preset` is the name of each file without its ' +
    'extension, `{path}` in inputs and arguments the path of the file. Without `input` and `inputs`, the file is the input. It also needs the scope `files:read`.',
  'wavs/*.wav',
);

// Repeat the properties, because OpenAPI linters look for required properties only inside the union.
const oneOf = (...names: readonly string[]) => ({
  oneOf: names.map((name) => ({ properties: { [name]: {} }, required: [name] })),
});

const EITHER = { allOf: [oneOf('input', 'inputs'), oneOf('output', 'outputs')] };

/** The fields of a request, without rules that concern several fields. */
export const conversionFields = z.strictObject({ ...shape, llmId: llmId.exactOptional() });

export const conversionBody = checked(
  conversionFields.meta({
    id: 'ConversionRequest',
    description:
      'What to convert, and how. Send exactly one of `input` and `inputs`, and exactly one of `output` and `outputs`.',
    override: EITHER,
  }),
);

/** The body of `POST /api/conversions`: requests that can wait for each other. They refer to each other by name. */
export const batchBody = z
  .strictObject({
    requests: z
      .array(
        checked(
          z.strictObject({
            ...shape,
            each: each.exactOptional(),
            llmId: llmId.exactOptional(),
            name: batchName.exactOptional(),
            after: list(
              z.string().min(1).max(REQUEST_LIMITS.batchNameLength),
              'What must be complete before this job starts: names of other requests of the batch, and ids of your jobs.',
              ['film'],
            )
              .min(1)
              .max(REQUEST_LIMITS.after)
              .exactOptional(),
          }),
        ),
      )
      .min(1)
      .max(REQUEST_LIMITS.batch)
      .meta({
        description: 'The requests, each as `POST /api/conversion` accepts it, with a `name` if others wait for it.',
        examples: [[{ input: 'movies/in.mov', output: 'movies/out.mp4' }]],
      }),
    callbackUrl: batchCallbackUrl.exactOptional(),
  })
  .meta({ id: 'BatchRequest', description: 'Conversions that are accepted or rejected together.' });

const { after: _after, ...forEachFile } = shape;

/** The field `request` of a watch. `maker`: the watch, for errors in placeholders. */
export const requestOfWatch = (maker: EachMaker) =>
  checked(
    z.strictObject({ ...forEachFile, llmId: llmId.exactOptional() }).meta({
      id: 'WatchRequest',
      description:
        'What is submitted for each file: a request as `POST /api/conversion` accepts it, without `after`. Without `input` and `inputs`, ' +
        'the file is the input. Outputs, options that name output files, inputs and arguments of `preset` can have `{name}`, the name of ' +
        'the file without its extension; `{folder}`, the folders between the folder of the watch and the file, with a slash at the end, or ' +
        'nothing; `{date}`, the UTC day on which the file was submitted; and `{width}` and `{height}` of its video as it is shown. ' +
        '`{path}` in inputs and arguments is the path of the file.',
      override: oneOf('output', 'outputs'),
    }),
    maker,
  );

/** The body of a `POST /mcp` without JSON-RPC: `conversionBody`, but `llmId` is required. */
export const llmConversionBody = checked(
  z.strictObject({ ...shape, llmId }).meta({
    id: 'LlmConversionRequest',
    description:
      'The conversion to run, requested by the language model that `llmId` names. Send exactly one of `input` and `inputs`, and exactly one of `output` and `outputs`.',
    override: EITHER,
  }),
);

/**
 * Fields that models do not get: for tracks, captions, scenes, quality targets, ladders and frame sizes, they use recipes. They see which devices exist and
 * need no fallback. Whether chunks pay depends on the workers, which they do not see.
 */
const {
  thumbnailTrack: _,
  fallback: __,
  outputs: ___,
  cut: ____,
  transcribe: _____,
  chunks: ______,
  quality: _______,
  ladder: ________,
  frameSize: _________,
  ...forModels
} = shape;
const modelOutputs = outputsOf(
  outputSpec.omit({ fallback: true }).meta({ description: ONE_OF_OUTPUTS }),
).exactOptional();

/** The arguments of the MCP tool `convert_media`: the fields of `conversionBody`, and values that REST reads from headers and the query. */
export const conversionArguments = checked(
  z.strictObject({
    ...forModels,
    cut: cutForModels.exactOptional(),
    each: each.exactOptional(),
    outputs: modelOutputs,
    // The service generates the key for models, because a key in the context of a model would be in its logs.
    encrypt: encrypt.pick({ keyUri: true }).exactOptional(),
    llmId: llmId
      .exactOptional()
      .meta({ description: 'The name of the language model. Default: the name of the MCP client.' }),
    idempotencyKey: text(
      'A unique string for this conversion, such as a UUID. If you repeat the call with the same key and the same ' +
        'arguments within 24 hours, you get the same job; no second job is started.',
      '7d9f2f3e-0d0a-4c0c-9a2b-5f0f0a3c1b77',
    )
      .regex(/^[\x21-\x7e]{1,255}$/)
      .exactOptional(),
    dryRun: boolean('true: only check the request, and report what would run and what is probably a mistake.').default(
      false,
    ),
    waitSeconds: integer('How long to wait for the end of the job.').min(0).max(MAX_CALL_WAIT_SECONDS).default(0),
  }),
);

/** A conversion of local files, for the library `@telecine/ffmpeg`: the fields of `conversionBody` that need no service. */
export const localConversionBody = checked(
  conversionFields
    .pick({
      ...{ input: true, inputs: true, quality: true, ladder: true, frameSize: true },
      ...{ output: true, format: true, parameters: true },
    })
    .extend({ outputs: modelOutputs }),
);

const PLAIN_FIELDS: ReadonlySet<string> = new Set(['input', 'output', 'format', 'parameters']);

/**
 * Whether a body is a plain request: `input`, `output`, perhaps `format`, and options whose values are texts or lists, within the limits.
 * `conversionBody` accepts such a body unchanged, but its checks take a fifteenth of the time of a submission. This check takes a tenth of
 * that.
 */
export function isPlainConversion(body: unknown): body is ConversionRequest {
  if (!isMembers(body)) return false;
  for (const name in body) if (!PLAIN_FIELDS.has(name)) return false;
  const { input, output, format, parameters = {} } = body;
  if (typeof input !== 'string' || input === '' || typeof output !== 'string' || output === '') return false;
  if (format !== undefined && !isWithin(format, 1, REQUEST_LIMITS.formatLength)) return false;
  if (!isMembers(parameters)) return false;
  let options = 0;
  for (const name in parameters) {
    if (!isWithin(name, 1, REQUEST_LIMITS.optionNameLength) || name === '__proto__') return false;
    const value = parameters[name];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.length === 0 || !values.every(isOptionText)) return false;
    options += values.length;
  }
  return options <= REQUEST_LIMITS.options;
}

const isOptionText = (value: unknown): boolean => isWithin(value, 0, REQUEST_LIMITS.optionValueLength);

const isWithin = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max;
