import { z } from 'zod';

const warning = z
  .object({
    field: z.string().meta({ description: 'JSON Pointer into the body.', examples: ['/parameters/to'] }),
    code: z.string().meta({ examples: ['NO_EFFECT'] }),
    message: z.string().meta({ examples: ['"t" and "to" both set the end of the output; ffmpeg uses "t".'] }),
    fix: z.string().optional().meta({ description: 'What to send instead.' }),
  })
  .meta({ id: 'Warning', description: 'What is legal but probably not meant.' });

const encoders = z.array(z.string()).optional();

const plan = z
  .object({
    inputs: z.array(z.object({ name: z.string(), path: z.string() })).meta({
      description: 'In the order in which ffmpeg numbers them: the name in the argv, and the path that it stands for.',
    }),
    output: z.object({
      name: z.string(),
      path: z.string(),
      muxer: z.string().meta({ description: 'The container, as ffmpeg names it.' }),
      replace: z.boolean().meta({ description: 'A file that is there is replaced.' }),
    }),
    encoders: z.object({ video: encoders, audio: encoders, subtitle: encoders }).meta({
      description:
        'What makes the streams of each kind, if there are any: encoders, or `copy`. Left out where there are none, or ' +
        'ffmpeg chooses by itself and was not asked what.',
    }),
    passes: z.int().positive(),
  })
  .meta({ id: 'Plan', description: 'What the request was understood to mean.' });

/** What a submission would do; nothing is queued. */
export const dryRun = z
  .object({
    argv: z.array(z.array(z.string())).meta({
      description: 'One command a pass, the program first, with logical file names. No shell sees it.',
    }),
    plan,
    warnings: z.array(warning),
  })
  .meta({ id: 'DryRun', description: 'What a submission would run. Nothing is queued.' });

export type DryRunView = z.infer<typeof dryRun>;

/** As the use case hands it out. */
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The two types differ only in what is readonly; nothing is written through the view. */
export const dryRunView = (run: DeepReadonly<DryRunView>): DryRunView => run as DryRunView;
