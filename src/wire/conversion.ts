import { z } from 'zod';
import type { ConversionRequest } from '../domain/conversion.ts';
import { REQUEST_LIMITS } from '../domain/conversion.ts';

const path = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .meta({ description, examples: [example] });

const optionName = z.string().min(1).max(REQUEST_LIMITS.optionNameLength);
const optionText = z.string().max(REQUEST_LIMITS.optionValueLength);

const optionValue = z.union([optionText, z.array(optionText).min(1)]).meta({
  id: 'OptionValue',
  description:
    'The value as text, numbers too: "23". "" or "true" for an option that takes no value ("false" leaves it out). ' +
    'A list of texts only where ffmpeg lets the option be repeated, such as `map` and `metadata`.',
  examples: ['libx264'],
});

const parameters = z.record(optionName, optionValue).meta({
  id: 'Parameters',
  description: 'ffmpeg options by their exact names, without the leading dash.',
  examples: [{ 'c:v': 'libx264', crf: '23' }],
});

const seconds = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .max(32)
    .meta({ description, examples: [example] });

const inputSpec = z
  .strictObject({
    input: path("The file to read, relative to the client's media root.", 'pictures/title.png'),
    parameters: parameters.exactOptional(),
    duration: seconds(
      'Seconds that a still picture is shown, as text. Pictures with a duration, and neither a map nor a filter of ' +
        'video in the request, make a slideshow.',
      '2.5',
    ).exactOptional(),
    crossfade: seconds(
      'Seconds, as text, in which a picture of a slideshow comes in across the one before it; both are seen then, so ' +
        'the slideshow is shorter by it.',
      '0.5',
    ).exactOptional(),
  })
  .meta({
    id: 'InputSpec',
    description: 'One input with options that belong to it alone.',
    examples: [{ input: 'pictures/title.png', duration: '2.5' }],
  });

const llmId = z
  .string()
  .min(1)
  .max(REQUEST_LIMITS.llmIdLength)
  .regex(/^\P{Cc}*$/u)
  .meta({ description: 'Who asks on behalf of a language model; kept and shown with the job.', examples: ['gpt-5'] });

const shape = {
  input: path("The file to read, relative to the client's media root.", 'movies/in.mov').exactOptional(),
  inputs: z
    .array(z.union([path('A path.', 'movies/in.mov'), inputSpec]))
    .min(1)
    .max(REQUEST_LIMITS.inputs)
    .meta({
      description: 'Several inputs, in the order in which ffmpeg numbers them. Either this or `input`.',
      examples: [['movies/in.mov', 'music/theme.flac']],
    })
    .exactOptional(),
  output: path("The file to make, relative to the client's media root; missing folders are made.", 'movies/out.mp4'),
  format: z
    .string()
    .min(1)
    .max(REQUEST_LIMITS.formatLength)
    .meta({
      description: 'A muxer name or a usual file extension. Left out: by the extension of `output`.',
      examples: ['mp4'],
    })
    .exactOptional(),
  parameters: parameters.exactOptional(),
};

function optionCount(options: ConversionRequest['parameters']): number {
  let count = 0;
  for (const name in options) {
    const value = options[name];
    count += typeof value === 'object' ? value.length : 1;
  }
  return count;
}

/** Options of the whole request, those of its inputs and the members of lists included. */
const countOptions = ({ parameters: own, inputs = [] }: ConversionRequest): number =>
  inputs.reduce((sum, one) => sum + (typeof one === 'string' ? 0 : optionCount(one.parameters)), optionCount(own));

const isObject = ({ value }: { value: unknown }) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One check and not one for each rule, which every submission would pay for; `when`: also beside other faults. */
const checked = <T extends z.ZodType<ConversionRequest>>(body: T): T =>
  body.superRefine(
    (request, { issues, addIssue }) => {
      const { input, inputs } = request;
      // What is of another type, wherever it is, may be what is to be counted.
      const isCountable = issues.every((issue) => issue.continue === true);
      if (input === undefined && inputs === undefined)
        addIssue({
          code: 'custom',
          path: ['input'],
          message: 'Neither "input" nor "inputs" is there.',
          params: { code: 'MISSING', fix: 'Send "input": "movies/in.mov", or "inputs" with a list of them.' },
        });
      if (input !== undefined && inputs !== undefined)
        addIssue({
          code: 'custom',
          path: ['inputs'],
          message: '"input" and "inputs" are both there.',
          params: { code: 'EXCLUSIVE', fix: 'Send one of the two.' },
        });
      if (isCountable && countOptions(request) > REQUEST_LIMITS.options)
        addIssue({
          code: 'custom',
          path: ['parameters'],
          message: `The request holds more than ${REQUEST_LIMITS.options} options.`,
          params: { code: 'TOO_MANY', fix: `Send at most ${REQUEST_LIMITS.options}, the members of lists included.` },
        });
    },
    { when: isObject },
  );

// With its properties: inside of a union, linters look for them nowhere else.
const EITHER_INPUT = {
  oneOf: [
    { properties: { input: {} }, required: ['input'] },
    { properties: { inputs: {} }, required: ['inputs'] },
  ],
};

/** The body of `POST /api/conversion`. */
export const conversionBody = checked(
  z.strictObject({ ...shape, llmId: llmId.exactOptional() }).meta({
    id: 'ConversionRequest',
    description: 'What to convert and how. Exactly one of `input` and `inputs`.',
    override: EITHER_INPUT,
  }),
);

/** The body of the plain contract on `POST /mcp`: the same, with `llmId` required. */
export const llmConversionBody = checked(
  z.strictObject({ ...shape, llmId }).meta({
    id: 'LlmConversionRequest',
    description: 'A conversion that a language model asks for. Exactly one of `input` and `inputs`.',
    override: EITHER_INPUT,
  }),
);

/** The arguments of the MCP tool that converts: the same body, and what REST has in its headers and query. */
export const conversionArguments = checked(
  z.strictObject({
    ...shape,
    llmId: llmId.exactOptional().meta({ description: 'Who asks. Left out: the name of the client program.' }),
    idempotencyKey: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/)
      .meta({
        description:
          'Any text of your own for this one conversion, such as a UUID. Sent again with the same arguments within 24 ' +
          'hours it gives the same job and starts no second one.',
        examples: ['7d9f2f3e-0d0a-4c0c-9a2b-5f0f0a3c1b77'],
      })
      .exactOptional(),
    dryRun: z
      .boolean()
      .default(false)
      .meta({ description: 'true: only check, and tell what would run and what is probably not meant.' }),
  }),
);
