import { z } from 'zod';

const path = z.string().meta({ description: 'JSON Pointer into the body.', examples: ['/parameters/crf'] });

const operation = z
  .discriminatedUnion('op', [
    z.object({ op: z.literal('add'), path, value: z.unknown() }),
    z.object({ op: z.literal('replace'), path, value: z.unknown() }),
    z.object({ op: z.literal('remove'), path }),
  ])
  .meta({ id: 'PatchOperation', description: 'One operation of a JSON Patch (RFC 6902).' });

/** What a program does to the body to follow a fix. */
export const patch = z
  .array(operation)
  .optional()
  .meta({
    description:
      'The JSON Patch (RFC 6902) of the body that does what `fix` says. Absent if the fix leaves a choice to the client. Apply one ' +
      'at a time, and check the request again: two patches may concern the same member.',
    examples: [[{ op: 'replace', path: '/parameters/crf', value: '23' }]],
  });

export type PatchOperation = z.infer<typeof operation>;
