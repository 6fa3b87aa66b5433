import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { WarningView } from '../../packages/contract/src/wire/warning.ts';
import { isRandom, worsenings } from '../common-requests/checks/worsening.ts';
import type { RequestResult } from '../common-requests/common-request.ts';
import { followedBy } from './followed-fix.ts';

/** A fix that, followed, makes a result worse. */
export interface WorseFix {
  readonly warning: string;
  readonly fix: string | undefined;
  /** The request that follows the fix. Absent if there is nothing to follow. */
  readonly followed?: ConversionRequest;
  readonly worse: readonly string[];
}

/** A request that was run, and what its warnings are. */
export interface JudgedRun {
  readonly request: ConversionRequest;
  readonly result: RequestResult;
  readonly warnings: readonly WarningView[];
  /** Whether a warning is about what is meant, and not about what the test adds to a request. */
  isOwn?(request: ConversionRequest, warning: WarningView): boolean;
  /** The host paths of its inputs. */
  readonly sources: readonly string[];
  /** Runs another request. Its outputs are in other places. Throws if it is rejected. */
  run(request: ConversionRequest): Promise<RequestResult>;
}

/**
 * Codes of warnings in dry runs of common requests whose fixes are not followed. What is assumed or not read in time does not depend on the
 * request. Parts that are cut elsewhere have other lengths, as is meant, so their files cannot be compared one by one.
 */
const NOT_FOLLOWED: ReadonlySet<string> = new Set(['ASSUMED_MEDIA', 'INPUT_NOT_READ', 'KEY_FRAME_CUTS']);

/**
 * Whether `test/e2e/common-requests.test.ts` follows the fix of a warning in the dry run of a common request. `test/e2e/right-requests.test.ts`
 * leaves these out, and no others.
 */
export const isFollowed = ({ code }: Pick<WarningView, 'code'>): boolean => !NOT_FOLLOWED.has(code);

/** Leaves out warnings that repeat an earlier one: a job repeats those of its dry run, with another fix if it knows more. */
export const onceEach = (warnings: readonly WarningView[]): readonly WarningView[] => [
  ...new Map(warnings.map((one) => [`${one.field} ${one.code} ${one.fix}`, one])).values(),
];

/** Fixes that say what to look at, and name nothing to send. */
const ADVICE: readonly RegExp[] = [
  /^Measure "errors" of the file/,
  /^Send a lower "threshold", which finds more scenes/,
  /^Send "cropdetect" with a lower "limit"/,
  /^Send a shorter "pause", or a higher "threshold"\.$/,
];

/** Codes of warnings about what does not show in the picture: with the fix, it does. */
const CHANGES_PICTURE: ReadonlySet<string> = new Set(['NO_EFFECT', 'CUT_OFF', 'PIXEL_FORMAT_CHANGED']);

/** Codes of warnings about a filter that enlarges a picture unasked: with the fix, it keeps its size. */
const KEEPS_SIZE: ReadonlySet<string> = new Set(['SIZE_CHANGED', 'FRAMES_REPEATED']);

/** A picture that plays backwards, as its sound does. */
const PLAYS_BACKWARDS = /^The filter areverse plays only the audio backwards/;

/** Follows the fix of each warning in each of its ways, and compares the results. Returns the fixes that make them worse. */
export async function worseFixes(judged: JudgedRun): Promise<readonly WorseFix[]> {
  const { request, result, warnings, isOwn = () => true, sources, run } = judged;
  const known = new Set(warnings.map(nameOf));
  const found: WorseFix[] = [];
  for (const warning of warnings.filter((one) => isOwn(request, one))) {
    const { code, message, fix } = warning;
    const ways = followedBy(request, warning);
    const shown = { warning: `${code} ${message}`, fix };
    if (ways === undefined && !ADVICE.some((one) => one.test(fix ?? '')))
      found.push({ ...shown, worse: ['not advice that was reviewed'] });
    for (const followed of ways ?? []) {
      const worse = await followedResult(followed, warning);
      if (worse.length > 0) found.push({ ...shown, followed, worse });
    }
  }
  return found;

  async function followedResult(
    followed: ConversionRequest,
    { code, message }: WarningView,
  ): Promise<readonly string[]> {
    const after = await run(followed).catch(String);
    if (typeof after === 'string') return [after];
    const { status, error, warnings: others = [] } = after.job;
    if (status !== 'COMPLETED') return [`${status}: ${error?.message}`];
    const more = others.filter((one) => !known.has(nameOf(one)) && isOwn(followed, one));
    const meant = {
      picture: CHANGES_PICTURE.has(code) || PLAYS_BACKWARDS.test(message),
      inputSize: KEEPS_SIZE.has(code),
      // The argument of the recipe asks for another one.
      shape: code === 'OVERRIDES_RECIPE',
    };
    const worse = await worsenings(result, after, sources, meant);
    const isNoise = worse.length > 0 && (await isRandom(result, await run(request)));
    return [
      ...more.map((one) => `new warning: ${one.code} ${one.message}`),
      ...(isNoise ? await worsenings(result, after, sources, { ...meant, isRandom: true }) : worse),
    ];
  }
}

const nameOf = ({ code, field }: WarningView): string => `${code} ${field}`;
