import { z } from 'zod';
import type { Warning } from '../domain/plan.ts';
import { list, text } from './described-schemas.ts';
import { fixPatch } from './fix-patch.ts';
import { httpHint } from './hint-text.ts';
import { patch } from './problem.ts';
import type { Shape } from './shape.ts';

const warning = z
  .object({
    field: text('JSON Pointer into the body. Absent for warnings about the result.', '/parameters/q:v').optional(),
    code: z.string().meta({ examples: ['NO_EFFECT'] }),
    rule: text('The rule that found it. docs/rules.md lists all.', 'unsuitable-quality').optional(),
    message: z.string().meta({ examples: ['"q:v" has no effect: libx264 ignores it.'] }),
    fix: text('What to send instead.').optional(),
    apply: patch,
    lost: text('What of a source the result lacks or has changed.', 'chapters').optional(),
    expected: z
      .union([z.string(), z.number()])
      .optional()
      .meta({ description: 'With `lost`: what the source has, or the request asks for.', examples: [12] }),
    actual: z
      .union([z.string(), z.number()])
      .optional()
      .meta({ description: 'With `lost`: what the result has.', examples: [0] }),
    near: list(
      z.string(),
      'INPUT_NOT_FOUND: existing files whose names are similar to that of the missing one, the most similar first.',
      ['cameras/cam-3-final.mp4'],
    ).optional(),
    retryAfterSeconds: z
      .int()
      .optional()
      .meta({
        description:
          'INPUT_NOT_READ: seconds after which a dry run of the same request may read the input. Absent: waiting does not help.',
        examples: [5],
      }),
  })
  .meta({ id: 'Warning', description: 'Something that is valid but probably a mistake.' });

export const warnings = z.array(warning);

export type WarningView = Shape<typeof warning>;

/** Warnings as clients see them. `body`: the JSON of the request, to make patches for fixes that a program can follow. */
export const warningViews = (all: readonly Warning[], body?: unknown): WarningView[] =>
  all.map((one) => {
    const { fix, ...rest } = one;
    const apply = body === undefined ? undefined : fixPatch(body, one);
    return {
      ...rest,
      ...(fix !== undefined && { fix: httpHint(fix) }),
      ...(apply !== undefined && { apply }),
    };
  });
