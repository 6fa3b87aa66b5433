import type { Parameters } from '../../../domain/conversion.ts';
import type { FieldError } from '../../../domain/problem.ts';

/** Keys of `parameters` that switch the whole conversion, so that no single input can have them. */
export const WHOLE_REQUEST_OPTIONS = ['y', 'pass', 'pass:v'] as const;

/** Keys of `parameters` that are read apart from the other options: those, and the container. */
export const HANDLED_ELSEWHERE: ReadonlySet<string> = new Set(['f', ...WHOLE_REQUEST_OPTIONS]);

const own = (parameters: Parameters | undefined, key: string) =>
  parameters !== undefined && Object.hasOwn(parameters, key) ? parameters[key] : undefined;

/** `"y": ""`: an existing output may be replaced. The service itself does that, when the conversion is complete. */
export function readReplace(parameters: Parameters | undefined, errors: FieldError[]): boolean {
  const value = own(parameters, 'y');
  if (value === undefined || value === 'false') return false;
  if (value === '' || value === 'true') return true;
  errors.push({
    field: '/parameters/y',
    code: 'TAKES_NO_VALUE',
    message: '"y" is switched on or off and takes no value.',
    allowed: ['', 'true', 'false'],
    fix: 'Send "y": "" to replace an existing output, or leave it out.',
  });
  return false;
}

/** `"pass": "2"`: the service runs both passes. */
export function readTwoPass(parameters: Parameters | undefined, errors: FieldError[]): boolean {
  const key = own(parameters, 'pass') === undefined ? 'pass:v' : 'pass';
  const value = own(parameters, key);
  if (value === undefined) return false;
  const field = `/parameters/${key}`;
  if (value !== '2')
    errors.push({
      field,
      code: 'BAD_PASS',
      message: 'The service runs both passes by itself, the log of the first included.',
      allowed: ['2'],
      fix: 'Send "pass": "2", once.',
    });
  return value === '2';
}
