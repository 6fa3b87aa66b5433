import type { Rules } from '../contexts.ts';
import { notUtf8 } from '../failures/subtitles.ts';

export const READ_ERROR_RULES: Rules = {
  'read-errors': {
    finds: 'errors that ffmpeg reported while it read an input',
    run({ facts, pass: { plan, complaints } }) {
      const { readErrors: count, damagedInputs, hasInvalidText } = complaints;
      if (hasInvalidText) {
        const { message, fix } = notUtf8(facts);
        return { code: 'DECODE_ERRORS', message: `Lines of text are lost. ${message}`, fix };
      }
      if (count === 0) return [];
      const [number, ...more] = plan.inputs.length === 1 ? [0] : damagedInputs;
      const planned = number === undefined || more.length > 0 ? undefined : plan.inputs[number];
      const what = planned === undefined ? 'the inputs' : `"${planned.path}"`;
      const wrong =
        plan.output.muxer === 'null' ? 'what was measured may be wrong' : 'parts of the output may look or sound wrong';
      return {
        ...(planned === undefined ? {} : { field: planned.field }),
        code: 'DECODE_ERRORS',
        message: `ffmpeg reported ${count} ${count === 1 ? 'error' : 'errors'} while it read ${what}: it may be damaged, and ${wrong}.`,
        fix: 'Measure "errors" of the file: that says what is damaged. Send an undamaged one. If there is none, ignore this warning.',
      };
    },
  },
};
