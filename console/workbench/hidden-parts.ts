import type { ConversionRequest, FieldError } from '@telecine/client';
import { hiddenParts, isHiddenOption, isHiddenUrl } from '../../packages/contract/src/domain/hidden-parts.ts';
import type { Draft, LeftOut } from './draft.ts';

/** Whether a part of a request is not whole: the page gets no keys, passwords and queries of URLs. Only a retry has them again. */
export const hasHiddenParts = (request: Parameters<typeof hiddenParts>[0]): boolean => hiddenParts(request).length > 0;

type RetryParts = Pick<ConversionRequest, 'after' | 'callbackUrl' | 'fallback'>;

/** The parts that `asNewJob` leaves out. They are said, because the new job does not do what they did. */
export function leftOutOf({
  callbackUrl,
  fallback,
  outputs = [],
}: Pick<RetryParts, 'callbackUrl' | 'fallback'> & {
  readonly outputs?: readonly Pick<RetryParts, 'fallback'>[];
}): readonly LeftOut[] {
  const hasFallback = [fallback, ...outputs.map((one) => one.fallback)].some(
    (one) => one !== undefined && hasHiddenParts({ fallback: one }),
  );
  const hasCallback = callbackUrl !== undefined && hasHiddenParts({ callbackUrl });
  return [...(hasFallback ? ['fallback' as const] : []), ...(hasCallback ? ['callback' as const] : [])];
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  fallback: 'its `fallback`, which has a key or password',
  callback: 'its `callbackUrl`, a part of which is hidden',
};

/** Says what a new job lacks of the job whose request it has. */
export const leftOutText = (parts: readonly LeftOut[]): string =>
  `Not copied from the job: ${parts.map((part) => LEFT_OUT[part]).join(', and ')}. The page does not get these. Add them to the exported request, if the new job needs them.`;

/**
 * The request of a retry, or its members, as those of a new job. Leaves out the jobs for which only the retried one has waited, and which may have
 * failed, and what has hidden parts and no field in the form: a callback, and the options of a fallback.
 */
export function asNewJob<T extends RetryParts & Pick<ConversionRequest, 'outputs'>>(request: T): T {
  const { after: _, callbackUrl, outputs, ...rest } = withoutHiddenFallback(request);
  const isCallbackHidden = callbackUrl !== undefined && hasHiddenParts({ callbackUrl });
  return {
    ...rest,
    ...(callbackUrl !== undefined && !isCallbackHidden && { callbackUrl }),
    ...(outputs && { outputs: outputs.map(withoutHiddenFallback) }),
  } as T;
}

/** Leaves out a fallback with hidden keys as a whole: with a part of its options, the output would have other keys, or none. */
export function withoutHiddenFallback<T extends Pick<RetryParts, 'fallback'>>(part: T): T {
  const { fallback, ...rest } = part;
  return fallback !== undefined && hasHiddenParts({ fallback }) ? (rest as T) : part;
}

const HIDDEN_OPTION: FieldError = {
  field: '',
  code: 'HIDDEN_PART',
  message: 'This key or password is not copied into a new job.',
  fix: 'Enter it in place of "(hidden)", or remove this option.',
};

const HIDDEN_SOURCE: FieldError = {
  field: '',
  code: 'HIDDEN_PART',
  message: 'The hidden part of this URL is not copied into a new job.',
  fix: 'Add the whole URL as a source, and remove this one.',
};

/** The errors at the options and sources of a new job that the page does not have whole, by their ids. */
export const hiddenPartMessages = ({ rows, inputs, outputs }: Draft): readonly (readonly [string, FieldError])[] => [
  ...inputs.flatMap(({ id, input = '' }) => (isHiddenUrl(input) ? [[id, HIDDEN_SOURCE] as const] : [])),
  ...[{ rows }, ...inputs, ...outputs].flatMap((list) =>
    list.rows.flatMap(({ id, name, value }) => (isHiddenOption(name, value) ? [[id, HIDDEN_OPTION] as const] : [])),
  ),
];
