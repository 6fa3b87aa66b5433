import { z } from 'zod';

const warning = z
  .object({
    field: z.string().meta({ description: 'JSON Pointer into the body.', examples: ['/parameters/to'] }),
    code: z.string().meta({ examples: ['NO_EFFECT'] }),
    message: z.string().meta({ examples: ['"t" and "to" both set the end of the output; ffmpeg uses "t".'] }),
    fix: z.string().optional().meta({ description: 'What to send instead.' }),
  })
  .meta({ id: 'Warning', description: 'Something that is valid but probably a mistake.' });

const encoders = z.array(z.string()).optional();

const plan = z
  .object({
    inputs: z.array(z.object({ name: z.string(), path: z.string() })).meta({
      description: 'In the order in which ffmpeg numbers them: the name in the argv, and the path of the file.',
    }),
    output: z.object({
      name: z.string(),
      path: z.string(),
      muxer: z.string().meta({ description: 'The container, as ffmpeg names it.' }),
      replace: z.boolean().meta({ description: 'Whether an existing file is replaced.' }),
    }),
    encoders: z.object({ video: encoders, audio: encoders, subtitle: encoders }).meta({
      description:
        'The encoders of each kind of stream, or `copy`. Left out if there are no such streams, or if ffmpeg chooses the ' +
        'encoder by default.',
    }),
    passes: z.int().positive(),
  })
  .meta({ id: 'Plan', description: 'How the service understands the request.' });

export const dryRunSchema = z
  .object({
    argv: z.array(z.array(z.string())).meta({
      description: 'One command a pass, the program first, with logical file names. No shell sees it.',
    }),
    plan,
    warnings: z.array(warning),
  })
  .meta({ id: 'DryRun', description: 'What a submission would run. Nothing is queued.' });

export type DryRunView = z.infer<typeof dryRunSchema>;
