import { z } from 'zod';
import { conversionBody } from './conversion.ts';
import { list, text } from './described-schemas.ts';
import { fieldError, textSpan } from './problem.ts';
import { warnings } from './warning.ts';

const COMMAND_LIMITS = { characters: 100_000, words: 10_000 };

const word = z.string().max(COMMAND_LIMITS.characters);

export const commandBody = z
  .strictObject({
    command: z.union([word.min(1), z.array(word).min(1).max(COMMAND_LIMITS.words)]).meta({
      description:
        'A command line of ffmpeg, as a text with the quoting rules of POSIX shells, or as a list of its words.',
      examples: ['ffmpeg -y -ss 2 -i in.mp4 -vf scale=-2:480 out.webm', ['ffmpeg', '-i', 'in.mov', 'out.mp4']],
    }),
  })
  .meta({ id: 'Command', description: 'A command line to read as a request. It is not run.' });

const place = z
  .union([textSpan, z.object({ word: z.int().nonnegative() })])
  .optional()
  .meta({
    description: 'Where it is in the command: characters of the text, or the index of a word of the list.',
    examples: [{ offset: 7, length: 5 }],
  });

export const readCommandSchema = z
  .object({
    request: conversionBody.optional().meta({
      description:
        'The request that does the same. Absent if the command cannot be read. Submit it, with paths of the media root.',
    }),
    leftOut: list(
      z.object({
        option: text('The option, with its dash.', '-loglevel'),
        value: text('Its value. Absent for an option that has none.', 'error').exactOptional(),
        why: text(
          'Why the request does not have it.',
          'it changes what ffmpeg prints, and the log is kept with the job',
        ),
        place,
      }),
      'What the request leaves out without a change of the result.',
    ),
    errors: list(
      fieldError.extend({ place }),
      'What is wrong: with `field` `/command` of the command, and else of `request`, as a dry run finds it.',
    ),
    warnings,
  })
  .meta({ id: 'ReadCommand', description: 'A command line of ffmpeg as a request.' });
