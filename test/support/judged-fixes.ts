import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { WarningView } from '../../src/wire/warning.ts';
import { worsenings } from '../common-requests/checks/worsening.ts';
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
  /** The host paths of its inputs. */
  readonly sources: readonly string[];
  /** Runs another request. Its outputs are in other places. Throws if it is rejected. */
  run(request: ConversionRequest): Promise<RequestResult>;
}

/** Fixes that say what to look at, and name nothing to send. */
const ADVICE: readonly RegExp[] = [/^Measure "errors" of the file/];

/** Codes of warnings about what does not show in the picture: with the fix, it does. */
const CHANGES_PICTURE: ReadonlySet<string> = new Set(['NO_EFFECT', 'CUT_OFF', 'PIXEL_FORMAT_CHANGED']);

/** Follows the fix of each warning in each of its ways, and compares the results. Returns the fixes that make them worse. */
export async function worseFixes({ request, result, warnings, sources, run }: JudgedRun): Promise<readonly WorseFix[]> {
  const found: WorseFix[] = [];
  for (const warning of warnings) {
    const { code, message, fix } = warning;
    const ways = followedBy(request, warning);
    const shown = { warning: `${code} ${message}`, fix };
    if (ways === undefined && !ADVICE.some((one) => one.test(fix ?? '')))
      found.push({ ...shown, worse: ['not advice that was reviewed'] });
    for (const followed of ways ?? []) {
      const worse = await followedResult(followed, code);
      if (worse.length > 0) found.push({ ...shown, followed, worse });
    }
  }
  return found;

  async function followedResult(followed: ConversionRequest, code: string): Promise<readonly string[]> {
    const after = await run(followed).catch(String);
    if (typeof after === 'string') return [after];
    const { status, error, warnings: others = [] } = after.job;
    if (status !== 'COMPLETED') return [`${status}: ${error?.message}`];
    const known = new Set(warnings.map(({ code }) => code));
    const more = others.filter((one) => !known.has(one.code)).map((one) => `new warning: ${one.code} ${one.message}`);
    return [...more, ...(await worsenings(result, after, sources, !CHANGES_PICTURE.has(code)))];
  }
}
