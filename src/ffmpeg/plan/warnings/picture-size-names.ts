import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/**
 * Warns about `width` and `height`, which are options of rare decoders and encoders. For nearly all requests they have no
 * effect, and the client means the size of the picture.
 */
export function pictureSizeNames(options: readonly ArgvOption[]): readonly Warning[] {
  const [width, height] = ['width', 'height'].map((key) => options.find((option) => option.key === key));
  const size = [width, height].map((option) => option?.values[0] ?? '-2').join(':');
  return [width, height].flatMap((option) =>
    option === undefined
      ? []
      : [
          {
            field: option.field,
            code: 'NO_EFFECT',
            message: `"${option.key}" does not set the size of the picture: it is an option of rare decoders.`,
            fix: sendOption('vf', `scale=${size}`),
          },
        ],
  );
}
