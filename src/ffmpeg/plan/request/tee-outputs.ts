import { sendIn } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';

/** One output of the muxer `tee`: `[f=hls:hls_time=4]b.m3u8`. */
const SLAVE = /^(?:\[([^\]]*)\])?([^[\]|]+)$/;

/** Options of `tee` itself, whose meaning is no option of an output. */
const OWN = /^(?:select|bsfs(?:\/.*)?|onfail|use_fifo|fifo_options)$/;

/**
 * The error for the outputs of the muxer `tee` in one path: `a.mp4|[f=hls]b.m3u8`, with the same files as `outputs`. undefined
 * if they are not clear.
 *
 * @param field Where the request names the muxer.
 */
export function teeOutputs(output: string, field: string): FieldError | undefined {
  const slaves = output.split('|');
  const outputs = slaves.map((slave) => {
    const [, options = '', path] = SLAVE.exec(slave.trim()) ?? [];
    const pairs = options.split(':').filter((one) => one !== '');
    const parsed = pairs.map((one) => /^([\w/]+)=(.+)$/.exec(one));
    if (path === undefined || parsed.some((one) => one === null || OWN.test(one[1] ?? ''))) return undefined;
    const { f, ...parameters } = Object.fromEntries(parsed.map((one) => [one?.[1] ?? '', one?.[2] ?? '']));
    return {
      output: path,
      ...(f !== undefined && { format: f }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    };
  });
  if (slaves.length < 2 || outputs.includes(undefined)) return undefined;
  return {
    field,
    code: 'FORMAT_NOT_ALLOWED',
    message: 'The format "tee" is not allowed: it writes several outputs. They have a field of their own.',
    fix: {
      ...sendIn('request', 'outputs', outputs),
      note: `They replace "output" and "${field.split('/').at(-1)}".`,
    },
  };
}
