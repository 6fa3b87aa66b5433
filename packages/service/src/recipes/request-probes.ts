import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';

const RETRY_SECONDS = 5;

/** The probes of one submission. They share one time limit, probe each input once, and end when the client disconnects. */
export class RequestProbes {
  readonly #hangUp: AbortSignal | undefined;
  readonly #found = new Map<string, Promise<MediaInfo>>();
  #deadline: AbortSignal | undefined;
  /** Whether a file was read or is still being read, so that the next try gets further. A URL is read again by each try. */
  #helpsNextTry = false;

  /** @param hangUp Aborted when the client disconnects. The probes then throw its reason. */
  constructor(hangUp?: AbortSignal) {
    this.#hangUp = hangUp;
  }

  /**
   * Returns the result of `probe` for a path. Probes each path only once. Throws TIMEOUT when all probes together have taken `seconds`, with
   * a time for a retry if the next try gets further, and the errors of `probe`.
   */
  async of(path: string, seconds: number, probe: (signal: AbortSignal) => Promise<MediaInfo>): Promise<MediaInfo> {
    this.#hangUp?.throwIfAborted();
    this.#deadline ??= AbortSignal.timeout(seconds * 1000);
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const found = this.#run(path, this.#deadline, seconds, probe);
    this.#found.set(path, found);
    return found;
  }

  /** Runs a probe, and turns an abort by the deadline into TIMEOUT. */
  async #run(
    path: string,
    deadline: AbortSignal,
    seconds: number,
    probe: (signal: AbortSignal) => Promise<MediaInfo>,
  ): Promise<MediaInfo> {
    try {
      deadline.throwIfAborted();
      const info = await probe(this.#hangUp === undefined ? deadline : AbortSignal.any([deadline, this.#hangUp]));
      this.#helpsNextTry ||= !isUrl(path);
      return info;
    } catch (error) {
      this.#helpsNextTry ||=
        error instanceof Problem && error.code === 'TIMEOUT' && error.retryAfterSeconds !== undefined;
      if (this.#hangUp?.aborted === true || !deadline.aborted || error instanceof Problem) throw error;
      const message = `Reading the inputs took longer than ${seconds} s.`;
      const fix = this.#helpsNextTry
        ? `Send the same request again in ${RETRY_SECONDS} s. Files that were read are not read again.`
        : 'Retry when the service is less busy. If the input is a URL, upload the file.';
      throw new Problem('TIMEOUT', message, {
        errors: [{ field: '/input', code: 'TIMEOUT', message, fix }],
        cause: error,
        ...(this.#helpsNextTry && { retryAfterSeconds: RETRY_SECONDS }),
      });
    }
  }
}
