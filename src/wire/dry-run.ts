import { z } from 'zod';

/** What a submission would do; nothing is queued. */
export const dryRun = z
  .object({
    argv: z.array(z.array(z.string())).meta({
      description: 'One command a pass, the program first, with logical file names. No shell sees it.',
    }),
    warnings: z.array(z.string()).meta({ description: 'What is legal but probably not meant.' }),
  })
  .meta({ id: 'DryRun', description: 'What a submission would run. Nothing is queued.' });

export type DryRunView = z.infer<typeof dryRun>;

export const dryRunView = (run: {
  readonly argv: readonly (readonly string[])[];
  readonly warnings: readonly string[];
}): DryRunView => ({ argv: run.argv.map((pass) => [...pass]), warnings: [...run.warnings] });
