import { pointerKey } from '../../domain/problem.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';

/** Options that no stream used, by the names with which the client sent them. */
export const unusedOptions = (pass: FinishedPass): readonly RunWarning[] =>
  pass.complaints.unusedOptions.flatMap(({ name, input }) => {
    const { plan } = pass;
    const planned = input === undefined ? undefined : plan.inputs[input];
    const sent = planned === undefined ? sentAs(name, pass) : [];
    const names = sent.length === 0 ? [name] : sent.map((field) => pointerKey(field.slice(field.lastIndexOf('/') + 1)));
    const isWarned = plan.warnings.some(({ field = '', options = [] }) =>
      [field, ...options].some((one) => new RegExp(`/${name}(?::|$)`).test(one) || sent.includes(one)),
    );
    if (isWarned) return [];
    const place = planned === undefined ? 'the output' : `the input "${planned.path}"`;
    const shown = names.map((one) => `"${one}"`).join(' and ');
    const field = planned?.field ?? (sent.length === 1 ? sent[0] : undefined);
    return [
      {
        ...(field === undefined ? {} : { field }),
        code: 'NO_EFFECT',
        message: `${shown} had no effect on ${place}: no stream of it uses this option.`,
        fix: { edits: names.map((one) => ({ do: 'remove', name: one })) },
        ...(sent.length > 1 && { options: sent }),
      },
    ];
  });

const LETTERS: Readonly<Record<string, string>> = { video: 'v', audio: 'a', subtitle: 's' };

/**
 * The fields of an option that ffmpeg names without its stream specifier: `b` for `b:v` or `b:a`. Of several, those for a
 * kind of stream that the output does not have, or that is copied.
 */
function sentAs(name: string, { plan, outputStreams, used }: FinishedPass): readonly string[] {
  const copied = new Set(used.flatMap((stream) => (stream.copied ? stream.output : [])));
  const encoded = outputStreams.filter(({ index }) => !copied.has(index)).map(({ type }) => LETTERS[type]);
  const all = Object.entries(plan.fields ?? {}).filter(
    ([key, field]) => (key === name || key.startsWith(`${name}:`)) && field !== '/parameters',
  );
  const idle = all.filter(([key]) => !encoded.includes(key.charAt(name.length + 1).toLowerCase()));
  return (idle.length > 0 ? idle : all).map(([, field]) => field);
}
